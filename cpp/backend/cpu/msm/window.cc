#include "backend/cpu/msm/window.h"

#include <algorithm>

namespace supraseal {

namespace {

// A counting sort of the terms by bucket.
template <class Field>
void sort_terms(const Terms<Field>& terms, const Digits& digits, size_t window,
                WindowScratch<Field>& scratch) {
    const size_t buckets = digits.windows().buckets();
    // starts[k + 1] first counts bucket k, is then where bucket k begins, and ends as its end.
    scratch.starts.assign(buckets + 2, 0);
    for (size_t i = 0; i < terms.size(); i++) {
        scratch.starts[digits.at(terms.variable_of[i], window).bucket + 1]++;
    }
    scratch.starts[1] = 0;
    uint32_t total = 0;
    for (size_t k = 1; k <= buckets; k++) {
        const uint32_t count = scratch.starts[k + 1];
        scratch.starts[k + 1] = total;
        total += count;
    }
    scratch.entries.resize(total);
    for (size_t i = 0; i < terms.size(); i++) {
        const Digit digit = digits.at(terms.variable_of[i], window);
        if (digit.bucket != 0) {
            scratch.entries[scratch.starts[digit.bucket + 1]++] =
                2 * terms.base_of[i] + static_cast<uint32_t>(digit.negative);
        }
    }
}

// Sums every bucket, a group of small ones at a time, large ones alone.
template <class Field>
void fill_buckets(BatchAdd<Field> batch_add, const Terms<Field>& terms, size_t buckets,
                  WindowScratch<Field>& scratch) {
    const auto ref_of = [&](size_t i) {
        const uint32_t entry = scratch.entries[i];
        return Ref<Field>(&terms.bases[entry / 2], (entry & 1) != 0);
    };
    scratch.buckets.resize(buckets + 1);
    scratch.buckets[0].x.zero();
    scratch.buckets[0].y.zero();
    Segments<Field>& group = scratch.segments;
    group.clear();
    size_t first = 1;
    const auto finish_group = [&](size_t end) {
        sum_segments(batch_add, group, &scratch.buckets[first], scratch.sums);
        group.clear();
        first = end;
    };
    size_t begin = 0;
    for (size_t k = 1; k <= buckets; k++) {
        const size_t end = scratch.starts[k + 1];
        if (end - begin > kPointsAtOnce) {
            finish_group(k);
            scratch.buckets[k] = sum_many(batch_add, begin, end, ref_of, group, scratch.sums);
            first = k + 1;
        } else {
            for (size_t i = begin; i < end; i++) {
                group.refs.push_back(ref_of(i));
            }
            group.end_segment();
            if (group.refs.size() >= kPointsAtOnce) {
                finish_group(k + 1);
            }
        }
        begin = end;
    }
    finish_group(buckets + 1);
}

template <class Field>
void push_finite(Segments<Field>& segments, const Affine<Field>& point) {
    if (!point.is_inf()) {
        segments.refs.emplace_back(&point, false);
    }
}

// The sum of k * S_k over k < n, n a power of two, is the sum of S_k over odd k plus twice the same
// sum over the n/2 points S_2k + S_2k+1. Two additions a bucket, as by running sums, but as trees,
// whose additions need not wait for each other.
template <class Field>
void reduce(BatchAdd<Field> batch_add, size_t buckets, Affine<Field>* bits,
            WindowScratch<Field>& scratch) {
    // Level by level behind each other: n, n/2, ... 2 points; bucket `n` is moved out of their way.
    size_t levels = 0;
    while ((size_t{1} << levels) < buckets) {
        levels++;
    }
    bits[levels] = scratch.buckets[buckets];
    scratch.buckets.resize(2 * buckets);
    Affine<Field>* level = scratch.buckets.data();
    for (size_t n = buckets; n > 2; n /= 2) {
        scratch.segments.clear();
        for (size_t k = 0; k < n; k += 2) {
            push_finite(scratch.segments, level[k]);
            push_finite(scratch.segments, level[k + 1]);
            scratch.segments.end_segment();
        }
        sum_segments(batch_add, scratch.segments, level + n, scratch.sums);
        level += n;
    }
    scratch.segments.clear();
    level = scratch.buckets.data();
    for (size_t n = buckets; n > 1; n /= 2) {
        for (size_t k = 1; k < n; k += 2) {
            push_finite(scratch.segments, level[k]);
        }
        scratch.segments.end_segment();
        level += n;
    }
    sum_segments(batch_add, scratch.segments, bits, scratch.sums);
}

}  // namespace

template <class Field>
void sum_window(BatchAdd<Field> batch_add, const Terms<Field>& terms, const Digits& digits,
                size_t window, Affine<Field>* bits, WindowScratch<Field>& scratch) {
    sort_terms(terms, digits, window, scratch);
    const size_t buckets = digits.windows().buckets();
    if (scratch.entries.empty()) {
        for (size_t i = 0; i < digits.windows().bits; i++) {
            bits[i].x.zero();
            bits[i].y.zero();
        }
        return;
    }
    fill_buckets(batch_add, terms, buckets, scratch);
    reduce(batch_add, buckets, bits, scratch);
}

template void sum_window(BatchAdd<Fp>, const Terms<Fp>&, const Digits&, size_t, G1Affine*,
                         WindowScratch<Fp>&);
template void sum_window(BatchAdd<Fp2>, const Terms<Fp2>&, const Digits&, size_t, G2Affine*,
                         WindowScratch<Fp2>&);

}  // namespace supraseal
