// Sorting of the witness by value: most of a circuit's variables are 0 or 1, and neither needs a
// scalar multiplication.
#pragma once

#include <cstdint>

#include "core/resources.h"
#include "prover/circuit.h"

namespace supraseal {

// The terms of one query, with the zeros left out. Variables count inputs first, then aux.
struct Query {
    explicit Query(BlockPool& memory) : ones(memory), bases(memory), variables(memory) {}

    Buffer<uint32_t> ones;       // bases whose scalar is 1
    Buffer<uint32_t> bases;      // bases of all other scalars ...
    Buffer<uint32_t> variables;  // ... and the variables they belong to
};

struct Queries {
    explicit Queries(BlockPool& memory) : l(memory), a(memory), b(memory) {}

    Query l, a, b;  // b serves both G1 and G2
};

Queries classify(const Resources& on, const Witness& witness);

}  // namespace supraseal
