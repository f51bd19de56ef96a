// Number-theoretic transforms over the scalar field. None reorders and none scales: coefficients
// are in natural order, evaluations in bit-reversed order, and inverse(forward(x)) is n*x.
#pragma once

#include "backend/cpu/ntt/roots.h"
#include "core/thread_pool.h"
#include "core/types.h"

namespace supraseal {

enum class Points : size_t {
    domain = 0,  // x^n = 1
    coset = 1,   // x^n = -1: the domain shifted by a 2n-th root of unity, without a multiplication
};

// Coefficients to evaluations. `values.size()` is a power of two within the table.
void ntt(const ThreadPool& pool, const Roots& roots, Points points, Span<Fr> values);

// Evaluations to coefficients, times n.
void inverse_ntt(const ThreadPool& pool, const Roots& roots, Points points, Span<Fr> values);

// i with its lowest `bits` bits in reverse order and the others dropped.
inline size_t bit_reverse(size_t i, size_t bits) {
    uint64_t x = i;
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
    return bits == 0 ? 0 : __builtin_bswap64(x) >> (64 - bits);
}

}  // namespace supraseal
