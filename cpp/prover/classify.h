// Sorting of the witness by value: most of a circuit's variables are 0 or 1, and neither needs a
// scalar multiplication.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "prover/circuit.h"

namespace supraseal {

// The terms of one query, with the zeros left out. Variables count inputs first, then aux.
struct Query {
    std::vector<uint32_t> ones;       // bases whose scalar is 1
    std::vector<uint32_t> bases;      // bases of all other scalars ...
    std::vector<uint32_t> variables;  // ... and the variables they belong to
};

struct Queries {
    Query l, a, b;  // b serves both G1 and G2
};

Queries classify(const ThreadPool& pool, const Witness& witness);

}  // namespace supraseal
