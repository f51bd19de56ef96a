//! The benches' circuit, for every prover: half of its constraints say that a variable is a bit, the
//! other half square one.

use ark_relations::gr1cs::{self, ConstraintSynthesizer, ConstraintSystemRef, LinearCombination};
use bellpepper_core as bellpepper;

/// `x^(2^n)` is public, x and as many bits as there are squarings are private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfBoolean {
    /// Constraints: half of them bits, half of them squarings.
    pub constraints: usize,
    /// Of the bits, and of x.
    pub seed: u64,
}

impl HalfBoolean {
    fn bits(&self) -> impl Iterator<Item = bool> + use<> {
        let mut state = self.seed | 1;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state & (1 << 20) != 0
        })
        .take(self.constraints / 2)
    }

    fn squarings(&self) -> usize {
        self.constraints - self.constraints / 2
    }

    fn x(&self) -> u64 {
        self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15) | 1
    }

    fn result<F: Copy + From<u64> + std::ops::Mul<Output = F>>(&self) -> F {
        (0..self.squarings()).fold(F::from(self.x()), |value, _| value * value)
    }

    /// The public input, for bellpepper's field.
    pub fn blstrs_result(&self) -> blstrs::Scalar {
        self.result()
    }

    /// The public input, for bellman's field.
    pub fn zkcrypto_result(&self) -> bls12_381::Scalar {
        self.result()
    }

    /// The public input, for arkworks' field.
    pub fn ark_result(&self) -> ark_bls12_381::Fr {
        self.result()
    }
}

impl bellpepper::Circuit<blstrs::Scalar> for HalfBoolean {
    fn synthesize<CS: bellpepper::ConstraintSystem<blstrs::Scalar>>(
        self,
        cs: &mut CS,
    ) -> Result<(), bellpepper::SynthesisError> {
        use blstrs::Scalar;
        for bit in self.bits() {
            let bit = cs.alloc(|| "", || Ok(Scalar::from(u64::from(bit))))?;
            cs.enforce(|| "", |zero| zero + CS::one() - bit, |zero| zero + bit, |zero| zero);
        }
        let mut value = Scalar::from(self.x());
        let mut variable = cs.alloc(|| "", || Ok(value))?;
        for i in 1..=self.squarings() {
            value *= value;
            let square = if i == self.squarings() {
                cs.alloc_input(|| "", || Ok(value))?
            } else {
                cs.alloc(|| "", || Ok(value))?
            };
            cs.enforce(|| "", |zero| zero + variable, |zero| zero + variable, |zero| zero + square);
            variable = square;
        }
        Ok(())
    }
}

impl bellman::Circuit<bls12_381::Scalar> for HalfBoolean {
    fn synthesize<CS: bellman::ConstraintSystem<bls12_381::Scalar>>(
        self,
        cs: &mut CS,
    ) -> Result<(), bellman::SynthesisError> {
        use bls12_381::Scalar;
        for bit in self.bits() {
            let bit = cs.alloc(|| "", || Ok(Scalar::from(u64::from(bit))))?;
            cs.enforce(|| "", |zero| zero + CS::one() - bit, |zero| zero + bit, |zero| zero);
        }
        let mut value = Scalar::from(self.x());
        let mut variable = cs.alloc(|| "", || Ok(value))?;
        for i in 1..=self.squarings() {
            value = value.square();
            let square = if i == self.squarings() {
                cs.alloc_input(|| "", || Ok(value))?
            } else {
                cs.alloc(|| "", || Ok(value))?
            };
            cs.enforce(|| "", |zero| zero + variable, |zero| zero + variable, |zero| zero + square);
            variable = square;
        }
        Ok(())
    }
}

impl ConstraintSynthesizer<ark_bls12_381::Fr> for HalfBoolean {
    fn generate_constraints(self, cs: ConstraintSystemRef<ark_bls12_381::Fr>) -> gr1cs::Result<()> {
        use ark_bls12_381::Fr;
        type Combination = LinearCombination<Fr>;
        let of = |variable| Combination::from((Fr::from(1u64), variable));
        for bit in self.bits() {
            let bit = cs.new_witness_variable(|| Ok(Fr::from(u64::from(bit))))?;
            let not = || of(gr1cs::Variable::One) - (Fr::from(1u64), bit);
            cs.enforce_r1cs_constraint(not, || of(bit), Combination::zero)?;
        }
        let mut value = Fr::from(self.x());
        let mut variable = cs.new_witness_variable(|| Ok(value))?;
        for i in 1..=self.squarings() {
            value *= value;
            let square = if i == self.squarings() {
                cs.new_input_variable(|| Ok(value))?
            } else {
                cs.new_witness_variable(|| Ok(value))?
            };
            cs.enforce_r1cs_constraint(|| of(variable), || of(variable), || of(square))?;
            variable = square;
        }
        Ok(())
    }
}
