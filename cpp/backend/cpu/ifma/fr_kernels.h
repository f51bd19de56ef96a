// Transforms and products of scalars on AVX-512 IFMA. As kernels.h: plain memory only.
//
// Scalars are four words, blst's form. "Lifted" ones carry another factor 2^4, which the products
// here take away again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace supraseal::ifma {

// The twiddles of ntt/roots.h, lifted.
struct Twiddles {
    const uint64_t* by_node;
    const uint64_t* minus_one;
};

// The smallest transform of contiguous values, and the columns of a strip.
constexpr size_t kSmallestRow = 64;
constexpr size_t kStripColumns = 16;
// Levels that a transform may have: values grow from level to level and are reduced at the end.
constexpr size_t kMostLevels = 14;

// 64-byte words of scratch for a transform of n values.
constexpr size_t scratch_words(size_t values) {
    return values / 8 * 40;
}

// The subtree under `node` of ntt.h's tree, on `count` contiguous values. `scratch` is aligned to
// 64 bytes and has scratch_words(count).
void fr_forward_row(uint64_t* values, size_t count, size_t node, const Twiddles& twiddles,
                    uint64_t* scratch);
void fr_backward_row(uint64_t* values, size_t count, size_t node, const Twiddles& twiddles,
                     uint64_t* scratch);

// The same on kStripColumns interleaved transforms: `rows` rows, `stride` words apart.
void fr_forward_strip(uint64_t* values, size_t rows, size_t stride, size_t node,
                      const Twiddles& twiddles, uint64_t* scratch);
void fr_backward_strip(uint64_t* values, size_t rows, size_t stride, size_t node,
                       const Twiddles& twiddles, uint64_t* scratch);

// Elementwise, `count` a multiple of 8.
void fr_multiply(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t count);
void fr_scale(uint64_t* values, const uint64_t* lifted_factor, size_t count);
// (a - b) * factor
void fr_scaled_difference(uint64_t* out, const uint64_t* a, const uint64_t* b,
                          const uint64_t* lifted_factor, size_t count);
// Whether a * b = c everywhere.
bool fr_products_equal(const uint64_t* a, const uint64_t* b, const uint64_t* c, size_t count);

}  // namespace supraseal::ifma
