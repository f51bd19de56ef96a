// The last step: r, s and the verifying key's points join the sums.
#pragma once

#include "backend/backend.h"
#include "prover/prover.h"

namespace supraseal {

Proof assemble(const VerifyingKey& vk, const MsmSums& sums, const Fr& r, const Fr& s);

}  // namespace supraseal
