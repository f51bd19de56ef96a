//! What the front-ends share: the vectors that a constraint system fills, and the evaluation of
//! linear combinations.

use crate::assignment::{Vectors, block_bytes};
use crate::memory::{Hint, Pool, Promise, Scalars};
use crate::{Assignment, Error, Fr, Result, Throttle};
use blstrs::Scalar;
use ff::Field;
use std::sync::Arc;
use supraseal_sys::HostVec;

/// A variable, in the terms of either ecosystem.
#[derive(Clone, Copy)]
pub(super) enum Variable {
    Input(usize),
    Aux(usize),
}

/// Some tens of microseconds apart.
const CONSTRAINTS_BETWEEN_POLLS: usize = 1 << 8;

/// The prover's side of a constraint system. Values are written once, into the vectors that the
/// prover reads.
pub(crate) struct Synthesis {
    parts: Vectors,
    // Behind the memory that it stands for.
    promise: Option<Promise>,
    throttle: Option<Arc<Throttle>>,
    failure: Option<Error>,
    minus_one: Fr,
}

impl Synthesis {
    /// Without variables, not even ONE.
    pub(super) fn empty() -> Self {
        let minus_one = Fr::from(-Scalar::ONE);
        Synthesis {
            parts: Vectors::default(),
            promise: None,
            throttle: None,
            failure: None,
            minus_one,
        }
    }

    /// With ONE allocated, as a circuit expects to find it.
    pub(super) fn with_one() -> Self {
        let mut synthesis = Synthesis::empty();
        synthesis.alloc_input(Fr::ONE);
        synthesis
    }

    /// The same in an engine's memory. What the circuit needed last time is reserved beforehand, what
    /// its proof will need included; anything else as it comes.
    pub(crate) fn in_memory(
        pool: &Arc<Pool>,
        throttle: Arc<Throttle>,
        hint: Option<Hint>,
        threads: usize,
    ) -> Result<Self> {
        const UNKNOWN: u64 = 1 << 20;
        let bytes = hint.map_or(UNKNOWN, |hint| hint.shape.memory(threads).of_assignment().0);
        let mut synthesis = Synthesis::empty();
        synthesis.promise = Some(pool.promise(bytes)?);
        synthesis.throttle = Some(throttle);
        let vector = |length| HostVec::with_capacity(pool.native(), length).map(Scalars::Pooled);
        let counts = hint.map(|hint| hint.shape);
        let (constraints, inputs, aux) =
            counts.map_or((0, 0, 0), |c| (c.constraints, c.inputs, c.aux));
        let parts = &mut synthesis.parts;
        for evaluations in [&mut parts.a, &mut parts.b, &mut parts.c] {
            *evaluations = vector(constraints)?;
        }
        parts.inputs = vector(inputs)?;
        parts.aux = vector(aux)?;
        synthesis.alloc_input(Fr::ONE);
        Ok(synthesis)
    }

    /// Returns the new variable's index.
    pub(super) fn alloc(&mut self, value: Fr) -> usize {
        store(&mut self.parts.aux, &mut self.promise, &mut self.failure, value);
        self.parts.a_aux_density.push(false);
        self.parts.b_aux_density.push(false);
        self.parts.a_aux_density.len() - 1
    }

    /// Returns the new input's index.
    pub(super) fn alloc_input(&mut self, value: Fr) -> usize {
        store(&mut self.parts.inputs, &mut self.promise, &mut self.failure, value);
        self.parts.b_input_density.push(false);
        self.parts.b_input_density.len() - 1
    }

