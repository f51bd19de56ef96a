#include "backend/cpu/ifma/kernels.h"

#if defined(__AVX512IFMA__)

#include "backend/cpu/ifma/lanes.h"

namespace supraseal::ifma {

namespace {

// Two times eight elements of Fp (sixteen additions in G1), or eight of Fp2 as c0 and c1 (eight in
// G2): either way two independent rows of work.
struct Two {
    Eight h[2];
};

enum Coordinate : size_t { X = 0, Y = 1 };

template <bool Quadratic>
struct Field {
    static constexpr size_t kLanes = Quadratic ? kFp2Lanes : kFpLanes;
    static constexpr size_t kValueWords = Quadratic ? 2 * kWords : kWords;
    static constexpr uint32_t kAllLanes = (1U << kLanes) - 1;

    // Where half h of a coordinate lies behind its point's or value's address.
    static constexpr size_t offset(Coordinate coordinate, size_t h) {
        return coordinate * kValueWords + (Quadratic ? h * kWords : 0);
    }
    static __mmask8 mask(uint32_t lanes, size_t h) {
        return static_cast<__mmask8>(Quadratic ? lanes : lanes >> (8 * h));
    }
    static uint32_t lanes(__mmask8 first, __mmask8 second) {
        return Quadratic ? static_cast<uint32_t>(first & second)
                         : static_cast<uint32_t>(first | second << 8);
    }
};

// The addresses of a step's operands.
template <bool Quadratic, class Word>
struct Rows {
    Word* at[2][8];

    template <class AddressOf>
    explicit Rows(const AddressOf& address_of) {
        for (size_t h = 0; h < 2; h++) {
            for (size_t i = 0; i < 8; i++) {
                at[h][i] = address_of(Quadratic ? i : 8 * h + i);
            }
        }
    }
};

template <bool Quadratic>
struct Operands {
    Rows<Quadratic, const uint64_t> rows;
    uint32_t negative = 0;

