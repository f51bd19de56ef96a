// An evaluation domain: number-theoretic transforms over the scalar field, and the elementwise
// arithmetic between them.
#pragma once

#include <memory>

#include "backend/cpu/kernels.h"
#include "backend/cpu/ntt/roots.h"
#include "core/resources.h"
#include "core/types.h"

namespace supraseal {

enum class Points : size_t {
    domain = 0,  // x^n = 1
    coset = 1,   // x^n = -1: the domain shifted by a 2n-th root of unity, without a multiplication
};

// Transforms neither reorder nor scale: coefficients are in natural order, evaluations in
// bit-reversed order, and inverse_ntt(ntt(x)) is n*x. Every span is of the domain's size.
class Domain {
public:
    virtual ~Domain() = default;

    // Coefficients to evaluations.
    virtual void ntt(Points points, Span<Fr> values) const = 0;
    // Evaluations to coefficients, times n.
    virtual void inverse_ntt(Points points, Span<Fr> values) const = 0;

    // Whether a[i] * b[i] = c[i] everywhere. Spans of any, but equal, size.
    virtual bool products_equal(Span<const Fr> a, Span<const Fr> b, Span<const Fr> c) const = 0;
    // values[i] *= by[i]
    virtual void multiply(Span<Fr> values, Span<const Fr> by) const = 0;
    // values[i] *= factor
    virtual void scale(Span<Fr> values, const Fr& factor) const = 0;
    // values[i] = (minuend[i] - values[i]) * factor
    virtual void subtract_from(Span<const Fr> minuend, Span<Fr> values, const Fr& factor) const = 0;
};

// Of 2^log2 points. The pool must outlive it.
std::unique_ptr<Domain> make_domain(const Resources& on, size_t log2, Kernels kernels);
std::unique_ptr<Domain> make_portable_domain(const Resources& on, size_t log2);

// i with its lowest `bits` bits in reverse order and the others dropped.
inline size_t bit_reverse(size_t i, size_t bits) {
    uint64_t x = i;
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
    return bits == 0 ? 0 : __builtin_bswap64(x) >> (64 - bits);
}

}  // namespace supraseal
