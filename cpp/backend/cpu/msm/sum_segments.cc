#include "backend/cpu/msm/sum_segments.h"

namespace supraseal {

namespace {

// Pairs the points of each segment; the refs then name the sums, which `partial` will hold, and
// whatever was left over. Returns whether a segment has more than one point left.
template <class Field>
bool pair_up(Segments<Field>& segments, Affine<Field>*& partial, Buffer<Sum<Field>>& sums) {
    bool more = false;
    size_t kept = 0;
    size_t begin = 0;
    for (uint32_t& end : segments.ends) {
        size_t i = begin;
        for (; i + 1 < end; i += 2) {
            sums.push_back(Sum<Field>{segments.refs[i], segments.refs[i + 1], partial});
            segments.refs[kept++] = Ref<Field>(partial++, false);
        }
        if (i < end) {
            segments.refs[kept++] = segments.refs[i];
        }
        more |= end - begin > 2;
        begin = end;
        end = static_cast<uint32_t>(kept);
    }
    segments.refs.resize(kept);
    return more;
}

}  // namespace

template <class Field>
void sum_segments(BatchAdd<Field> batch_add, Segments<Field>& segments, Affine<Field>* out,
                  SegmentScratch<Field>& scratch) {
    // A segment of n points takes n - 1 additions.
    scratch.partial.resize(std::max(scratch.partial.size(), segments.refs.size()));
    Affine<Field>* partial = scratch.partial.data();
    for (bool more = true; more;) {
        scratch.sums.clear();
        more = pair_up(segments, partial, scratch.sums);
        batch_add(Span<const Sum<Field>>(scratch.sums.data(), scratch.sums.size()), scratch.batch);
    }
    size_t begin = 0;
    for (const uint32_t end : segments.ends) {
        if (begin == end) {
            out->x.zero();
            out->y.zero();
        } else {
            *out = segments.refs[begin].load();
        }
        out++;
        begin = end;
    }
}

template void sum_segments(BatchAdd<Fp>, Segments<Fp>&, G1Affine*, SegmentScratch<Fp>&);
template void sum_segments(BatchAdd<Fp2>, Segments<Fp2>&, G2Affine*, SegmentScratch<Fp2>&);

}  // namespace supraseal