    template <class TaggedAt>
    explicit Operands(const TaggedAt& tagged_at)
        : rows([&](size_t i) {
              return reinterpret_cast<const uint64_t*>(tagged_at(i) & ~uintptr_t{1});
          }) {
        for (size_t i = 0; i < Field<Quadratic>::kLanes; i++) {
            negative |= static_cast<uint32_t>(tagged_at(i) & 1) << i;
        }
    }
};

template <bool Quadratic>
Two load(const Rows<Quadratic, const uint64_t>& rows, Coordinate coordinate) {
    Two out;
    for (size_t h = 0; h < 2; h++) {
        out.h[h] = load(rows.at[h], Field<Quadratic>::offset(coordinate, h));
    }
    return out;
}

template <bool Quadratic>
void store(const Two& value, const Rows<Quadratic, uint64_t>& rows, Coordinate coordinate) {
    for (size_t h = 0; h < 2; h++) {
        store(value.h[h], rows.at[h], Field<Quadratic>::offset(coordinate, h));
    }
}

template <bool Quadratic>
Two signed_y(const Operands<Quadratic>& operands) {
    Two y = load<Quadratic>(operands.rows, Y);
    for (size_t h = 0; h < 2; h++) {
        y.h[h] = negate_if(y.h[h], Field<Quadratic>::mask(operands.negative, h));
    }
    return y;
}

// a - b + p
Two subtract(const Two& a, const Two& b) {
    return Two{{subtract<1>(a.h[0], b.h[0]), subtract<1>(a.h[1], b.h[1])}};
}

Two canonical(const Two& a) {
    return Two{{canonical(a.h[0]), canonical(a.h[1])}};
}

// Products are kept out of line: one copy stays in the decoded-instruction cache.
[[gnu::noinline]] void multiply_halves(const Two& a, const Two& b, Two& out) {
    const Eight* left[2][1] = {{&a.h[0]}, {&a.h[1]}};
    const Eight* right[2][1] = {{&b.h[0]}, {&b.h[1]}};
    dot_products<1>(left, right, out.h);
}

[[gnu::noinline]] void multiply_quadratic(const Two& a, const Two& b, Two& out) {
    Eight zero;
    for (__m512i& limb : zero.l) {
        limb = _mm512_setzero_si512();
    }
    const Eight minus_b1 = subtract<2>(zero, b.h[1]);
    const Eight* left[2][2] = {{&a.h[0], &a.h[1]}, {&a.h[0], &a.h[1]}};
    const Eight* right[2][2] = {{&b.h[0], &minus_b1}, {&b.h[1], &b.h[0]}};
    dot_products<2>(left, right, out.h);
}

// Every product carries a factor 2^-32, for each of its factors that comes from memory times 2^384.
template <bool Quadratic>
Two multiply(const Two& a, const Two& b) {
    Two out;
    if constexpr (Quadratic) {
        multiply_quadratic(a, b, out);
    } else {
        multiply_halves(a, b, out);
    }
    return out;
}

template <bool Quadratic>
Two square(const Two& a) {
    if constexpr (!Quadratic) {
        return multiply<false>(a, a);
    } else {
        // (a0 + a1)(a0 - a1) + 2*a0*a1*u
        Two left;
        for (size_t i = 0; i < kLimbs; i++) {
            left.h[0].l[i] = _mm512_add_epi64(a.h[0].l[i], a.h[1].l[i]);
            left.h[1].l[i] = _mm512_add_epi64(a.h[0].l[i], a.h[0].l[i]);
        }
        normalize(left.h[0]);
        normalize(left.h[1]);
        const Two right{{subtract<2>(a.h[0], a.h[1]), a.h[1]}};
        return multiply<false>(left, right);
    }
}

template <bool Quadratic>
Two one() {
    Two out;
    for (size_t h = 0; h < 2; h++) {
        set_one(out.h[h], 0xff, h == 0 || !Quadratic);
    }
    return out;
}

// Lanes whose sum has no slope of this form: equal x, or an operand whose x is zero, as that of the
// point at infinity is.
template <bool Quadratic>
uint32_t find_special(const Two& x1, const Two& x2) {
    __m512i apart[2], first[2], second[2];
    for (size_t h = 0; h < 2; h++) {
        apart[h] = any_difference(x1.h[h], x2.h[h]);
        first[h] = any_bit(x1.h[h]);
        second[h] = any_bit(x2.h[h]);
    }
    const __m512i zero = _mm512_setzero_si512();
    const auto lanes_zero = [&](const __m512i(&bits)[2]) {
        return Field<Quadratic>::lanes(_mm512_cmpeq_epi64_mask(bits[0], zero),
                                       _mm512_cmpeq_epi64_mask(bits[1], zero));
    };
    return lanes_zero(apart) | lanes_zero(first) | lanes_zero(second);
}

// Special lanes must not make the common product zero.
template <bool Quadratic>
Two difference(const Two& x1, const Two& x2, uint32_t special) {
    Two out = subtract(x2, x1);
    if (special != 0) {
        for (size_t h = 0; h < 2; h++) {
            set_one(out.h[h], Field<Quadratic>::mask(special, h), h == 0 || !Quadratic);
        }
    }
    return out;
}

void keep(const Two& value, uint64_t* words) {
    for (size_t h = 0; h < 2; h++) {
        for (size_t i = 0; i < kLimbs; i++) {
            _mm512_store_si512(words + 8 * (kLimbs * h + i), value.h[h].l[i]);
        }
    }
}

Two kept_value(const uint64_t* words) {
    Two out;
    for (size_t h = 0; h < 2; h++) {
        for (size_t i = 0; i < kLimbs; i++) {
            out.h[h].l[i] = _mm512_load_si512(words + 8 * (kLimbs * h + i));
        }
    }
    return out;
}

// The operands of sums further on: first touched here, at random places of a large array.
void prefetch(const RawSum* sums, size_t count) {
    for (size_t i = 0; i < count; i++) {
        _mm_prefetch(reinterpret_cast<const char*>(sums[i].left), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(sums[i].right), _MM_HINT_T0);
    }
}

template <bool Quadratic>
void forward(const RawSum* sums, size_t steps, uint64_t* kept, uint32_t* special,
             uint64_t* products) {
    constexpr size_t lanes = Field<Quadratic>::kLanes;
    Two product = one<Quadratic>();
    for (size_t step = 0; step < steps; step++, sums += lanes) {
        if (step + 1 < steps) {
            prefetch(sums + lanes, lanes);
        }
        const Operands<Quadratic> left([&](size_t i) { return sums[i].left; });
        const Operands<Quadratic> right([&](size_t i) { return sums[i].right; });
        const Two x1 = load<Quadratic>(left.rows, X);
        const Two x2 = load<Quadratic>(right.rows, X);
        special[step] = find_special<Quadratic>(x1, x2);
        keep(product, kept + step * kStepWords);
        product = multiply<Quadratic>(product, difference<Quadratic>(x1, x2, special[step]));
    }
    const Rows<Quadratic, uint64_t> rows(
        [&](size_t i) { return products + i * Field<Quadratic>::kValueWords; });
    store<Quadratic>(canonical(product), rows, X);
}

// With d the differences, P their running products and I the running inverse, I*P stays the same
// from step to step whatever factor each product brings; the caller makes it 2^816. The slope then
// comes out as 2^16 times what memory holds: its square is right as it is, and the other product it
// enters is made right by a shift.
template <bool Quadratic>
void backward(const RawSum* sums, size_t steps, const uint64_t* kept, const uint32_t* special,
              const uint64_t* inverses) {
    constexpr size_t lanes = Field<Quadratic>::kLanes;
    const Rows<Quadratic, const uint64_t> inverse_rows(
        [&](size_t i) { return inverses + i * Field<Quadratic>::kValueWords; });
    Two inverse = load<Quadratic>(inverse_rows, X);
    for (size_t step = steps; step-- > 0;) {
        const RawSum* step_sums = sums + step * lanes;
        const Operands<Quadratic> left([&](size_t i) { return step_sums[i].left; });
        const Operands<Quadratic> right([&](size_t i) { return step_sums[i].right; });
        const Two x1 = load<Quadratic>(left.rows, X);
        const Two x2 = load<Quadratic>(right.rows, X);
        const Two own_inverse = multiply<Quadratic>(inverse, kept_value(kept + step * kStepWords));
        inverse = multiply<Quadratic>(inverse, difference<Quadratic>(x1, x2, special[step]));
        const Two y1 = signed_y<Quadratic>(left);
        const Two slope =
            multiply<Quadratic>(subtract(signed_y<Quadratic>(right), y1), own_inverse);
        const Two x3 = canonical(subtract(subtract(square<Quadratic>(slope), x1), x2));
        const Two shifted{{shift_left_16(slope.h[0]), shift_left_16(slope.h[1])}};
        const Two y3 = canonical(subtract(multiply<Quadratic>(shifted, subtract(x1, x3)), y1));
        const Rows<Quadratic, uint64_t> out([&](size_t i) { return step_sums[i].out; });
        store<Quadratic>(x3, out, X);
        store<Quadratic>(y3, out, Y);
    }
}

}  // namespace

void fp_forward(const RawSum* sums, size_t steps, uint64_t* kept, uint32_t* special,
                uint64_t* products) {
    forward<false>(sums, steps, kept, special, products);
}

void fp2_forward(const RawSum* sums, size_t steps, uint64_t* kept, uint32_t* special,
                 uint64_t* products) {
    forward<true>(sums, steps, kept, special, products);
}

void fp_backward(const RawSum* sums, size_t steps, const uint64_t* kept, const uint32_t* special,
                 const uint64_t* inverses) {
    backward<false>(sums, steps, kept, special, inverses);
}

void fp2_backward(const RawSum* sums, size_t steps, const uint64_t* kept, const uint32_t* special,
                  const uint64_t* inverses) {
    backward<true>(sums, steps, kept, special, inverses);
}

}  // namespace supraseal::ifma

#endif
