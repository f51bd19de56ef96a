#include "backend/cpu/quotient.h"

#include <atomic>

#include "backend/cpu/ntt/ntt.h"

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

bool satisfied(const ThreadPool& pool, const Evaluations& evaluations) {
    std::atomic<bool> all{true};
    pool.for_ranges(evaluations.a.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end && all.load(std::memory_order_relaxed); i++) {
            if (evaluations.a[i] * evaluations.b[i] != evaluations.c[i]) {
                all.store(false, std::memory_order_relaxed);
            }
        }
    });
    return all.load();
}

// Evaluations, padded with zeros to the domain, in the bit-reversed order of the transforms, times
// `scale`.
std::vector<Fr> padded(const ThreadPool& pool, Span<const Fr> values, size_t log2,
                       const Fr& scale) {
    std::vector<Fr> out(size_t{1} << log2);
    pool.for_ranges(out.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++) {
            const size_t source = bit_reverse(i, log2);
            if (source < values.size()) {
                out[i] = values[source] * scale;
            } else {
                out[i].zero();
            }
        }
    });
    return out;
}

// values[i] *= first * ratio^i
void scale_by_powers(const ThreadPool& pool, Span<Fr> values, const Fr& first, const Fr& ratio) {
    pool.for_ranges(values.size(), kGrain, [&](size_t begin, size_t end) {
        Fr factor = first * power(ratio, begin);
        for (size_t i = begin; i < end; i++) {
            values[i] *= factor;
            factor *= ratio;
        }
    });
}

Span<Fr> span(std::vector<Fr>& values) {
    return Span<Fr>(values.data(), values.size());
}

}  // namespace

// With a satisfied witness A*B - C = hi*(x^n - 1), where A*B = lo + hi*x^n and C = lo + hi. On the
// coset x^n = -1 the product is D = lo - hi, so H = hi = (C - D)/2: six transforms instead of the
// seven of the general way, and no division by Z.
std::vector<Fr> quotient(const ThreadPool& pool, const Evaluations& evaluations) {
    const size_t log2 = domain_log2(evaluations.a.size());
    const size_t n = size_t{1} << log2;
    const Roots roots(pool, log2);
    const bool exact = satisfied(pool, evaluations);
    const Fr inverse_n = 1 / Fr(static_cast<uint64_t>(n));

    // Every inverse transform multiplies by n; the three factors of a product are taken out of A.
    const Fr none = Fr::one();
    const Fr twice = sqr(inverse_n);
    std::vector<Fr> a = padded(pool, evaluations.a, log2, Fr::csel(twice, inverse_n, exact));
    std::vector<Fr> b = padded(pool, evaluations.b, log2, Fr::csel(none, inverse_n, exact));
    std::vector<Fr> c = padded(pool, evaluations.c, log2, Fr::csel(none, inverse_n, exact));
    for (std::vector<Fr>* values : {&a, &b, &c}) {
        inverse_ntt(pool, roots, Points::domain, span(*values));
    }

    if (exact) {
        ntt(pool, roots, Points::coset, span(a));
        ntt(pool, roots, Points::coset, span(b));
        pool.for_ranges(n, kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                a[i] *= b[i];
            }
        });
        inverse_ntt(pool, roots, Points::coset, span(a));
        const Fr half = inverse_n * (1 / Fr(uint64_t{2}));
        pool.for_ranges(n, kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                a[i] = (c[i] - a[i]) * half;
            }
        });
    } else {
        const Fr shift(uint64_t{7});
        for (std::vector<Fr>* values : {&a, &b, &c}) {
            scale_by_powers(pool, span(*values), Fr::one(), shift);
            ntt(pool, roots, Points::domain, span(*values));
        }
        pool.for_ranges(n, kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                a[i] = a[i] * b[i] - c[i];
            }
        });
        inverse_ntt(pool, roots, Points::domain, span(a));
        const Fr z = power(shift, n) - Fr::one();
        scale_by_powers(pool, span(a), inverse_n * (1 / z), 1 / shift);
    }
    a.resize(n - 1);
    return a;
}

}  // namespace supraseal
