//! The blinding of a proof.

use crate::{Error, Fr, Result};
use blstrs::Scalar;
use ff::Field;
use rand_core::{CryptoRng, OsRng, RngCore};
use std::fmt;

/// The two scalars r and s that make a proof reveal nothing about its witness.
///
/// They must be uniformly random, secret, and never used for two proofs: whoever knows them and the
/// proof learns about the witness. Dropping this overwrites them; copies that the prover's stack
/// held are beyond its reach.
#[derive(Clone)]
pub struct Randomness {
    r: Fr,
    s: Fr,
}

impl Randomness {
    /// Fresh randomness of the operating system.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when the system has none.
    pub fn from_os() -> Result<Self> {
        Ok(Randomness { r: scalar_from_os()?, s: scalar_from_os()? })
    }

    /// Draws r, then s, as bellperson and bellman do for a single proof.
    pub fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        let r = Scalar::random(&mut *rng).into();
        let s = Scalar::random(&mut *rng).into();
        Randomness { r, s }
    }

    /// The scalars given: for tests and for comparing provers. With r and s fixed there is exactly
    /// one proof.
    pub fn given(r: impl Into<Fr>, s: impl Into<Fr>) -> Self {
        Randomness { r: r.into(), s: s.into() }
    }

    pub(crate) fn r(&self) -> Fr {
        self.r
    }

    pub(crate) fn s(&self) -> Fr {
        self.s
    }
}

// Rejection sampling: a masked draw is below the modulus with probability 0.9.
fn scalar_from_os() -> Result<Fr> {
    const MASK: u8 = 0x7f; // the modulus has 255 bits
    loop {
        let mut bytes = [0; 32];
        OsRng.try_fill_bytes(&mut bytes).map_err(|error| Error::Io {
            path: None,
            operation: "draw randomness from the operating system".to_owned(),
            source: std::io::Error::other(error),
        })?;
        bytes[31] &= MASK;
        if let Some(scalar) = Option::<Scalar>::from(Scalar::from_bytes_le(&bytes)) {
            return Ok(scalar.into());
        }
    }
}

impl Drop for Randomness {
    fn drop(&mut self) {
        self.r = Fr::ZERO;
        self.s = Fr::ZERO;
        // Without a reader the compiler may leave the stores out.
        std::hint::black_box(&*self);
    }
}

impl fmt::Debug for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomness(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_has_no_digits() {
        let randomness = Randomness::given(Scalar::from(41), Scalar::from(42));
        assert_eq!(format!("{randomness:?}"), "Randomness(..)");
    }

    #[test]
    fn draws_differ() {
        let one = Randomness::from_os().expect("the system has randomness");
        let other = Randomness::random(&mut OsRng);
        let drawn = [one.r(), one.s(), other.r(), other.s()];
        for (i, left) in drawn.iter().enumerate() {
            assert!(drawn[i + 1..].iter().all(|right| left != right));
        }
    }
}
