// Eight scalars side by side in 52-bit limbs, for fr_kernels.cc alone.
//
// Memory holds blst's form, x * 2^256; the multiplication here divides by 2^260. A factor that
// comes with 2^4 more than that form (twiddles are kept so) makes up for it.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace supraseal::ifma {

namespace {

constexpr size_t kFrLimbs = 5;
constexpr size_t kFrWords = 4;
constexpr uint64_t kFrMask = (uint64_t{1} << 52) - 1;

struct FrLimbs {
    uint64_t l[kFrLimbs];
};

constexpr FrLimbs fr_limbs(const uint64_t (&words)[kFrWords]) {
    return FrLimbs{{words[0] & kFrMask, (words[0] >> 52 | words[1] << 12) & kFrMask,
                    (words[1] >> 40 | words[2] << 24) & kFrMask,
                    (words[2] >> 28 | words[3] << 36) & kFrMask, words[3] >> 16}};
}

// k * r
constexpr FrLimbs times_order(uint64_t k) {
    constexpr uint64_t r[kFrWords] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                                      0x73eda753299d7d48};
    FrLimbs out = fr_limbs(r);
    uint64_t carry = 0;
    for (uint64_t& limb : out.l) {
        const uint64_t product = limb * k + carry;
        limb = product & kFrMask;
        carry = product >> 52;
    }
    return out;
}

constexpr FrLimbs kOrder = times_order(1);
constexpr uint64_t kFrNegatedInverse = 0xffffeffffffff;  // -1/r mod 2^52

[[gnu::always_inline]] inline __m512i fr_all(uint64_t value) {
    return _mm512_set1_epi64(static_cast<int64_t>(value));
}

// Limbs may be signed and wider than 52 bits until normalized.
struct FrEight {
    __m512i l[kFrLimbs];
};

// Carries upwards; the whole must not be negative and must stay below 2^260.
[[gnu::always_inline]] inline FrEight normalized(FrEight a) {
    const __m512i mask = fr_all(kFrMask);
#pragma GCC unroll 5
    for (size_t i = 0; i + 1 < kFrLimbs; i++) {
        a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
        a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
    return a;
}

[[gnu::always_inline]] inline FrEight add(const FrEight& a, const FrEight& b) {
    FrEight out;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
    }
    return out;
}

// a - b + bias, the bias a multiple of r that is at least b
[[gnu::always_inline]] inline FrEight subtract(const FrEight& a, const FrEight& b,
                                               const FrLimbs& bias) {
    FrEight out;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], fr_all(bias.l[i])), b.l[i]);
    }
    return out;
}

// a[k] * b[k] / 2^260 for Count independent pairs, interleaved because one alone would wait for its
// own carries. Operands are normalized; results are below r + a*b / 2^260, and normalized.
template <size_t Count>
[[gnu::always_inline]] inline void products(const FrEight (&a)[Count],
                                            const FrEight* const (&b)[Count],
                                            FrEight (&out)[Count]) {
    __m512i c[Count][kFrLimbs + 1];
#pragma GCC unroll 4
    for (size_t k = 0; k < Count; k++) {
#pragma GCC unroll 6
        for (size_t j = 0; j <= kFrLimbs; j++) {
            c[k][j] = _mm512_setzero_si512();
        }
    }
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
#pragma GCC unroll 5
        for (size_t j = 0; j < kFrLimbs; j++) {
#pragma GCC unroll 4
            for (size_t k = 0; k < Count; k++) {
                c[k][j] = _mm512_madd52lo_epu64(c[k][j], a[k].l[i], b[k]->l[j]);
            }
        }
#pragma GCC unroll 5
        for (size_t j = 0; j < kFrLimbs; j++) {
#pragma GCC unroll 4
            for (size_t k = 0; k < Count; k++) {
                c[k][j + 1] = _mm512_madd52hi_epu64(c[k][j + 1], a[k].l[i], b[k]->l[j]);
            }
        }
        __m512i q[Count];
#pragma GCC unroll 4
        for (size_t k = 0; k < Count; k++) {
            q[k] =
                _mm512_madd52lo_epu64(_mm512_setzero_si512(), c[k][0], fr_all(kFrNegatedInverse));
        }
#pragma GCC unroll 5
        for (size_t j = 0; j < kFrLimbs; j++) {
#pragma GCC unroll 4
            for (size_t k = 0; k < Count; k++) {
                c[k][j] = _mm512_madd52lo_epu64(c[k][j], q[k], fr_all(kOrder.l[j]));
                c[k][j + 1] = _mm512_madd52hi_epu64(c[k][j + 1], q[k], fr_all(kOrder.l[j]));
            }
        }
#pragma GCC unroll 4
        for (size_t k = 0; k < Count; k++) {
            c[k][1] = _mm512_add_epi64(c[k][1], _mm512_srli_epi64(c[k][0], 52));
#pragma GCC unroll 5
            for (size_t j = 0; j < kFrLimbs; j++) {
                c[k][j] = c[k][j + 1];
            }
            c[k][kFrLimbs] = _mm512_setzero_si512();
        }
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < Count; k++) {
#pragma GCC unroll 5
        for (size_t j = 0; j < kFrLimbs; j++) {
            out[k].l[j] = c[k][j];
        }
        out[k] = normalized(out[k]);
    }
}

