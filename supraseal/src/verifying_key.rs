//! Verification.

use crate::{Error, Fr, Proof, Result};
use blstrs::{Bls12, G1Affine, G1Projective, G2Affine, G2Prepared, Gt, Scalar};
use group::{Curve, Group};
use pairing::{MillerLoopResult, MultiMillerLoop};

/// What it takes to check a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the field's
#[non_exhaustive]
pub struct VerifyingKey {
    pub alpha_g1: G1Affine,
    pub beta_g1: G1Affine,
    pub beta_g2: G2Affine,
    pub gamma_g2: G2Affine,
    pub delta_g1: G1Affine,
    pub delta_g2: G2Affine,
    /// One point for each input, ONE first.
    pub ic: Vec<G1Affine>,
}

impl VerifyingKey {
    /// The form that `VerifyingKey::write` of bellman and bellperson writes: uncompressed points and
    /// the number of those of `ic` as a big-endian `u32`. It is also how a parameter file begins.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.alpha_g1.to_uncompressed());
        bytes.extend(self.beta_g1.to_uncompressed());
        bytes.extend(self.beta_g2.to_uncompressed());
        bytes.extend(self.gamma_g2.to_uncompressed());
        bytes.extend(self.delta_g1.to_uncompressed());
        bytes.extend(self.delta_g2.to_uncompressed());
        // It came from a file that has the count in as many bits.
        bytes.extend((self.ic.len() as u32).to_be_bytes());
        bytes.extend(self.ic.iter().flat_map(G1Affine::to_uncompressed));
        bytes
    }

    /// Checks `proof` for the public `inputs`, given without ONE: as [`Fr`], or as scalars of blstrs
    /// or (feature `bellman`) `bls12_381`.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for a wrong number of inputs; [`Error::InvalidProof`] when the proof does
    /// not hold.
    pub fn verify<S: Copy + Into<Fr>>(&self, proof: &Proof, inputs: &[S]) -> Result<()> {
        let Some((one, rest)) = self.ic.split_first().filter(|(_, r)| r.len() == inputs.len())
        else {
            let expected = self.ic.len().saturating_sub(1);
            return Err(Error::shape("public inputs without ONE", expected, inputs.len()));
        };
        let sum = rest.iter().zip(inputs).fold(G1Projective::from(one), |sum, (point, input)| {
            sum + *point * Scalar::from((*input).into())
        });
        // A·B = alpha·beta + inputs·gamma + C·delta, with everything moved to one side so that one
        // final exponentiation does.
        let left = Bls12::multi_miller_loop(&[
            (&proof.a, &G2Prepared::from(proof.b)),
            (&-self.alpha_g1, &G2Prepared::from(self.beta_g2)),
            (&-sum.to_affine(), &G2Prepared::from(self.gamma_g2)),
            (&-proof.c, &G2Prepared::from(self.delta_g2)),
        ])
        .final_exponentiation();
        if left == Gt::identity() { Ok(()) } else { Err(Error::InvalidProof) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::Field;
    use group::prime::PrimeCurveAffine;

    /// A key with known exponents, so that a proof for any input can be written down.
    fn key_and_proof(input: Scalar) -> (VerifyingKey, Proof) {
        let g1 = |k: Scalar| (G1Affine::generator() * k).to_affine();
        let g2 = |k: Scalar| (G2Affine::generator() * k).to_affine();
        let [alpha, beta, gamma, delta, a, b, ic0, ic1] =
            [3, 5, 7, 11, 13, 17, 19, 23].map(Scalar::from);
        let key = VerifyingKey {
            alpha_g1: g1(alpha),
            beta_g1: g1(beta),
            beta_g2: g2(beta),
            gamma_g2: g2(gamma),
            delta_g1: g1(delta),
            delta_g2: g2(delta),
            ic: vec![g1(ic0), g1(ic1)],
        };
        let inverse = Option::<Scalar>::from(delta.invert()).expect("not zero");
        let c = (a * b - alpha * beta - (ic0 + ic1 * input) * gamma) * inverse;
        (key, Proof { a: g1(a), b: g2(b), c: g1(c) })
    }

    #[test]
    fn equation_holds_for_its_input_only() {
        let (key, proof) = key_and_proof(Scalar::from(29));
        key.verify(&proof, &[Scalar::from(29)]).expect("holds");
        assert!(matches!(key.verify(&proof, &[Scalar::from(30)]), Err(Error::InvalidProof)));
        let other = Proof { c: proof.a, ..proof };
        assert!(matches!(key.verify(&other, &[Scalar::from(29)]), Err(Error::InvalidProof)));
    }

    #[test]
    fn number_of_inputs_is_checked() {
        let (key, proof) = key_and_proof(Scalar::ONE);
        for got in [0, 2] {
            let error = key.verify(&proof, &vec![Fr::ONE; got]).expect_err("refused");
            assert!(matches!(error, Error::Shape { expected: 1, .. }), "{error}");
        }
    }

    #[test]
    fn encoding_has_the_documented_length() {
        let (key, _) = key_and_proof(Scalar::ONE);
        let bytes = key.to_bytes();
        assert_eq!(bytes.len(), 3 * 96 + 3 * 192 + 4 + 2 * 96);
        assert_eq!(bytes[3 * 96 + 3 * 192..][..4], [0, 0, 0, 2]);
    }
}
