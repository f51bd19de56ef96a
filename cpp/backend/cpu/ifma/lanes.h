// Eight field elements side by side in 52-bit limbs, for kernels.cc alone.
//
// Memory holds blst's form, x * 2^384; the multiplication here divides by 2^416, the power its
// eight limbs give. Rather than convert every point both ways, the kernels let the factor 2^-32 of
// each product run along and settle it where it costs nothing (kernels.cc says where).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "backend/cpu/ifma/transpose.h"

namespace supraseal::ifma {

namespace {

constexpr size_t kLimbs = 8;
constexpr size_t kWords = 6;
constexpr uint64_t kMask = (uint64_t{1} << 52) - 1;

struct Limbs {
    uint64_t l[kLimbs];
};

// k * p in 52-bit limbs.
constexpr Limbs times_modulus(uint64_t k) {
    constexpr uint64_t p[kWords] = {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                    0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};
    Limbs out{};
    uint64_t carry = 0;
    for (size_t i = 0; i < kLimbs; i++) {
        const size_t bit = 52 * i;
        uint64_t limb = p[bit / 64] >> (bit % 64);
        if (bit % 64 > 12 && bit / 64 + 1 < kWords) {
            limb |= p[bit / 64 + 1] << (64 - bit % 64);
        }
        const uint64_t product = (limb & kMask) * k + carry;
        out.l[i] = product & kMask;
        carry = product >> 52;
    }
    return out;
}

constexpr Limbs kModulus = times_modulus(1);
constexpr uint64_t kNegatedInverse = 0x3fffcfffcfffd;  // -1/p mod 2^52

[[gnu::always_inline]] inline __m512i all(uint64_t value) {
    return _mm512_set1_epi64(static_cast<int64_t>(value));
}

// Unsigned, below 2^52 in every limb unless said otherwise. Values may exceed p.
struct Eight {
    __m512i l[kLimbs];
};

// Carries signed limbs upwards; the whole must not be negative.
[[gnu::always_inline]] inline void normalize(Eight& a) {
    const __m512i mask = all(kMask);
#pragma GCC unroll 8
    for (size_t i = 0; i + 1 < kLimbs; i++) {
        a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
        a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
}

// a - b + K*p
template <uint64_t K>
[[gnu::always_inline]] inline Eight subtract(const Eight& a, const Eight& b) {
    constexpr Limbs bias = times_modulus(K);
    Eight out;
#pragma GCC unroll 8
    for (size_t i = 0; i < kLimbs; i++) {
        out.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], all(bias.l[i])), b.l[i]);
    }
    normalize(out);
    return out;
}

// p - a in the lanes of `negative`, for a <= p
[[gnu::always_inline]] inline Eight negate_if(const Eight& a, __mmask8 negative) {
    Eight out;
#pragma GCC unroll 8
    for (size_t i = 0; i < kLimbs; i++) {
        out.l[i] = _mm512_mask_sub_epi64(a.l[i], negative, all(kModulus.l[i]), a.l[i]);
    }
    normalize(out);
    return out;
}

// a * 2^16, below 2^416 for a below 2^400
[[gnu::always_inline]] inline Eight shift_left_16(const Eight& a) {
    const __m512i mask = all(kMask);
    Eight out;
    out.l[0] = _mm512_and_si512(_mm512_slli_epi64(a.l[0], 16), mask);
#pragma GCC unroll 8
    for (size_t i = 1; i < kLimbs; i++) {
        const __m512i high = _mm512_and_si512(_mm512_slli_epi64(a.l[i], 16), mask);
        out.l[i] = _mm512_or_si512(high, _mm512_srli_epi64(a.l[i - 1], 36));
    }
    return out;
}

