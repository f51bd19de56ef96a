// Roots of unity of the scalar field, in the order the NTT reads them.
#pragma once

#include "core/resources.h"
#include "core/types.h"

namespace supraseal {

// The generator of the 2^log2-th roots of unity: a power of 7, the field's multiplicative
// generator, as in bellman's EvaluationDomain.
Fr root_of_unity(size_t log2);

// Twiddles in bit-reversed order. Reading the transform as a binary tree of polynomial remainders
// (the node's polynomials are taken modulo x^n - t), node k of every level splits with the same
// twiddle root[k], whatever the domain: root[2^j + i] = root[i] * root_of_unity(j + 2). One table
// therefore serves every domain up to its size, and the coset where x^n = -1 is the tree's node 1.
class Roots {
public:
    // Twiddles for a tree of 2^(log2 + 1) leaves, the domain of 2^log2 points and its coset, each
    // times `factor`.
    Roots(const Resources& on, size_t log2, const Fr& factor);

    const Fr& of_node(size_t node) const { return table_[node]; }

    // Minus the inverse of of_node(node), for node >= 1. The inverses of a level are the negated
    // entries of the same level, mirrored.
    const Fr& negated_inverse_of_node(size_t node) const {
        const size_t level = size_t{1} << (63 - __builtin_clzll(node));
        return table_[3 * level - 1 - node];
    }

private:
    Buffer<Fr> table_;
};

}  // namespace supraseal
