#include "srs/decode.h"

#include <cstring>

// blst's own header can't be included beside sppark's: both define limb_t.
extern "C" {
bool blst_p1_affine_in_g1(const void* point);
bool blst_p2_affine_in_g2(const void* point);
}

namespace supraseal {

namespace {

constexpr size_t kCoordinate = 48;
constexpr uint8_t kCompressed = 0x80;
constexpr uint8_t kInfinity = 0x40;
constexpr uint8_t kSign = 0x20;

// Big-endian bytes to Montgomery form; false when not below the modulus.
bool decode_coordinate(const uint8_t* bytes, Fp& out) {
    constexpr size_t kLimbs = kCoordinate / sizeof(uint64_t);
    limb_t limbs[kLimbs];
    bool below = false;
    bool decided = false;
    for (size_t i = 0; i < kLimbs; i++) {
        uint64_t limb;
        std::memcpy(&limb, bytes + sizeof(limb) * i, sizeof(limb));
        limb = __builtin_bswap64(limb);
        const size_t place = kLimbs - 1 - i;
        limbs[place] = limb;
        if (!decided && limb != bls12_381::BLS12_381_P[place]) {
            below = limb < bls12_381::BLS12_381_P[place];
            decided = true;
        }
    }
    static_assert(sizeof(limbs) == sizeof(out), "six limbs");
    std::memcpy(static_cast<void*>(&out), limbs, sizeof(limbs));
    out.to();
    return below;
}

// c1 first.
bool decode_coordinate(const uint8_t* bytes, Fp2& out) {
    Fp halves[2];
    const bool fits =
        decode_coordinate(bytes, halves[1]) && decode_coordinate(bytes + kCoordinate, halves[0]);
    static_assert(sizeof(halves) == sizeof(out), "c0 and c1");
    std::memcpy(static_cast<void*>(&out), static_cast<const void*>(halves), sizeof(halves));
    return fits;
}

bool in_subgroup(const G1Affine& point) {
    return blst_p1_affine_in_g1(&point);
}
bool in_subgroup(const G2Affine& point) {
    return blst_p2_affine_in_g2(&point);
}

Fp curve_constant(const Fp*) {
    return Fp(uint64_t{4});
}
Fp2 curve_constant(const Fp2*) {
    return Fp2(uint64_t{4}, uint64_t{4});
}

template <class Field>
const char* decode_point(const uint8_t* bytes, PointChecks checks, Affine<Field>& out) {
    static const Field b = curve_constant(static_cast<const Field*>(nullptr));
    if ((bytes[0] & (kCompressed | kInfinity | kSign)) != 0) {
        return (bytes[0] & (kCompressed | kInfinity | kSign)) == kInfinity ? "infinity" : "flags";
    }
    if (!decode_coordinate(bytes, out.x) || !decode_coordinate(bytes + sizeof(Field), out.y)) {
        return "encoding";
    }
    if (sqr(out.y) != sqr(out.x) * out.x + b) {
        return "not_on_curve";
    }
    if (checks == PointChecks::subgroup && !in_subgroup(out)) {
        return "not_in_subgroup";
    }
    return nullptr;
}

}  // namespace

const char* decode(const uint8_t* bytes, PointChecks checks, G1Affine& out) {
    return decode_point(bytes, checks, out);
}

const char* decode(const uint8_t* bytes, PointChecks checks, G2Affine& out) {
    return decode_point(bytes, checks, out);
}

}  // namespace supraseal
