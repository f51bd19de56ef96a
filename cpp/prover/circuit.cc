#include "prover/circuit.h"

namespace supraseal {

size_t Density::count() const {
    size_t total = 0;
    for (size_t i = 0; i < words.size(); i++) {
        total += static_cast<size_t>(__builtin_popcountll(words[i]));
    }
    return total;
}

size_t domain_log2(size_t constraints) {
    size_t log2 = 0;
    while ((size_t{1} << log2) < constraints) {
        log2++;
    }
    return log2;
}

}  // namespace supraseal
