//! Field elements and points: `repr(transparent)` over blst's, so slices of them cross as they are.

use blst::{blst_fr, blst_p1_affine, blst_p2_affine};
use blstrs::Scalar;
use cxx::{ExternType, type_id};

/// An element of the scalar field, in Montgomery form (R = 2^256), always reduced.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Fr(blst_fr);

/// An affine point of G1. `(0, 0)` is the point at infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct G1Affine(blst_p1_affine);

/// An affine point of G2. `(0, 0)` is the point at infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct G2Affine(blst_p2_affine);

// SAFETY: the C++ type of this name is sppark's fr_t, four 64-bit limbs without pointers; both sides
// assert size and alignment (src/layout.rs, cpp/core/types.h). Moving its bytes moves the value.
unsafe impl ExternType for Fr {
    type Id = type_id!("supraseal::Fr");
    type Kind = cxx::kind::Trivial;
}

// SAFETY: as for `Fr`; the C++ type is two sppark fp_t, x then y.
unsafe impl ExternType for G1Affine {
    type Id = type_id!("supraseal::G1Affine");
    type Kind = cxx::kind::Trivial;
}

// SAFETY: as for `Fr`; the C++ type is two sppark fp2_t, x then y.
unsafe impl ExternType for G2Affine {
    type Id = type_id!("supraseal::G2Affine");
    type Kind = cxx::kind::Trivial;
}

impl Fr {
    /// Zero.
    pub const ZERO: Fr = Fr(blst_fr { l: [0; 4] });
    /// One: R mod r.
    pub const ONE: Fr = Fr(blst_fr {
        l: [
            0x0000_0001_ffff_fffe,
            0x5884_b7fa_0003_4802,
            0x998c_4fef_ecbc_4ff5,
            0x1824_b159_acc5_056f,
        ],
    });

    /// The same memory as blstrs scalars.
    pub fn as_scalar(&self) -> &Scalar {
        // SAFETY: Fr and blstrs::Scalar are both repr(transparent) over blst_fr and every reduced
        // Montgomery value is valid for both; the only constructors keep it reduced.
        unsafe { &*std::ptr::from_ref(self).cast::<Scalar>() }
    }

    /// Blstrs scalars as the same memory.
    pub fn from_scalars(scalars: &[Scalar]) -> &[Fr] {
        // SAFETY: equal layout (see `as_scalar`), so length and lifetime carry over.
        unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast::<Fr>(), scalars.len()) }
    }
}

impl Default for Fr {
    fn default() -> Self {
        Fr::ZERO
    }
}

impl From<Scalar> for Fr {
    fn from(scalar: Scalar) -> Self {
        Fr(scalar.into())
    }
}

impl From<Fr> for Scalar {
    fn from(fr: Fr) -> Self {
        fr.0.into()
    }
}

impl std::fmt::Debug for Fr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_scalar().fmt(f)
    }
}

impl From<blstrs::G1Affine> for G1Affine {
    fn from(point: blstrs::G1Affine) -> Self {
        G1Affine(*point.as_ref())
    }
}

impl From<G1Affine> for blstrs::G1Affine {
    fn from(point: G1Affine) -> Self {
        let mut out = blstrs::G1Affine::default();
        *out.as_mut() = point.0;
        out
    }
}

impl From<blstrs::G2Affine> for G2Affine {
    fn from(point: blstrs::G2Affine) -> Self {
        G2Affine(*point.as_ref())
    }
}

impl From<G2Affine> for blstrs::G2Affine {
    fn from(point: G2Affine) -> Self {
        let mut out = blstrs::G2Affine::default();
        *out.as_mut() = point.0;
        out
    }
}

impl std::fmt::Debug for G1Affine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        blstrs::G1Affine::from(*self).fmt(f)
    }
}

impl std::fmt::Debug for G2Affine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        blstrs::G2Affine::from(*self).fmt(f)
    }
}

#[cfg(feature = "bls12_381")]
mod zkcrypto {
    use super::Fr;
    use bls12_381::Scalar;
    use std::mem::{align_of, size_of, transmute};

    const _: () = assert!(size_of::<Scalar>() == size_of::<Fr>());
    const _: () = assert!(align_of::<Scalar>() == align_of::<Fr>());
    // bls12_381 keeps its limbs private, so that they are what `Fr` expects (Montgomery form with
    // R = 2^256, least significant limb first) is checked on values when this crate is compiled.
    const _: () = assert!(same(Scalar::one(), Fr::ONE.0.l));
    const _: () = assert!(same(Scalar::from_raw([7, 0, 0, 0]), {
        [0x0000_000e_ffff_fff1, 0x17e3_63d3_0018_9c0f, 0xff9c_5787_6f84_57b0, 0x3513_3220_8fc5_a8c4]
    }));

    const fn same(scalar: Scalar, limbs: [u64; 4]) -> bool {
        // SAFETY: a Scalar is 32 bytes (asserted above) and any 32 bytes are four u64.
        let raw: [u64; 4] = unsafe { transmute::<Scalar, [u64; 4]>(scalar) };
        raw[0] == limbs[0] && raw[1] == limbs[1] && raw[2] == limbs[2] && raw[3] == limbs[3]
    }

    impl Fr {
        /// The same memory as the `bls12_381` crate's scalar.
        pub fn as_zkcrypto(&self) -> &Scalar {
            // SAFETY: size, alignment and representation are asserted above, both types admit every
            // reduced value and `Fr` holds no other.
            unsafe { &*std::ptr::from_ref(self).cast::<Scalar>() }
        }
    }

    impl From<Scalar> for Fr {
        fn from(scalar: Scalar) -> Self {
            // SAFETY: as for `as_zkcrypto`; a Scalar is always reduced.
            unsafe { transmute::<Scalar, Fr>(scalar) }
        }
    }
}
