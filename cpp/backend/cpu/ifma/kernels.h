// The two passes of a batch of affine additions on AVX-512 IFMA.
//
// kernels.cc is compiled for processors that have these instructions; everything it shares with the
// rest of the program is declared here, over plain memory, so that no inline function compiled with
// them can be linked into code that runs elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace supraseal::ifma {

// Sum<Field> as it lies in memory: tagged operands (bit 0: negated), then the result's place.
struct RawSum {
    uintptr_t left, right;
    uint64_t* out;
};

// How many additions one step works on, and the words of memory a step keeps between the passes.
constexpr size_t kFpLanes = 16;
constexpr size_t kFp2Lanes = 8;
constexpr size_t kStepWords = 128;

// Forward: multiplies the differences of x of `steps` steps lane by lane. `kept` (64-byte aligned)
// receives kStepWords a step; bit i of special[step] is set where lane i's operands are equal,
// opposite or infinite, which the backward pass leaves with a meaningless result. `products`
// receives the lanes' products as field elements of 6 or 12 words.
void fp_forward(const RawSum* sums, size_t steps, uint64_t* kept, uint32_t* special,
                uint64_t* products);
void fp2_forward(const RawSum* sums, size_t steps, uint64_t* kept, uint32_t* special,
                 uint64_t* products);

// Backward: `inverses` are the lanes' inverses times 2^48 (see lanes.h on scaling), in the layout
// of `products`. Writes every sum.
void fp_backward(const RawSum* sums, size_t steps, const uint64_t* kept, const uint32_t* special,
                 const uint64_t* inverses);
void fp2_backward(const RawSum* sums, size_t steps, const uint64_t* kept, const uint32_t* special,
                  const uint64_t* inverses);

}  // namespace supraseal::ifma
