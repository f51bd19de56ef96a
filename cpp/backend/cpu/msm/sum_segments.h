// Sums of many short lists of points, as trees of batched additions.
#pragma once

#include <algorithm>

#include "backend/cpu/msm/batch_add.h"

namespace supraseal {

// Memory a thread reuses from one window to the next.
template <class Field>
struct SegmentScratch {
    explicit SegmentScratch(BlockPool& memory)
        : batch(memory), sums(memory), partial(memory), pieces(memory) {}

    BatchScratch<Field> batch;
    Buffer<Sum<Field>> sums;
    Buffer<Affine<Field>> partial;
    Buffer<Affine<Field>> pieces;
};

// Lists of points, one after the other in `refs`; list i ends before ends[i].
template <class Field>
struct Segments {
    explicit Segments(BlockPool& memory) : refs(memory), ends(memory) {}

    Buffer<Ref<Field>> refs;
    Buffer<uint32_t> ends;

    void clear() {
        refs.clear();
        ends.clear();
    }
    void end_segment() { ends.push_back(static_cast<uint32_t>(refs.size())); }
};

// Points summed at a time: few enough for the partial sums to stay in the cache.
constexpr size_t kPointsAtOnce = 12288;

// out[i] = the sum of segment i, infinity for an empty one. Every round adds the points of all
// segments in pairs, so that batches stay large however uneven the segments are. Consumes
// `segments`. `out` may not overlap what the refs point to.
template <class Field>
void sum_segments(BatchAdd<Field> batch_add, Segments<Field>& segments, Affine<Field>* out,
                  SegmentScratch<Field>& scratch);

// The sum of ref_of(begin) to ref_of(end - 1), however many. `segments` must be empty and is left
// so.
template <class Field, class RefOf>
Affine<Field> sum_many(BatchAdd<Field> batch_add, size_t begin, size_t end, const RefOf& ref_of,
                       Segments<Field>& segments, SegmentScratch<Field>& scratch) {
    Affine<Field> sum;
    scratch.pieces.clear();
    while (begin < end) {
        const size_t piece_end = std::min(end, begin + kPointsAtOnce);
        for (; begin < piece_end; begin++) {
            segments.refs.push_back(ref_of(begin));
        }
        segments.end_segment();
        sum_segments(batch_add, segments, &sum, scratch);
        segments.clear();
        scratch.pieces.push_back(sum);
    }
    for (const Affine<Field>& piece : scratch.pieces) {
        segments.refs.emplace_back(&piece, false);
    }
    segments.end_segment();
    sum_segments(batch_add, segments, &sum, scratch);
    segments.clear();
    return sum;
}

}  // namespace supraseal
