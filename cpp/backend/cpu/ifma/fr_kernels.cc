#include "backend/cpu/ifma/fr_kernels.h"

#if defined(__AVX512IFMA__)

#include "backend/cpu/ifma/fr_lanes.h"
#include "backend/cpu/ifma/transpose.h"

namespace supraseal::ifma {

namespace {

// Values are below bound * r; a butterfly's difference must stay below 2^260 > 35r.
constexpr size_t kLargestBound = 16;
constexpr FrLimbs kBias[] = {times_order(1), times_order(2), times_order(4), times_order(8),
                             times_order(16)};

const FrLimbs& bias_of(size_t bound) {
    return kBias[__builtin_ctzll(bound)];
}

struct Forward {
    // Every level adds 2r at most, so that kMostLevels of them stay below 2^260.
    static const uint64_t* twiddle(const Twiddles& twiddles, size_t node) {
        return twiddles.by_node + kFrWords * node;
    }
    static size_t next_bound(size_t bound) { return bound; }

    template <size_t Count>
    [[gnu::always_inline]] static void butterflies(FrEight* const (&low)[Count],
                                                   FrEight* const (&high)[Count],
                                                   const FrEight* const (&twiddle)[Count],
                                                   size_t /*bound*/) {
        FrEight factor[Count], product[Count];
#pragma GCC unroll 2
        for (size_t k = 0; k < Count; k++) {
            factor[k] = normalized(*high[k]);
        }
        products(factor, twiddle, product);
#pragma GCC unroll 2
        for (size_t k = 0; k < Count; k++) {
            *high[k] = subtract(*low[k], product[k], kBias[1]);
            *low[k] = add(*low[k], product[k]);
        }
    }
};

struct Backward {
    // Minus the inverse of the node's twiddle: see ntt/roots.h.
    static const uint64_t* twiddle(const Twiddles& twiddles, size_t node) {
        if (node == 0) {
            return twiddles.minus_one;
        }
        const size_t level = size_t{1} << (63 - __builtin_clzll(node));
        return twiddles.by_node + kFrWords * (3 * level - 1 - node);
    }
    static size_t next_bound(size_t bound) { return bound == kLargestBound ? 2 : 2 * bound; }

