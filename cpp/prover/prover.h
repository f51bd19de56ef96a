// Groth16 proving: classify, quotient, five MSMs, assembly (Groth, EUROCRYPT 2016, section 3.2).
#pragma once

#include <vector>

#include "core/thread_pool.h"
#include "core/timeline.h"
#include "core/types.h"
#include "prover/circuit.h"
#include "srs/srs.h"

namespace supraseal {

class Backend;

struct Proof {
    G1Affine a;
    G2Affine b;
    G1Affine c;
};

// Proves each circuit. Shapes are checked against the key before any work; mismatch is
// Error::shape. Phases are appended to `timeline`.
std::vector<Proof> prove(const ThreadPool& pool, const Backend& backend, const Srs& srs,
                         const std::vector<Circuit>& circuits, Timeline& timeline);

}  // namespace supraseal
