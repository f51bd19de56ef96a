// The field, curve and wire types every other part shares. Fields and Jacobian points are sppark's
// host templates over blst's assembly; the affine point is ours because sppark hides its members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ff/bls12-381-fp2.hpp>
#include <ff/bls12-381.hpp>
// sppark's headers have no include guards against each other's order: the fields come first.
#include <ec/jacobian_t.hpp>

namespace supraseal {

using Fr = bls12_381::fr_t;    // Montgomery form, R = 2^256, little-endian limbs
using Fp = bls12_381::fp_t;    // Montgomery form, R = 2^384
using Fp2 = bls12_381::fp2_t;  // c0 + c1*u, u^2 = -1

// An affine point. (0, 0) is not on either curve and stands for the point at infinity, as in blst.
template <class Field>
struct Affine {
    Field x, y;

    // Uninitialised: large arrays are filled, and first touched, by many threads.
    Affine() {}
    Affine(const Field& x_value, const Field& y_value) : x(x_value), y(y_value) {}

    bool is_inf() const { return x.is_zero() && y.is_zero(); }
};

using G1Affine = Affine<Fp>;
using G2Affine = Affine<Fp2>;
using G1 = jacobian_t<Fp>;
using G2 = jacobian_t<Fp2>;

template <class Field>
jacobian_t<Field> to_jacobian(const Affine<Field>& p) {
    return jacobian_t<Field>(p.x, p.y, p.is_inf());
}

// The twin of supraseal-sys/src/layout.rs.
static_assert(sizeof(Fr) == 32 && alignof(Fr) == 8, "Fr crosses the bridge as blst_fr");
static_assert(sizeof(G1Affine) == 96 && alignof(G1Affine) == 8, "crosses as blst_p1_affine");
static_assert(sizeof(G2Affine) == 192 && alignof(G2Affine) == 8, "crosses as blst_p2_affine");

// Borrowed contiguous memory; C++17 has no std::span.
template <class T>
class Span {
public:
    Span() = default;
    Span(T* data, size_t size) : data_(data), size_(size) {}

    T* data() const { return data_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](size_t i) const { return data_[i]; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    Span sub(size_t offset, size_t count) const { return Span(data_ + offset, count); }

private:
    T* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace supraseal