    template <size_t Count>
    [[gnu::always_inline]] static void butterflies(FrEight* const (&low)[Count],
                                                   FrEight* const (&high)[Count],
                                                   const FrEight* const (&twiddle)[Count],
                                                   size_t bound) {
        FrEight factor[Count], product[Count];
        const FrLimbs& bias = bias_of(bound);
#pragma GCC unroll 2
        for (size_t k = 0; k < Count; k++) {
            factor[k] = normalized(subtract(*high[k], *low[k], bias));
            *low[k] = add(*low[k], *high[k]);
            if (bound == kLargestBound) {
                *low[k] = nearly_reduced(normalized(*low[k]));
            }
        }
        products(factor, twiddle, product);
#pragma GCC unroll 2
        for (size_t k = 0; k < Count; k++) {
            *high[k] = product[k];
        }
    }
};

// One level of `blocks` nodes over `rows` vectors times `width`.
template <class Direction>
void level(FrEight* values, size_t rows, size_t width, size_t blocks, size_t node,
           const Twiddles& twiddles, size_t bound) {
    const size_t half = rows / blocks / 2 * width;
    for (size_t k = 0; k < blocks; k++) {
        FrEight* low = values + k * 2 * half;
        FrEight* high = low + half;
        const FrEight twiddle = broadcast_scalar(Direction::twiddle(twiddles, node * blocks + k));
        size_t i = 0;
        for (; i + 2 <= half; i += 2) {
            Direction::template butterflies<2>({low + i, low + i + 1}, {high + i, high + i + 1},
                                               {&twiddle, &twiddle}, bound);
        }
        for (; i < half; i++) {
            Direction::template butterflies<1>({low + i}, {high + i}, {&twiddle}, bound);
        }
    }
}

// The twiddles of nodes first, first + step, ... in the lanes.
template <class Direction>
FrEight twiddles_at(const Twiddles& twiddles, size_t first, size_t step) {
    __m512i rows[4], w[kFrWords];
    for (size_t i = 0; i < 4; i++) {
        const auto at = [&](size_t lane) {
            return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(
                Direction::twiddle(twiddles, first + lane * step)));
        };
        rows[i] = _mm512_inserti64x4(_mm512_castsi256_si512(at(2 * i)), at(2 * i + 1), 1);
    }
    gather_words(rows, w);
    return limbs_of(w);
}

// A level inside eight blocks of eight values, one block a lane. `node` is the first block's.
template <class Direction, size_t Distance>
void lane_level(FrEight (&values)[8], size_t node, const Twiddles& twiddles, size_t bound) {
    constexpr size_t kNodes = 4 / Distance;
    for (size_t s = 0; s < kNodes; s++) {
        const FrEight twiddle = twiddles_at<Direction>(twiddles, kNodes * node + s, kNodes);
        FrEight* low = values + 2 * Distance * s;
        FrEight* high = low + Distance;
        if constexpr (Distance == 1) {
            Direction::template butterflies<1>({low}, {high}, {&twiddle}, bound);
        } else {
            for (size_t i = 0; i < Distance; i += 2) {
                Direction::template butterflies<2>({low + i, low + i + 1}, {high + i, high + i + 1},
                                                   {&twiddle, &twiddle}, bound);
            }
        }
    }
}

// Lane i of vector j <-> lane j of vector i.
void transpose_values(const FrEight* in, FrEight* out) {
    for (size_t limb = 0; limb < kFrLimbs; limb++) {
        __m512i rows[8], columns[8];
        for (size_t i = 0; i < 8; i++) {
            rows[i] = in[i].l[limb];
        }
        transpose(rows, columns);
        for (size_t i = 0; i < 8; i++) {
            out[i].l[limb] = columns[i];
        }
    }
}

// 64 consecutive scalars, value j of block i in lane i of vector j.
void load_blocks(const uint64_t* scalars, FrEight (&values)[8]) {
    for (size_t pair = 0; pair < 4; pair++) {
        __m512i rows[8], w[8];
        for (size_t i = 0; i < 8; i++) {
            rows[i] = _mm512_loadu_si512(scalars + kFrWords * (8 * i + 2 * pair));
        }
        transpose(rows, w);
        const __m512i first[kFrWords] = {w[0], w[1], w[2], w[3]};
        const __m512i second[kFrWords] = {w[4], w[5], w[6], w[7]};
        values[2 * pair] = limbs_of(first);
        values[2 * pair + 1] = limbs_of(second);
    }
}

void store_blocks(const FrEight (&values)[8], uint64_t* scalars) {
    for (size_t pair = 0; pair < 4; pair++) {
        __m512i first[kFrWords], second[kFrWords], rows[8];
        words_of(reduced(normalized(values[2 * pair])), first);
        words_of(reduced(normalized(values[2 * pair + 1])), second);
        const __m512i w[8] = {first[0],  first[1],  first[2],  first[3],
                              second[0], second[1], second[2], second[3]};
        transpose(w, rows);
        for (size_t i = 0; i < 8; i++) {
            _mm512_storeu_si512(scalars + kFrWords * (8 * i + 2 * pair), rows[i]);
        }
    }
}

void load_strip(FrEight* local, const uint64_t* values, size_t rows, size_t stride) {
    for (size_t row = 0; row < rows; row++) {
        local[2 * row] = load_scalars(values + row * stride);
        local[2 * row + 1] = load_scalars(values + row * stride + 8 * kFrWords);
    }
}

void store_strip(const FrEight* local, uint64_t* values, size_t rows, size_t stride) {
    for (size_t row = 0; row < rows; row++) {
        store_scalars(reduced(normalized(local[2 * row])), values + row * stride);
        store_scalars(reduced(normalized(local[2 * row + 1])),
                      values + row * stride + 8 * kFrWords);
    }
}

}  // namespace

void fr_forward_row(uint64_t* values, size_t count, size_t node, const Twiddles& twiddles,
                    uint64_t* scratch) {
    auto* local = reinterpret_cast<FrEight*>(scratch);
    const size_t vectors = count / 8;
    for (size_t i = 0; i < vectors; i++) {
        local[i] = load_scalars(values + 8 * kFrWords * i);
    }
    for (size_t blocks = 1; blocks < vectors; blocks *= 2) {
        level<Forward>(local, vectors, 1, blocks, node, twiddles, 1);
    }
    for (size_t i = 0; i < vectors; i += 8) {
        FrEight block[8];
        transpose_values(local + i, block);
        const size_t first = node * vectors + i;
        lane_level<Forward, 4>(block, first, twiddles, 1);
        lane_level<Forward, 2>(block, first, twiddles, 1);
        lane_level<Forward, 1>(block, first, twiddles, 1);
        store_blocks(block, values + 8 * kFrWords * i);
    }
}

