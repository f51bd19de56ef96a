// A synthesised circuit as the prover reads it.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace supraseal {

// Bit i of word i/64 says whether variable i has a point in the query. `bits` is the length.
struct Density {
    Span<const uint64_t> words;
    size_t bits = 0;

    bool test(size_t i) const { return ((words[i / 64] >> (i % 64)) & 1) != 0; }
    size_t count() const;
};

// Every scalar is in Montgomery form and reduced.

// One evaluation a constraint, input constraints included. Needed for H alone.
struct Evaluations {
    Span<const Fr> a, b, c;
};

struct Witness {
    Span<const Fr> inputs;  // ONE first
    Span<const Fr> aux;
    Density a_aux, b_inputs, b_aux;  // inputs always have full density in A
    Fr r, s;
};

// The evaluation domain's size is the smallest power of two that holds every constraint.
size_t domain_log2(size_t constraints);

}  // namespace supraseal
