#include "backend/cpu/ntt/roots.h"

#include <vector>

namespace supraseal {

namespace {

constexpr size_t kTwoAdicity = 32;

}  // namespace

Fr root_of_unity(size_t log2) {
    // (r - 1) / 2^32, most significant limb first.
    constexpr uint64_t kOddPart[4] = {0x0000000073eda753, 0x299d7d483339d808, 0x09a1d80553bda402,
                                      0xfffe5bfeffffffff};
    const Fr generator(uint64_t{7});
    Fr root = Fr::one();
    for (const uint64_t limb : kOddPart) {
        for (size_t bit = 64; bit-- > 0;) {
            root = sqr(root);
            if (((limb >> bit) & 1) != 0) {
                root *= generator;
            }
        }
    }
    for (size_t i = log2; i < kTwoAdicity; i++) {
        root = sqr(root);
    }
    return root;
}

Roots::Roots(const Resources& on, size_t log2, const Fr& factor)
    : table_(buffer_of<Fr>(size_t{1} << log2, on.memory)) {
    table_[0] = factor;
    std::vector<Fr> generators(log2);  // of order 2^(j + 2)
    if (log2 > 0) {
        generators[log2 - 1] = root_of_unity(log2 + 1);
        for (size_t j = log2 - 1; j-- > 0;) {
            generators[j] = sqr(generators[j + 1]);
        }
    }
    for (size_t j = 0; j < log2; j++) {
        const size_t level = size_t{1} << j;
        constexpr size_t kGrain = 2048;
        on.threads.for_ranges(level, kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                table_[level + i] = table_[i] * generators[j];
            }
        });
    }
}

}  // namespace supraseal