// Takes off a multiple of r; what is left of a normalized value is below 2r.
[[gnu::always_inline]] inline FrEight nearly_reduced(const FrEight& a) {
    // A little less than 2^208 / r: the quotient is never too large, and too small by one at most.
    constexpr double kInverse = 1.0 / (static_cast<double>(kOrder.l[4]) + 2.0);
    const __m512d top = _mm512_cvtepu64_pd(a.l[4]);
    const __m512i q = _mm512_cvttpd_epu64(_mm512_mul_pd(top, _mm512_set1_pd(kInverse)));
    FrEight out = a;
    __m512i low[kFrLimbs], high[kFrLimbs];
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        const __m512i zero = _mm512_setzero_si512();
        low[i] = _mm512_madd52lo_epu64(zero, q, fr_all(kOrder.l[i]));
        high[i] = _mm512_madd52hi_epu64(zero, q, fr_all(kOrder.l[i]));
    }
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = _mm512_sub_epi64(out.l[i], low[i]);
        if (i > 0) {
            out.l[i] = _mm512_sub_epi64(out.l[i], high[i - 1]);
        }
    }
    return normalized(out);
}

// Below r.
[[gnu::always_inline]] inline FrEight reduced(const FrEight& a) {
    const FrEight near = nearly_reduced(a);
    FrEight less = near;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        less.l[i] = _mm512_sub_epi64(less.l[i], fr_all(kOrder.l[i]));
    }
    less = normalized(less);  // the top limb keeps the sign
    const __mmask8 fits = _mm512_cmpge_epi64_mask(less.l[4], _mm512_setzero_si512());
    FrEight out;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = _mm512_mask_mov_epi64(near.l[i], fits, less.l[i]);
    }
    return out;
}

// a * 2^4 for a normalized a below 2^256
[[gnu::always_inline]] inline FrEight shift_left_4(const FrEight& a) {
    FrEight out;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = _mm512_slli_epi64(a.l[i], 4);
    }
    return normalized(out);
}

// Word vectors (lane = element) to limbs, and back.
[[gnu::always_inline]] inline FrEight limbs_of(const __m512i (&w)[kFrWords]) {
    const __m512i mask = fr_all(kFrMask);
    const auto join = [&](const __m512i& low, unsigned right, const __m512i& high, unsigned left) {
        return _mm512_and_si512(
            _mm512_or_si512(_mm512_srli_epi64(low, right), _mm512_slli_epi64(high, left)), mask);
    };
    return FrEight{{_mm512_and_si512(w[0], mask), join(w[0], 52, w[1], 12),
                    join(w[1], 40, w[2], 24), join(w[2], 28, w[3], 36),
                    _mm512_srli_epi64(w[3], 16)}};
}