    /// Adds a constraint, given the terms of its three linear combinations.
    pub(super) fn enforce(
        &mut self,
        a: impl Iterator<Item = (Variable, Fr)>,
        b: impl Iterator<Item = (Variable, Fr)>,
        c: impl Iterator<Item = (Variable, Fr)>,
    ) {
        let constraint = self.parts.a.len();
        if constraint.is_multiple_of(CONSTRAINTS_BETWEEN_POLLS)
            && let Some(throttle) = &self.throttle
        {
            throttle.pause();
        }
        let parts = &mut self.parts;
        let values = Values { inputs: &parts.inputs, aux: &parts.aux, minus_one: self.minus_one };
        let a_aux = &mut parts.a_aux_density;
        let (b_inputs, b_aux) = (&mut parts.b_input_density, &mut parts.b_aux_density);
        // The `x * 0 = 0` constraints give every input a point in A. C has no query of its own.
        let evaluations = (
            values.evaluate(a, |_| {}, |i| a_aux.set(i)),
            values.evaluate(b, |i| b_inputs.set(i), |i| b_aux.set(i)),
            values.evaluate(c, |_| {}, |_| {}),
        );
        let (a, b, c) = match evaluations {
            (Ok(a), Ok(b), Ok(c)) => (a, b, c),
            (Err(unknown), _, _) | (_, Err(unknown), _) | (_, _, Err(unknown)) => {
                self.fail(unknown, constraint);
                return;
            }
        };
        let (promise, failure) = (&mut self.promise, &mut self.failure);
        store(&mut self.parts.a, promise, failure, a);
        store(&mut self.parts.b, promise, failure, b);
        store(&mut self.parts.c, promise, failure, c);
    }

    /// Appends a system that was synthesised apart, with its own ONE.
    #[cfg(feature = "bellpepper")]
    pub(super) fn extend(&mut self, other: &Self) {
        let constraints = self.parts.a.len();
        let (ours, theirs) = (&mut self.parts, &other.parts);
        // The two systems' ONEs become one.
        let skip = usize::from(!ours.inputs.is_empty()).min(theirs.inputs.len());
        if skip == 1 && theirs.b_input_density.get(0) {
            ours.b_input_density.set(0);
        }
        let (promise, failure) = (&mut self.promise, &mut self.failure);
        store_all(&mut ours.inputs, promise, failure, &theirs.inputs[skip..]);
        ours.b_input_density.extend_from(&theirs.b_input_density, skip);
        store_all(&mut ours.aux, promise, failure, &theirs.aux);
        ours.a_aux_density.extend_from(&theirs.a_aux_density, 0);
        ours.b_aux_density.extend_from(&theirs.b_aux_density, 0);
        store_all(&mut ours.a, promise, failure, &theirs.a);
        store_all(&mut ours.b, promise, failure, &theirs.b);
        store_all(&mut ours.c, promise, failure, &theirs.c);
        if let Some(Error::UnknownVariable { constraint, kind, index, allocated }) = other.failure {
            let unknown = Unknown { kind, index, allocated };
            self.fail(unknown, constraints + constraint);
        }
    }

    /// Appends the constraints of the inputs.
    pub(super) fn finish(mut self) -> Result<Assignment> {
        let inputs = self.parts.inputs.len();
        let (promise, failure) = (&mut self.promise, &mut self.failure);
        let parts = &mut self.parts;
        store_all(&mut parts.a, promise, failure, &parts.inputs);
        for zeros in [&mut parts.b, &mut parts.c] {
            for _ in 0..inputs {
                store(zeros, promise, failure, Fr::ZERO);
            }
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => Assignment::from_vectors(self.parts, self.promise),
        }
    }

    /// [`Synthesis::finish`] of a synthesis in an engine's memory: from now on it holds what the proof
    /// needs, no more and no less.
    pub(crate) fn finish_in_memory(self, threads: usize) -> Result<Assignment> {
        let mut assignment = self.finish()?;
        let (needed, _) = assignment.shape().memory(threads).of_assignment();
        if let Some(promise) = assignment.promise_mut() {
            promise.grow_to(needed)?;
            promise.shrink_to(needed);
        }
        Ok(assignment)
    }

    // `enforce` of both ecosystems returns nothing, so that the first failure waits for the end.
    fn fail(&mut self, unknown: Unknown, constraint: usize) {
        let Unknown { kind, index, allocated } = unknown;
        self.failure.get_or_insert(Error::UnknownVariable { constraint, kind, index, allocated });
    }
}

