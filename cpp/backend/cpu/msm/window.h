// One window of an MSM: terms to buckets, buckets to bit sums.
#pragma once

#include "backend/cpu/msm/digits.h"
#include "backend/cpu/msm/sum_segments.h"

namespace supraseal {

// The terms of one MSM: term i is scalar `variables[i]` of the digits times bases[bases_of[i]].
template <class Field>
struct Terms {
    Span<const Affine<Field>> bases;
    Span<const uint32_t> base_of;
    Span<const uint32_t> variable_of;

    size_t size() const { return base_of.size(); }
    Terms sub(size_t begin, size_t end) const {
        return Terms{bases, base_of.sub(begin, end - begin), variable_of.sub(begin, end - begin)};
    }
};

// Memory a thread reuses from one window to the next.
template <class Field>
struct WindowScratch {
    explicit WindowScratch(BlockPool& memory)
        : starts(memory), entries(memory), buckets(memory), segments(memory), sums(memory) {}

    Buffer<uint32_t> starts;   // of each bucket, in `entries`
    Buffer<uint32_t> entries;  // 2 * base + negative, sorted by bucket
    Buffer<Affine<Field>> buckets;
    Segments<Field> segments;
    SegmentScratch<Field> sums;
};

// Writes `digits.windows().bits` points: the window's sum is the sum of 2^i * bits[i].
template <class Field>
void sum_window(BatchAdd<Field> batch_add, const Terms<Field>& terms, const Digits& digits,
                size_t window, Affine<Field>* bits, WindowScratch<Field>& scratch);

}  // namespace supraseal
