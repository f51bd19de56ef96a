#include "backend/cpu/quotient.h"

#include "backend/cpu/ntt/domain.h"

namespace supraseal {

namespace {

constexpr size_t kGrain = 1024;

Fr power(Fr base, size_t exponent) {
    Fr result = Fr::one();
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result *= base;
        }
        base = sqr(base);
    }
    return result;
}

// Evaluations, padded with zeros to the domain, in the bit-reversed order of the transforms.
Buffer<Fr> padded(const Resources& on, Span<const Fr> values, size_t log2) {
    Buffer<Fr> out = buffer_of<Fr>(size_t{1} << log2, on.memory);
    on.threads.for_ranges(out.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++) {
            const size_t source = bit_reverse(i, log2);
            if (source < values.size()) {
                out[i] = values[source];
            } else {
                out[i].zero();
            }
        }
    });
    return out;
}

// values[i] *= first * ratio^i
void scale_by_powers(const Resources& on, Span<Fr> values, const Fr& first, const Fr& ratio) {
    on.threads.for_ranges(values.size(), kGrain, [&](size_t begin, size_t end) {
        Fr factor = first * power(ratio, begin);
        for (size_t i = begin; i < end; i++) {
            values[i] *= factor;
            factor *= ratio;
        }
    });
}

Span<Fr> span(Buffer<Fr>& values) {
    return Span<Fr>(values.data(), values.size());
}

// With a satisfied witness A*B - C = hi*(x^n - 1), where A*B = lo + hi*x^n and C = lo + hi. On the
// coset x^n = -1 the product is D = lo - hi, so H = hi = (C - D)/2: six transforms instead of the
// seven of the general way, and no division by Z. Replaces `a` by H.
void divide_exactly(const Domain& domain, const Fr& inverse_n, Span<Fr> a, Span<Fr> b, Span<Fr> c) {
    // Every inverse transform multiplies by n. C has one such factor; D would have three, of which
    // two are taken out of A beforehand.
    domain.scale(a, sqr(inverse_n));
    for (const Span<Fr> values : {a, b, c}) {
        domain.inverse_ntt(Points::domain, values);
    }
    domain.ntt(Points::coset, a);
    domain.ntt(Points::coset, b);
    domain.multiply(a, Span<const Fr>(b.data(), b.size()));
    domain.inverse_ntt(Points::coset, a);
    const Fr half = inverse_n * (1 / Fr(uint64_t{2}));
    domain.subtract_from(Span<const Fr>(c.data(), c.size()), a, half);
}

// bellman's way, which leaves a remainder where the other would go wrong altogether.
void divide_on_coset(const Resources& on, const Domain& domain, const Fr& inverse_n, Span<Fr> a,
                     Span<Fr> b, Span<Fr> c) {
    const Fr shift(uint64_t{7});
    for (const Span<Fr> values : {a, b, c}) {
        domain.inverse_ntt(Points::domain, values);
        scale_by_powers(on, values, inverse_n, shift);
        domain.ntt(Points::domain, values);
    }
    domain.multiply(a, Span<const Fr>(b.data(), b.size()));
    domain.subtract_from(Span<const Fr>(c.data(), c.size()), a, -Fr::one());
    domain.inverse_ntt(Points::domain, a);
    const Fr z = power(shift, a.size()) - Fr::one();
    scale_by_powers(on, a, inverse_n * (1 / z), 1 / shift);
}

}  // namespace

Buffer<Fr> quotient(const Resources& on, Kernels kernels, const Evaluations& evaluations) {
    const size_t log2 = domain_log2(evaluations.a.size());
    const size_t n = size_t{1} << log2;
    const std::unique_ptr<Domain> domain = make_domain(on, log2, kernels);
    const bool exact = domain->products_equal(evaluations.a, evaluations.b, evaluations.c);
    const Fr inverse_n = 1 / Fr(static_cast<uint64_t>(n));
    Buffer<Fr> a = padded(on, evaluations.a, log2);
    Buffer<Fr> b = padded(on, evaluations.b, log2);
    Buffer<Fr> c = padded(on, evaluations.c, log2);
    if (exact) {
        divide_exactly(*domain, inverse_n, span(a), span(b), span(c));
    } else {
        divide_on_coset(on, *domain, inverse_n, span(a), span(b), span(c));
    }
    a.resize(n - 1);
    return a;
}

}  // namespace supraseal
