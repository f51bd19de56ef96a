#include "backend/cpu/msm/batch_add.h"

#include "backend/cpu/ifma/batch_add.h"
#include "core/cpu.h"

namespace supraseal {

namespace {

// Enough to make the inversion cheap beside the additions, few enough to stay in the cache.
constexpr size_t kBatch = 1024;

template <class Field>
Affine<Field> infinity() {
    Affine<Field> out;
    out.x.zero();
    out.y.zero();
    return out;
}

// The slope's denominator; zero when the sum is known without a slope.
template <class Field>
Field denominator(const Affine<Field>& left, const Affine<Field>& right) {
    Field out;
    if (left.is_inf() || right.is_inf()) {
        out.zero();
    } else if (left.x != right.x) {
        out = right.x - left.x;
    } else if (left.y == right.y) {
        out = left.y + left.y;  // zero for a point of order two
    } else {
        out.zero();
    }
    return out;
}

template <class Field>
Affine<Field> without_slope(const Affine<Field>& left, const Affine<Field>& right) {
    if (left.is_inf()) {
        return right;
    }
    return right.is_inf() ? left : infinity<Field>();
}

template <class Field>
Affine<Field> with_slope(const Affine<Field>& left, const Affine<Field>& right,
                         const Field& inverse) {
    Field slope;
    if (left.x == right.x) {
        slope = sqr(left.x);
        slope += slope + slope;
    } else {
        slope = right.y - left.y;
    }
    slope *= inverse;
    Affine<Field> out;
    out.x = sqr(slope) - left.x - right.x;
    out.y = slope * (left.x - out.x) - left.y;
    return out;
}

template <class Field>
void add_batch(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch) {
    Field product = Field::one();
    for (size_t i = 0; i < sums.size(); i++) {
        const Field difference = denominator(sums[i].left.load(), sums[i].right.load());
        scratch.differences[i] = difference;
        scratch.products[i] = product;
        if (!difference.is_zero()) {
            product *= difference;
        }
    }
    Field inverse = 1 / product;
    for (size_t i = sums.size(); i-- > 0;) {
        const Affine<Field> left = sums[i].left.load();
        const Affine<Field> right = sums[i].right.load();
        if (scratch.differences[i].is_zero()) {
            *sums[i].out = without_slope<Field>(left, right);
        } else {
            *sums[i].out = with_slope<Field>(left, right, inverse * scratch.products[i]);
            inverse *= scratch.differences[i];
        }
    }
}

}  // namespace

template <class Field>
void batch_add_portable(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch) {
    scratch.differences.resize(kBatch);
    scratch.products.resize(kBatch);
    for (size_t begin = 0; begin < sums.size(); begin += kBatch) {
        add_batch(sums.sub(begin, std::min(kBatch, sums.size() - begin)), scratch);
    }
}

template <class Field>
BatchAdd<Field> batch_add_for([[maybe_unused]] Kernels kernels) {
#if defined(__x86_64__)
    if (kernels == Kernels::fastest && cpu_has_ifma()) {
        return batch_add_ifma<Field>;
    }
#endif
    return batch_add_portable<Field>;
}

template void batch_add_portable(Span<const Sum<Fp>>, BatchScratch<Fp>&);
template void batch_add_portable(Span<const Sum<Fp2>>, BatchScratch<Fp2>&);
template BatchAdd<Fp> batch_add_for(Kernels);
template BatchAdd<Fp2> batch_add_for(Kernels);

}  // namespace supraseal