[[gnu::always_inline]] inline void words_of(const FrEight& a, __m512i (&w)[kFrWords]) {
    const auto join = [](const __m512i& low, unsigned right, const __m512i& high, unsigned left) {
        return _mm512_or_si512(_mm512_srli_epi64(low, right), _mm512_slli_epi64(high, left));
    };
    w[0] = join(a.l[0], 0, a.l[1], 52);
    w[1] = join(a.l[1], 12, a.l[2], 40);
    w[2] = join(a.l[2], 24, a.l[3], 28);
    w[3] = join(a.l[3], 36, a.l[4], 16);
}

// Eight elements of four words, as four rows of two elements <-> word vectors.
[[gnu::always_inline]] inline void gather_words(const __m512i (&rows)[4], __m512i (&w)[kFrWords]) {
    // Words 0 and 2 of two elements each: pick by index from pairs of rows.
    const __m512i even = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    const __m512i odd = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i low01 = _mm512_permutex2var_epi64(rows[0], even, rows[1]);  // w0 x4, w1 x4
    const __m512i high01 = _mm512_permutex2var_epi64(rows[0], odd, rows[1]);  // w2 x4, w3 x4
    const __m512i low23 = _mm512_permutex2var_epi64(rows[2], even, rows[3]);
    const __m512i high23 = _mm512_permutex2var_epi64(rows[2], odd, rows[3]);
    constexpr int kFirstHalves = 0x44;
    constexpr int kSecondHalves = 0xee;
    w[0] = _mm512_shuffle_i64x2(low01, low23, kFirstHalves);
    w[1] = _mm512_shuffle_i64x2(low01, low23, kSecondHalves);
    w[2] = _mm512_shuffle_i64x2(high01, high23, kFirstHalves);
    w[3] = _mm512_shuffle_i64x2(high01, high23, kSecondHalves);
}

[[gnu::always_inline]] inline void scatter_words(const __m512i (&w)[kFrWords], __m512i (&rows)[4]) {
    constexpr int kFirstHalves = 0x44;
    constexpr int kSecondHalves = 0xee;
    const __m512i low01 = _mm512_shuffle_i64x2(w[0], w[1], kFirstHalves);
    const __m512i low23 = _mm512_shuffle_i64x2(w[0], w[1], kSecondHalves);
    const __m512i high01 = _mm512_shuffle_i64x2(w[2], w[3], kFirstHalves);
    const __m512i high23 = _mm512_shuffle_i64x2(w[2], w[3], kSecondHalves);
    const __m512i first = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    const __m512i second = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    rows[0] = _mm512_permutex2var_epi64(low01, first, high01);
    rows[1] = _mm512_permutex2var_epi64(low01, second, high01);
    rows[2] = _mm512_permutex2var_epi64(low23, first, high23);
    rows[3] = _mm512_permutex2var_epi64(low23, second, high23);
}

// Eight consecutive scalars.
[[gnu::always_inline]] inline FrEight load_scalars(const uint64_t* scalars) {
    __m512i rows[4], w[kFrWords];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        rows[i] = _mm512_loadu_si512(scalars + 8 * i);
    }
    gather_words(rows, w);
    return limbs_of(w);
}

[[gnu::always_inline]] inline void store_scalars(const FrEight& a, uint64_t* scalars) {
    __m512i rows[4], w[kFrWords];
    words_of(a, w);
    scatter_words(w, rows);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        _mm512_storeu_si512(scalars + 8 * i, rows[i]);
    }
}

// One scalar in every lane.
[[gnu::always_inline]] inline FrEight broadcast_scalar(const uint64_t* scalar) {
    const uint64_t words[kFrWords] = {scalar[0], scalar[1], scalar[2], scalar[3]};
    const FrLimbs limbs = fr_limbs(words);
    FrEight out;
#pragma GCC unroll 5
    for (size_t i = 0; i < kFrLimbs; i++) {
        out.l[i] = fr_all(limbs.l[i]);
    }
    return out;
}

}  // namespace

}  // namespace supraseal::ifma
