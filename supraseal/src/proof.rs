//! Proofs and their encoding.

use crate::{EncodingFault, Error, Result};
use blstrs::{G1Affine, G2Affine};
use group::prime::PrimeCurveAffine;

const G1: usize = 48;
const G2: usize = 96;

/// A Groth16 proof.
///
/// The points are those of blstrs, as in `bellperson::groth16::Proof`, so that
/// `bellperson::groth16::Proof { a: proof.a, b: proof.b, c: proof.c }` converts one. Other
/// libraries read [`Proof::to_bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// A, in G1.
    pub a: G1Affine,
    /// B, in G2.
    pub b: G2Affine,
    /// C, in G1.
    pub c: G1Affine,
}

impl Proof {
    /// Bytes of an encoded proof.
    pub const SIZE: usize = 2 * G1 + G2;

    /// The compressed form of bellman, bellperson and Zcash: A (48 bytes), B (96 bytes),
    /// C (48 bytes).
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..G1].copy_from_slice(&self.a.to_compressed());
        bytes[G1..G1 + G2].copy_from_slice(&self.b.to_compressed());
        bytes[G1 + G2..].copy_from_slice(&self.c.to_compressed());
        bytes
    }

    /// Reads the form that [`Proof::to_bytes`] writes. Every point is checked to be on the curve, in
    /// the prime-order subgroup and finite, and the encoding to be the canonical one.
    ///
    /// # Errors
    ///
    /// [`Error::ProofEncoding`] with the first part that is not acceptable.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let bytes: &[u8; Self::SIZE] = bytes
            .try_into()
            .map_err(|_| fault("proof", EncodingFault::Length { got: bytes.len() }))?;
        let (mut a, mut b, mut c) = ([0; G1], [0; G2], [0; G1]);
        a.copy_from_slice(&bytes[..G1]);
        b.copy_from_slice(&bytes[G1..G1 + G2]);
        c.copy_from_slice(&bytes[G1 + G2..]);
        Ok(Proof { a: read_g1("a", &a)?, b: read_g2("b", &b)?, c: read_g1("c", &c)? })
    }
}

impl From<&supraseal_sys::Proof> for Proof {
    fn from(proof: &supraseal_sys::Proof) -> Self {
        Proof { a: proof.a.into(), b: proof.b.into(), c: proof.c.into() }
    }
}

impl TryFrom<&[u8]> for Proof {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self> {
        Proof::from_bytes(bytes)
    }
}

fn fault(part: &'static str, fault: EncodingFault) -> Error {
    Error::ProofEncoding { part, fault }
}

fn read_g1(part: &'static str, bytes: &[u8; G1]) -> Result<G1Affine> {
    let point = Option::from(G1Affine::from_compressed_unchecked(bytes))
        .ok_or_else(|| fault(part, EncodingFault::NotAPoint))?;
    check(part, point, |p| p.is_torsion_free().into())
}

fn read_g2(part: &'static str, bytes: &[u8; G2]) -> Result<G2Affine> {
    let point = Option::from(G2Affine::from_compressed_unchecked(bytes))
        .ok_or_else(|| fault(part, EncodingFault::NotAPoint))?;
    check(part, point, |p| p.is_torsion_free().into())
}

fn check<P: PrimeCurveAffine>(
    part: &'static str,
    point: P,
    in_subgroup: impl FnOnce(&P) -> bool,
) -> Result<P> {
    if bool::from(point.is_identity()) {
        Err(fault(part, EncodingFault::Infinity))
    } else if !in_subgroup(&point) {
        Err(fault(part, EncodingFault::NotInSubgroup))
    } else {
        Ok(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blstrs::Scalar;
    use group::Curve;

    fn proof() -> Proof {
        let g1 = |k| (G1Affine::generator() * Scalar::from(k)).to_affine();
        Proof { a: g1(3), b: (G2Affine::generator() * Scalar::from(5)).to_affine(), c: g1(7) }
    }

    fn refused(bytes: &[u8]) -> (&'static str, EncodingFault) {
        match Proof::from_bytes(bytes) {
            Err(Error::ProofEncoding { part, fault }) => (part, fault),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn bytes_round_trip() {
        let bytes = proof().to_bytes();
        assert_eq!(Proof::from_bytes(&bytes).expect("valid"), proof());
    }

    #[test]
    fn other_lengths_are_refused() {
        let bytes = [proof().to_bytes(), proof().to_bytes()].concat();
        for got in [0, 1, 191, 193, 384] {
            assert_eq!(refused(&bytes[..got]), ("proof", EncodingFault::Length { got }));
        }
    }

    #[test]
    fn infinity_is_refused() {
        for (part, at) in [("a", 0), ("b", G1), ("c", G1 + G2)] {
            let mut bytes = proof().to_bytes();
            let length = if part == "b" { G2 } else { G1 };
            bytes[at..at + length].fill(0);
            bytes[at] = 0xc0;
            assert_eq!(refused(&bytes), (part, EncodingFault::Infinity));
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for (part, at) in [("a", 0), ("b", G1), ("c", G1 + G2)] {
            let mut bytes = proof().to_bytes();
            bytes[at] &= 0x7f; // not marked as compressed
            assert_eq!(refused(&bytes), (part, EncodingFault::NotAPoint));
            let mut bytes = proof().to_bytes();
            bytes[at..at + G1].fill(0xff); // beyond the modulus
            assert_eq!(refused(&bytes), (part, EncodingFault::NotAPoint));
        }
    }

    #[test]
    fn points_outside_the_subgroup_are_refused() {
        // The cofactors are large, so nearly every point of the curve is outside.
        let encoded = |x: u8, length: usize| {
            let mut bytes = vec![0; length];
            bytes[0] = 0x80;
            bytes[length - 1] = x;
            bytes
        };
        let g1 = (1..20).map(|x| encoded(x, G1)).find(|bytes| {
            let bytes = bytes[..].try_into().expect("48 bytes");
            bool::from(G1Affine::from_compressed_unchecked(bytes).is_some())
        });
        let g2 = (1..20).map(|x| encoded(x, G2)).find(|bytes| {
            let bytes = bytes[..].try_into().expect("96 bytes");
            bool::from(G2Affine::from_compressed_unchecked(bytes).is_some())
        });
        let (g1, g2) = (g1.expect("half are on the curve"), g2.expect("half are on the curve"));
        for (part, at, point) in [("a", 0, &g1), ("b", G1, &g2), ("c", G1 + G2, &g1)] {
            let mut bytes = proof().to_bytes();
            bytes[at..at + point.len()].copy_from_slice(point);
            assert_eq!(refused(&bytes), (part, EncodingFault::NotInSubgroup));
        }
    }
}
