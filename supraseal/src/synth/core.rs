//! What the front-ends share: the vectors that a constraint system fills, and the evaluation of
//! linear combinations.

use crate::{Assignment, AssignmentParts, Error, Fr, Result};
use blstrs::Scalar;
use ff::Field;

/// A variable, in the terms of either ecosystem.
#[derive(Clone, Copy)]
pub(super) enum Variable {
    Input(usize),
    Aux(usize),
}

/// The prover's side of a constraint system. Values are written once, into the vectors that the
/// prover reads.
pub(super) struct Synthesis {
    parts: AssignmentParts,
    failure: Option<Error>,
    minus_one: Fr,
}

impl Synthesis {
    /// Without variables, not even ONE.
    pub(super) fn empty() -> Self {
        let minus_one = Fr::from(-Scalar::ONE);
        Synthesis { parts: AssignmentParts::default(), failure: None, minus_one }
    }

    /// With ONE allocated, as a circuit expects to find it.
    pub(super) fn with_one() -> Self {
        let mut synthesis = Synthesis::empty();
        synthesis.alloc_input(Fr::ONE);
        synthesis
    }

    /// Returns the new variable's index.
    pub(super) fn alloc(&mut self, value: Fr) -> usize {
        self.parts.aux.push(value);
        self.parts.a_aux_density.push(false);
        self.parts.b_aux_density.push(false);
        self.parts.aux.len() - 1
    }

    /// Returns the new input's index.
    pub(super) fn alloc_input(&mut self, value: Fr) -> usize {
        self.parts.inputs.push(value);
        self.parts.b_input_density.push(false);
        self.parts.inputs.len() - 1
    }

    /// Adds a constraint, given the terms of its three linear combinations.
    pub(super) fn enforce(
        &mut self,
        a: impl Iterator<Item = (Variable, Fr)>,
        b: impl Iterator<Item = (Variable, Fr)>,
        c: impl Iterator<Item = (Variable, Fr)>,
    ) {
        let constraint = self.parts.a.len();
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
        self.parts.a.push(a);
        self.parts.b.push(b);
        self.parts.c.push(c);
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
        ours.inputs.extend_from_slice(&theirs.inputs[skip..]);
        ours.b_input_density.extend_from(&theirs.b_input_density, skip);
        ours.aux.extend_from_slice(&theirs.aux);
        ours.a_aux_density.extend_from(&theirs.a_aux_density, 0);
        ours.b_aux_density.extend_from(&theirs.b_aux_density, 0);
        ours.a.extend_from_slice(&theirs.a);
        ours.b.extend_from_slice(&theirs.b);
        ours.c.extend_from_slice(&theirs.c);
        if let Some(Error::UnknownVariable { constraint, kind, index, allocated }) = other.failure {
            let unknown = Unknown { kind, index, allocated };
            self.fail(unknown, constraints + constraint);
        }
    }

    /// Appends the constraints of the inputs.
    pub(super) fn finish(mut self) -> Result<Assignment> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let inputs = self.parts.inputs.len();
        self.parts.a.extend_from_slice(&self.parts.inputs);
        for zeros in [&mut self.parts.b, &mut self.parts.c] {
            zeros.resize(zeros.len() + inputs, Fr::ZERO);
        }
        Assignment::from_parts(self.parts)
    }

    // `enforce` of both ecosystems returns nothing, so that the first failure waits for the end.
    fn fail(&mut self, unknown: Unknown, constraint: usize) {
        let Unknown { kind, index, allocated } = unknown;
        self.failure.get_or_insert(Error::UnknownVariable { constraint, kind, index, allocated });
    }
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