/// Appends a value; the first failure to find room for one is kept, and nothing is stored any more.
#[inline]
fn store(
    values: &mut Scalars,
    promise: &mut Option<Promise>,
    failure: &mut Option<Error>,
    value: Fr,
) {
    if let Err(value) = values.push(value) {
        store_slowly(values, promise, failure, &[value]);
    }
}

fn store_all(
    values: &mut Scalars,
    promise: &mut Option<Promise>,
    failure: &mut Option<Error>,
    more: &[Fr],
) {
    match values {
        Scalars::Owned(values) => values.extend_from_slice(more),
        Scalars::Pooled(_) => store_slowly(values, promise, failure, more),
    }
}

#[cold]
fn store_slowly(
    values: &mut Scalars,
    promise: &mut Option<Promise>,
    failure: &mut Option<Error>,
    more: &[Fr],
) {
    let Scalars::Pooled(values) = values else { return };
    if failure.is_some() {
        return;
    }
    if let Err(error) = make_room(values, promise, more.len()).and_then(|()| {
        values.extend_from_slice(more)?;
        Ok(())
    }) {
        *failure = Some(error);
    }
}

fn make_room(values: &mut HostVec<Fr>, promise: &mut Option<Promise>, more: usize) -> Result<()> {
    const FEWEST: usize = 1 << 12;
    if values.capacity() - values.len() >= more {
        return Ok(());
    }
    let wanted = (values.len() + more).max(values.capacity() / 2 * 3).max(FEWEST);
    // First the right to it: without, the block would be taken from somebody else's promise.
    if let Some(promise) = promise {
        promise.grow_to(promise.bytes().saturating_add(block_bytes(wanted)))?;
    }
    Ok(values.reserve(wanted - values.len())?)
}

#[derive(Clone, Copy)]
struct Unknown {
    kind: &'static str,
    index: usize,
    allocated: usize,
}

/// The variables allocated so far.
struct Values<'a> {
    inputs: &'a [Fr],
    aux: &'a [Fr],
    minus_one: Fr,
}

impl Values<'_> {
    /// Sums the terms, and reports the variables with a coefficient other than zero.
    #[inline]
    fn evaluate(
        &self,
        terms: impl Iterator<Item = (Variable, Fr)>,
        mut input_present: impl FnMut(usize),
        mut aux_present: impl FnMut(usize),
    ) -> Result<Fr, Unknown> {
        let mut sum = Scalar::ZERO;
        for (variable, coefficient) in terms {
            if coefficient == Fr::ZERO {
                continue;
            }
            let value = match variable {
                Variable::Input(index) => {
                    let value = lookup("input", self.inputs, index)?;
                    input_present(index);
                    value
                }
                Variable::Aux(index) => {
                    let value = lookup("aux", self.aux, index)?;
                    aux_present(index);
                    value
                }
            };
            self.add_product(&mut sum, &coefficient, value);
        }
        Ok(sum.into())
    }

    // Circuits consist mostly of bits and of coefficients 1 and -1: a comparison is a nanosecond or
    // two, a product thirty.
    #[inline]
    fn add_product(&self, sum: &mut Scalar, coefficient: &Fr, value: &Fr) {
        if *value == Fr::ZERO {
            // nothing to add
        } else if *coefficient == Fr::ONE {
            *sum += value.as_scalar();
        } else if *value == Fr::ONE {
            *sum += coefficient.as_scalar();
        } else if *coefficient == self.minus_one {
            *sum -= value.as_scalar();
        } else {
            *sum += coefficient.as_scalar() * value.as_scalar();
        }
    }
}

#[inline]
fn lookup<'a>(kind: &'static str, values: &'a [Fr], index: usize) -> Result<&'a Fr, Unknown> {
    values.get(index).ok_or(Unknown { kind, index, allocated: values.len() })
}
