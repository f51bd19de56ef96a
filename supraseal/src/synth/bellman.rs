//! Circuits of the Zcash ecosystem: `bellman` 0.15, which the provers of `groth16` 0.2 and
//! `sapling-crypto` 0.9 use.

use super::core::{Synthesis, Variable};
use crate::{Assignment, Engine, Error, Fr, Result};
use ::bellman::{
    Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable as Allocated,
};
use bls12_381::Scalar;

/// Synthesises a circuit, as the prover of `groth16` 0.2 does: the result is what its `create_proof`
/// would prove. Runs on the calling thread.
///
/// # Errors
///
/// [`Error::Synthesis`] with the circuit's own error as source; [`Error::UnknownVariable`];
/// [`Error::Shape`] for more than [`MAX_CONSTRAINTS`](crate::MAX_CONSTRAINTS).
pub fn synthesize(circuit: impl Circuit<Scalar>) -> Result<Assignment> {
    let _span = tracing::debug_span!("synthesize").entered();
    let mut prover = Prover(Synthesis::with_one());
    circuit.synthesize(&mut prover).map_err(|error| Error::Synthesis(Box::new(error)))?;
    prover.0.finish()
}

/// [`synthesize`] into the memory of `engine`: page-aligned buffers that are used again from proof to
/// proof, charged to the engine's budget before they are taken, together with what the proof will need.
/// Waits while the budget has no room. How much a type of circuit needs is learnt from its first run.
///
/// # Errors
///
/// As [`synthesize`]; [`Error::HostMemory`] when the budget could never hold the circuit and its proof;
/// [`Error::Closed`].
pub fn synthesize_on<C: Circuit<Scalar>>(engine: &Engine, circuit: C) -> Result<Assignment> {
    let _span = tracing::debug_span!("synthesize").entered();
    engine.synthesize_in_memory(std::any::type_name::<C>(), |synthesis| {
        let mut prover = Prover(synthesis);
        circuit.synthesize(&mut prover).map_err(|error| Error::Synthesis(Box::new(error)))?;
        Ok(prover.0)
    })
}

struct Prover(Synthesis);

impl ConstraintSystem<Scalar> for Prover {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, value: F) -> Result<Allocated, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let index = self.0.alloc(value()?.into());
        Ok(Allocated::new_unchecked(Index::Aux(index)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, value: F) -> Result<Allocated, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let index = self.0.alloc_input(value()?.into());
        Ok(Allocated::new_unchecked(Index::Input(index)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        let a = a(LinearCombination::zero());
        let b = b(LinearCombination::zero());
        let c = c(LinearCombination::zero());
        self.0.enforce(terms(&a), terms(&b), terms(&c));
    }

    fn push_namespace<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn pop_namespace(&mut self) {}

    fn get_root(&mut self) -> &mut Self::Root {
        self
    }
}

// One variable may occur in several terms: unlike bellpepper's, these combinations are not merged. A
// pair of terms that cancel still gives its variable a point in the query, as in `groth16`.
#[inline]
fn terms(combination: &LinearCombination<Scalar>) -> impl Iterator<Item = (Variable, Fr)> + '_ {
    combination.as_ref().iter().map(|(variable, coefficient)| {
        let variable = match variable.get_unchecked() {
            Index::Input(index) => Variable::Input(index),
            Index::Aux(index) => Variable::Aux(index),
        };
        (variable, Fr::from(*coefficient))
    })
}
