#include "prover/assemble.h"

#include <cstring>

namespace supraseal {

namespace {

template <class Field>
jacobian_t<Field> multiply(jacobian_t<Field> point, const Fr& scalar) {
    Fr::pow_t bits;
    scalar.to_scalar(bits);
    jacobian_t<Field> sum;
    sum.inf();
    for (size_t i = Fr::bit_length(); i-- > 0;) {
        sum.dbl();
        if (((bits[i / 8] >> (i % 8)) & 1) != 0) {
            sum.dadd(point);
        }
    }
    return sum;
}

template <class Field>
jacobian_t<Field> multiply(const Affine<Field>& point, const Fr& scalar) {
    return multiply(to_jacobian(point), scalar);
}

template <class Field>
Affine<Field> to_affine(const jacobian_t<Field>& point) {
    Affine<Field> out;
    if (point.is_inf()) {
        out.x.zero();
        out.y.zero();
        return out;
    }
    const typename jacobian_t<Field>::affine_t affine = point;
    static_assert(sizeof(affine) == sizeof(out), "sppark's affine point is x then y");
    std::memcpy(static_cast<void*>(&out), static_cast<const void*>(&affine), sizeof(out));
    return out;
}

}  // namespace

// A = alpha + sum_a + r*delta, B = beta + sum_b + s*delta, and C = l + h + s*A + r*B - r*s*delta
// multiplied out, so that B in G1 is never formed.
Proof assemble(const VerifyingKey& vk, const MsmSums& sums, const Fr& r, const Fr& s) {
    G1 a = multiply(vk.delta_g1, r);
    a.dadd(to_jacobian(vk.alpha_g1));
    a.dadd(sums.a);

    G2 b = multiply(vk.delta_g2, s);
    b.dadd(to_jacobian(vk.beta_g2));
    b.dadd(sums.b_g2);

    G1 alpha_and_a = to_jacobian(vk.alpha_g1);
    alpha_and_a.dadd(sums.a);
    G1 beta_and_b = to_jacobian(vk.beta_g1);
    beta_and_b.dadd(sums.b_g1);
    G1 c = multiply(vk.delta_g1, r * s);
    c.dadd(multiply(alpha_and_a, s));
    c.dadd(multiply(beta_and_b, r));
    c.dadd(sums.h);
    c.dadd(sums.l);

    return Proof{to_affine(a), to_affine(b), to_affine(c)};
}

}  // namespace supraseal
