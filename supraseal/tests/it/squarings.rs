//! A small circuit, its parameters and its assignments.

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use bellperson::groth16;
use blstrs::{Bls12, Scalar};
use rand_core::OsRng;
use supraseal::{Assignment, Engine, EngineBuilder, Randomness, bellpepper};

/// `x^(2^steps)`, of a private x; the result is public.
#[derive(Clone)]
pub struct Squarings {
    pub x: u64,
    pub steps: usize,
}

impl Circuit<Scalar> for Squarings {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut value = Scalar::from(self.x);
        let mut variable = cs.alloc(|| "x", || Ok(value))?;
        for step in 0..self.steps {
            value *= value;
            let square = if step + 1 == self.steps {
                cs.alloc_input(|| "result", || Ok(value))?
            } else {
                cs.alloc(|| "square", || Ok(value))?
            };
            cs.enforce(|| "square", |l| l + variable, |l| l + variable, |l| l + square);
            variable = square;
        }
        Ok(())
    }
}

pub type Parameters = groth16::Parameters<Bls12>;

pub fn parameters(steps: usize) -> (Parameters, Vec<u8>) {
    let circuit = Squarings { x: 0, steps };
    let parameters = groth16::generate_random_parameters::<Bls12, _, _>(circuit, &mut OsRng);
    let parameters: Parameters = parameters.expect("parameters");
    let mut bytes = Vec::new();
    parameters.write(&mut bytes).expect("written");
    (parameters, bytes)
}

pub fn engine(settings: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Engine {
    settings(Engine::builder().pool_threads(2)).build().expect("an engine")
}

pub fn assignment(x: u64, steps: usize) -> Assignment {
    bellpepper::synthesize(Squarings { x, steps }).expect("synthesised")
}

/// An assignment whose constraint 1 does not hold.
pub fn broken(steps: usize) -> Assignment {
    let mut parts = assignment(3, steps).into_parts();
    parts.c[1] = Scalar::from(5).into();
    Assignment::from_parts(parts).expect("the shape is right")
}

pub fn randomness(k: u64) -> Randomness {
    Randomness::given(Scalar::from(k), Scalar::from(k + 1))
}