void fr_backward_row(uint64_t* values, size_t count, size_t node, const Twiddles& twiddles,
                     uint64_t* scratch) {
    auto* local = reinterpret_cast<FrEight*>(scratch);
    const size_t vectors = count / 8;
    size_t bound = 1;
    for (size_t i = 0; i < vectors; i += 8) {
        FrEight block[8];
        load_blocks(values + 8 * kFrWords * i, block);
        const size_t first = node * vectors + i;
        lane_level<Backward, 1>(block, first, twiddles, 1);
        lane_level<Backward, 2>(block, first, twiddles, 2);
        lane_level<Backward, 4>(block, first, twiddles, 4);
        bound = 8;
        transpose_values(block, local + i);
    }
    for (size_t blocks = vectors / 2; blocks > 0; blocks /= 2) {
        level<Backward>(local, vectors, 1, blocks, node, twiddles, bound);
        bound = Backward::next_bound(bound);
    }
    for (size_t i = 0; i < vectors; i++) {
        store_scalars(reduced(normalized(local[i])), values + 8 * kFrWords * i);
    }
}

void fr_forward_strip(uint64_t* values, size_t rows, size_t stride, size_t node,
                      const Twiddles& twiddles, uint64_t* scratch) {
    auto* local = reinterpret_cast<FrEight*>(scratch);
    load_strip(local, values, rows, stride);
    for (size_t blocks = 1; blocks < rows; blocks *= 2) {
        level<Forward>(local, rows, 2, blocks, node, twiddles, 1);
    }
    store_strip(local, values, rows, stride);
}

void fr_backward_strip(uint64_t* values, size_t rows, size_t stride, size_t node,
                       const Twiddles& twiddles, uint64_t* scratch) {
    auto* local = reinterpret_cast<FrEight*>(scratch);
    load_strip(local, values, rows, stride);
    size_t bound = 1;
    for (size_t blocks = rows / 2; blocks > 0; blocks /= 2) {
        level<Backward>(local, rows, 2, blocks, node, twiddles, bound);
        bound = Backward::next_bound(bound);
    }
    store_strip(local, values, rows, stride);
}

void fr_multiply(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t count) {
    for (size_t i = 0; i < count * kFrWords; i += 8 * kFrWords) {
        const FrEight left[1] = {shift_left_4(load_scalars(a + i))};
        const FrEight right = load_scalars(b + i);
        FrEight product[1];
        products<1>(left, {&right}, product);
        store_scalars(reduced(product[0]), out + i);
    }
}

void fr_scale(uint64_t* values, const uint64_t* lifted_factor, size_t count) {
    const FrEight factor = broadcast_scalar(lifted_factor);
    for (size_t i = 0; i < count * kFrWords; i += 8 * kFrWords) {
        const FrEight left[1] = {load_scalars(values + i)};
        FrEight product[1];
        products<1>(left, {&factor}, product);
        store_scalars(reduced(product[0]), values + i);
    }
}

void fr_scaled_difference(uint64_t* out, const uint64_t* a, const uint64_t* b,
                          const uint64_t* lifted_factor, size_t count) {
    const FrEight factor = broadcast_scalar(lifted_factor);
    for (size_t i = 0; i < count * kFrWords; i += 8 * kFrWords) {
        const FrEight left[1] = {
            normalized(subtract(load_scalars(a + i), load_scalars(b + i), kBias[0]))};
        FrEight product[1];
        products<1>(left, {&factor}, product);
        store_scalars(reduced(product[0]), out + i);
    }
}

bool fr_products_equal(const uint64_t* a, const uint64_t* b, const uint64_t* c, size_t count) {
    __mmask8 equal = 0xff;
    for (size_t i = 0; i < count * kFrWords; i += 8 * kFrWords) {
        const FrEight left[1] = {shift_left_4(load_scalars(a + i))};
        const FrEight right = load_scalars(b + i);
        FrEight product[1];
        products<1>(left, {&right}, product);
        const FrEight got = reduced(product[0]);
        const FrEight wanted = load_scalars(c + i);
        for (size_t limb = 0; limb < kFrLimbs; limb++) {
            equal &= _mm512_cmpeq_epi64_mask(got.l[limb], wanted.l[limb]);
        }
    }
    return equal == 0xff;
}

}  // namespace supraseal::ifma

#endif
