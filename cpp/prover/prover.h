// Groth16 proving: classify, quotient, five MSMs, assembly (Groth, EUROCRYPT 2016, section 3.2).
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "core/timeline.h"
#include "core/types.h"
#include "srs/srs.h"

namespace supraseal {

// Bit i of word i/64 says whether variable i has a point in the query. `bits` is the length.
struct Density {
    Span<const uint64_t> words;
    size_t bits = 0;

    bool test(size_t i) const { return (words[i / 64] >> (i % 64)) & 1; }
};

// One synthesised circuit. Every scalar is in Montgomery form and reduced.
struct Circuit {
    Span<const Fr> a, b, c;        // evaluations, one per constraint, input constraints included
    Span<const Fr> inputs;         // ONE first
    Span<const Fr> aux;
    Density a_aux, b_inputs, b_aux;  // inputs always have full density in A
    Fr r, s;
};

struct Proof {
    G1Affine a;
    G2Affine b;
    G1Affine c;
};

// Proves each circuit. Shapes are checked against the key before any work; mismatch is
// Error::shape. Phases are appended to `timeline`.
std::vector<Proof> prove(const ThreadPool& pool, const Srs& srs,
                         const std::vector<Circuit>& circuits, Timeline& timeline);

}  // namespace supraseal
