// Eight rows of eight words, for the AVX-512 kernels alone.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace supraseal::ifma {

namespace {

// rows[i] word j <-> words[j] lane i. Its own inverse
[[gnu::always_inline]] inline void transpose(const __m512i (&in)[8], __m512i (&out)[8]) {
    __m512i low[4], high[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        low[i] = _mm512_unpacklo_epi64(in[2 * i], in[2 * i + 1]);
        high[i] = _mm512_unpackhi_epi64(in[2 * i], in[2 * i + 1]);
    }
    constexpr int kEven = 0x88;
    constexpr int kOdd = 0xdd;
    const auto quarter = [&](const __m512i(&t)[4], __m512i& w0, __m512i& w2, __m512i& w4,
                             __m512i& w6) {
        const __m512i even01 = _mm512_shuffle_i64x2(t[0], t[1], kEven);
        const __m512i odd01 = _mm512_shuffle_i64x2(t[0], t[1], kOdd);
        const __m512i even23 = _mm512_shuffle_i64x2(t[2], t[3], kEven);
        const __m512i odd23 = _mm512_shuffle_i64x2(t[2], t[3], kOdd);
        w0 = _mm512_shuffle_i64x2(even01, even23, kEven);
        w4 = _mm512_shuffle_i64x2(even01, even23, kOdd);
        w2 = _mm512_shuffle_i64x2(odd01, odd23, kEven);
        w6 = _mm512_shuffle_i64x2(odd01, odd23, kOdd);
    };
    quarter(low, out[0], out[2], out[4], out[6]);
    quarter(high, out[1], out[3], out[5], out[7]);
}

}  // namespace

}  // namespace supraseal::ifma