// Two independent sums of products, each divided by 2^416 (Montgomery), interleaved because one
// alone would wait for its own carries. Results are below p + sum(a*b) / 2^416.
template <size_t Terms>
[[gnu::always_inline]] inline void dot_products(const Eight* const (&a)[2][Terms],
                                                const Eight* const (&b)[2][Terms],
                                                Eight (&out)[2]) {
    __m512i c[2][kLimbs + 1];
#pragma GCC unroll 2
    for (size_t k = 0; k < 2; k++) {
#pragma GCC unroll 9
        for (size_t j = 0; j <= kLimbs; j++) {
            c[k][j] = _mm512_setzero_si512();
        }
    }
// Rolled on purpose: the accumulators and the modulus then stay in registers, where the unrolled
// loop spills them.
#pragma GCC unroll 1
    for (size_t i = 0; i < kLimbs; i++) {
#pragma GCC unroll 2
        for (size_t term = 0; term < Terms; term++) {
#pragma GCC unroll 8
            for (size_t j = 0; j < kLimbs; j++) {
#pragma GCC unroll 2
                for (size_t k = 0; k < 2; k++) {
                    c[k][j] = _mm512_madd52lo_epu64(c[k][j], a[k][term]->l[i], b[k][term]->l[j]);
                }
            }
#pragma GCC unroll 8
            for (size_t j = 0; j < kLimbs; j++) {
#pragma GCC unroll 2
                for (size_t k = 0; k < 2; k++) {
                    c[k][j + 1] =
                        _mm512_madd52hi_epu64(c[k][j + 1], a[k][term]->l[i], b[k][term]->l[j]);
                }
            }
        }
        __m512i q[2];
#pragma GCC unroll 2
        for (size_t k = 0; k < 2; k++) {
            q[k] = _mm512_madd52lo_epu64(_mm512_setzero_si512(), c[k][0], all(kNegatedInverse));
        }
#pragma GCC unroll 8
        for (size_t j = 0; j < kLimbs; j++) {
#pragma GCC unroll 2
            for (size_t k = 0; k < 2; k++) {
                c[k][j] = _mm512_madd52lo_epu64(c[k][j], q[k], all(kModulus.l[j]));
                c[k][j + 1] = _mm512_madd52hi_epu64(c[k][j + 1], q[k], all(kModulus.l[j]));
            }
        }
#pragma GCC unroll 2
        for (size_t k = 0; k < 2; k++) {
            c[k][1] = _mm512_add_epi64(c[k][1], _mm512_srli_epi64(c[k][0], 52));
#pragma GCC unroll 8
            for (size_t j = 0; j < kLimbs; j++) {
                c[k][j] = c[k][j + 1];
            }
            c[k][kLimbs] = _mm512_setzero_si512();
        }
    }
#pragma GCC unroll 2
    for (size_t k = 0; k < 2; k++) {
#pragma GCC unroll 8
        for (size_t j = 0; j < kLimbs; j++) {
            out[k].l[j] = c[k][j];
        }
        normalize(out[k]);
    }
}

// The residue below p of a value below 4p.
[[gnu::always_inline]] inline Eight canonical(Eight a) {
    constexpr Limbs p1 = times_modulus(1);
    constexpr Limbs p2 = times_modulus(2);
    constexpr Limbs p3 = times_modulus(3);
    // Comparing top limbs takes off too little by p at most, and that only where they are equal to
    // a multiple's: once in 2^17 values.
    const __mmask8 above1 = _mm512_cmpgt_epu64_mask(a.l[7], all(p1.l[7]));
    const __mmask8 above2 = _mm512_cmpgt_epu64_mask(a.l[7], all(p2.l[7]));
    const __mmask8 above3 = _mm512_cmpgt_epu64_mask(a.l[7], all(p3.l[7]));
#pragma GCC unroll 8
    for (size_t i = 0; i < kLimbs; i++) {
        __m512i multiple = _mm512_maskz_mov_epi64(above1, all(p1.l[i]));
        multiple = _mm512_mask_mov_epi64(multiple, above2, all(p2.l[i]));
        multiple = _mm512_mask_mov_epi64(multiple, above3, all(p3.l[i]));
        a.l[i] = _mm512_sub_epi64(a.l[i], multiple);
    }
    normalize(a);
    const __mmask8 doubtful = _mm512_cmpge_epu64_mask(a.l[7], all(p1.l[7]));
    if (__builtin_expect(doubtful != 0, 0)) {
        Eight less = a;
#pragma GCC unroll 8
        for (size_t i = 0; i < kLimbs; i++) {
            less.l[i] = _mm512_sub_epi64(less.l[i], all(p1.l[i]));
        }
        normalize(less);  // the top limb keeps the sign
        const __mmask8 fits = _mm512_cmpge_epi64_mask(less.l[7], _mm512_setzero_si512());
#pragma GCC unroll 8
        for (size_t i = 0; i < kLimbs; i++) {
            a.l[i] = _mm512_mask_mov_epi64(a.l[i], fits, less.l[i]);
        }
    }
    return a;
}

