// H = (A*B - C) / Z on the domain's coset.
#pragma once

#include <vector>

#include "backend/cpu/kernels.h"
#include "core/resources.h"
#include "prover/circuit.h"

namespace supraseal {

// The first n - 1 coefficients of H, n the domain's size, in Montgomery form. For an unsatisfied
// witness the division has a remainder; the result is then what bellman's interpolation on the
// coset 7*domain gives, so that it agrees with that prover in every case.
Buffer<Fr> quotient(const Resources& on, Kernels kernels, const Evaluations& evaluations);

}  // namespace supraseal