constexpr __mmask8 kWordMask = (1 << kWords) - 1;

// Six words at rows[i] + offset, for each lane i.
[[gnu::always_inline]] inline Eight load(const uint64_t* const (&rows)[8], size_t offset) {
    __m512i in[8], w[8];
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++) {
        in[i] = _mm512_maskz_loadu_epi64(kWordMask, rows[i] + offset);
    }
    transpose(in, w);
    const __m512i mask = all(kMask);
    const auto limb = [&](const __m512i& low, int right, const __m512i& high, int left) {
        const __m512i joined =
            _mm512_or_si512(_mm512_srli_epi64(low, static_cast<unsigned>(right)),
                            _mm512_slli_epi64(high, static_cast<unsigned>(left)));
        return _mm512_and_si512(joined, mask);
    };
    Eight out;
    out.l[0] = _mm512_and_si512(w[0], mask);
    out.l[1] = limb(w[0], 52, w[1], 12);
    out.l[2] = limb(w[1], 40, w[2], 24);
    out.l[3] = limb(w[2], 28, w[3], 36);
    out.l[4] = limb(w[3], 16, w[4], 48);
    out.l[5] = _mm512_and_si512(_mm512_srli_epi64(w[4], 4), mask);
    out.l[6] = limb(w[4], 56, w[5], 8);
    out.l[7] = _mm512_srli_epi64(w[5], 44);
    return out;
}

[[gnu::always_inline]] inline void store(const Eight& a, uint64_t* const (&rows)[8],
                                         size_t offset) {
    __m512i w[8], out[8];
    const auto join = [](const __m512i& low, int right, const __m512i& high, int left) {
        return _mm512_or_si512(_mm512_srli_epi64(low, static_cast<unsigned>(right)),
                               _mm512_slli_epi64(high, static_cast<unsigned>(left)));
    };
    w[0] = join(a.l[0], 0, a.l[1], 52);
    w[1] = join(a.l[1], 12, a.l[2], 40);
    w[2] = join(a.l[2], 24, a.l[3], 28);
    w[3] = join(a.l[3], 36, a.l[4], 16);
    w[4] = _mm512_or_si512(join(a.l[4], 48, a.l[5], 4), _mm512_slli_epi64(a.l[6], 56));
    w[5] = join(a.l[6], 8, a.l[7], 44);
    w[6] = _mm512_setzero_si512();
    w[7] = _mm512_setzero_si512();
    transpose(w, out);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++) {
        _mm512_mask_storeu_epi64(rows[i] + offset, kWordMask, out[i]);
    }
}

[[gnu::always_inline]] inline __m512i any_bit(const Eight& a) {
    __m512i bits = a.l[0];
#pragma GCC unroll 8
    for (size_t i = 1; i < kLimbs; i++) {
        bits = _mm512_or_si512(bits, a.l[i]);
    }
    return bits;
}

[[gnu::always_inline]] inline __m512i any_difference(const Eight& a, const Eight& b) {
    __m512i bits = _mm512_xor_si512(a.l[0], b.l[0]);
#pragma GCC unroll 8
    for (size_t i = 1; i < kLimbs; i++) {
        bits = _mm512_or_si512(bits, _mm512_xor_si512(a.l[i], b.l[i]));
    }
    return bits;
}

// 1 in the lanes of `which`
[[gnu::always_inline]] inline void set_one(Eight& a, __mmask8 which, bool one) {
    a.l[0] = _mm512_mask_mov_epi64(a.l[0], which, all(one ? 1 : 0));
#pragma GCC unroll 8
    for (size_t i = 1; i < kLimbs; i++) {
        a.l[i] = _mm512_mask_mov_epi64(a.l[i], which, _mm512_setzero_si512());
    }
}

}  // namespace

}  // namespace supraseal::ifma
