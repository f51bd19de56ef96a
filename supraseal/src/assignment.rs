//! A synthesised circuit.

use crate::memory::{Pool, Promise, Scalars};
use crate::{BatchMismatch, Density, Error, Fr, Result, SrsCounts};
use std::fmt;
use std::sync::Arc;
use supraseal_sys::ProofShape;

/// The most constraints a circuit may have: the scalar field has no larger domain than 2^32, and the
/// prover's tables end at 2^28.
pub const MAX_CONSTRAINTS: usize = 1 << 28;

/// What a circuit's assignment consists of. Every scalar is in Montgomery form, as [`Fr`] always is.
///
/// There is one evaluation for each constraint, the `x * 0 = 0` constraints that the prover of
/// bellman and bellperson appends for the inputs included.
#[derive(Clone, Default)]
pub struct AssignmentParts {
    /// Evaluations of the constraints' left factors.
    pub a: Vec<Fr>,
    /// Evaluations of the right factors; as many.
    pub b: Vec<Fr>,
    /// Evaluations of the products; as many.
    pub c: Vec<Fr>,
    /// The public inputs' values, after ONE.
    pub inputs: Vec<Fr>,
    /// The private variables' values.
    pub aux: Vec<Fr>,
    /// Which private variables occur in A: a bit for each.
    pub a_aux_density: Density,
    /// Which inputs occur in B: a bit for each, ONE included. (In A they all do.)
    pub b_input_density: Density,
    /// Which private variables occur in B: a bit for each.
    pub b_aux_density: Density,
}

/// The counts that a circuit and a key must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Constraints, those of the inputs included.
    pub constraints: usize,
    /// Public inputs, ONE included.
    pub inputs: usize,
    /// Private variables.
    pub aux: usize,
    /// Private variables in A.
    pub a_aux: usize,
    /// Inputs in B, ONE included.
    pub b_inputs: usize,
    /// Private variables in B.
    pub b_aux: usize,
}

impl Shape {
    /// The evaluation domain's size: the smallest power of two that holds every constraint.
    pub fn domain(&self) -> usize {
        // Anybody may write to the field, so that the count need not be an assignment's.
        self.constraints.checked_next_power_of_two().unwrap_or(usize::MAX)
    }

    /// What a proof of this shape needs of an engine's memory on `threads` threads.
    pub(crate) fn memory(&self, threads: usize) -> MemoryNeeds {
        let shape = ProofShape {
            constraints: self.constraints as u64,
            inputs: self.inputs as u64,
            aux: self.aux as u64,
            in_a: (self.inputs + self.a_aux) as u64,
            in_b: (self.b_inputs + self.b_aux) as u64,
        };
        MemoryNeeds {
            evaluations: 3 * block_bytes(self.constraints),
            witness: block_bytes(self.inputs) + block_bytes(self.aux),
            evaluation_scratch: shape.evaluation_scratch(threads),
            witness_scratch: shape.witness_scratch(threads),
        }
    }

    /// Refuses a key of another circuit.
    pub(crate) fn check_key(&self, key: &SrsCounts) -> Result<()> {
        let counts = [
            ("inputs with ONE, and the key's section ic", key.ic, self.inputs),
            ("evaluation domain less one, and the key's section h", key.h, self.domain() - 1),
            ("private variables, and the key's section l", key.l, self.aux),
            ("variables in A, and the key's section a", key.a, self.inputs + self.a_aux),
            ("variables in B, and the key's section b_g1", key.b_g1, self.b_inputs + self.b_aux),
            ("variables in B, and the key's section b_g2", key.b_g2, self.b_inputs + self.b_aux),
        ];
        match counts.into_iter().find(|(_, expected, got)| expected != got) {
            Some((what, expected, got)) => Err(Error::shape(
                format!("circuit and parameters do not belong together: {what}"),
                expected,
                got,
            )),
            None => Ok(()),
        }
    }
}

/// Bytes of a block of so many scalars: whole pages, and an idle block that is taken again may be larger
/// by a quarter than what it is taken for.
pub(crate) fn block_bytes(scalars: usize) -> u64 {
    const PAGES: u64 = 1 << 16;
    let bytes = scalars as u64 * size_of::<Fr>() as u64;
    bytes + bytes / 4 + PAGES
}

/// Bytes of an engine's memory, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryNeeds {
    pub(crate) evaluations: u64,
    pub(crate) witness: u64,
    pub(crate) evaluation_scratch: u64,
    pub(crate) witness_scratch: u64,
}

impl MemoryNeeds {
    /// While H is computed, and after: the evaluations are given back between.
    pub(crate) fn of_assignment(&self) -> (u64, u64) {
        let before = self.evaluations + self.witness + self.evaluation_scratch;
        let after = self.witness + self.witness_scratch;
        (before.max(after), after)
    }

    /// The same where the assignment's vectors are the caller's.
    pub(crate) fn of_scratch(&self) -> (u64, u64) {
        (self.evaluation_scratch.max(self.witness_scratch), self.witness_scratch)
    }
}

/// A synthesised circuit, ready to be proved. Its parts fit together by construction; whether the
/// values satisfy the circuit is the business of
/// [`check_witness`](crate::EngineBuilder::check_witness).
///
/// It holds the witness, so its `Debug` form prints counts only.
pub struct Assignment {
    vectors: Vectors,
    shape: Shape,
    // Behind the memory that it stands for, so that it is dropped after it.
    promise: Option<Promise>,
}

/// [`AssignmentParts`], in whosever memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vectors {
    pub(crate) a: Scalars,
    pub(crate) b: Scalars,
    pub(crate) c: Scalars,
    pub(crate) inputs: Scalars,
    pub(crate) aux: Scalars,
    pub(crate) a_aux_density: Density,
    pub(crate) b_input_density: Density,
    pub(crate) b_aux_density: Density,
}

impl Assignment {
    /// Checks that the parts fit together.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for lengths that do not, for no constraints or more than
    /// [`MAX_CONSTRAINTS`], and for no inputs (there is always ONE);
    /// [`Error::FirstInputNotOne`].
    pub fn from_parts(parts: AssignmentParts) -> Result<Self> {
        let vectors = Vectors {
            a: parts.a.into(),
            b: parts.b.into(),
            c: parts.c.into(),
            inputs: parts.inputs.into(),
            aux: parts.aux.into(),
            a_aux_density: parts.a_aux_density,
            b_input_density: parts.b_input_density,
            b_aux_density: parts.b_aux_density,
        };
        Assignment::from_vectors(vectors, None)
    }

    pub(crate) fn from_vectors(parts: Vectors, promise: Option<Promise>) -> Result<Self> {
        let constraints = parts.a.len();
        if constraints == 0 {
            return Err(Error::shape("too few constraints", 1, 0));
        }
        if constraints > MAX_CONSTRAINTS {
            return Err(Error::shape("too many constraints", MAX_CONSTRAINTS, constraints));
        }
        let (inputs, aux) = (parts.inputs.len(), parts.aux.len());
        for (what, expected, got) in [
            ("evaluations of B", constraints, parts.b.len()),
            ("evaluations of C", constraints, parts.c.len()),
            ("bits of the density of private variables in A", aux, parts.a_aux_density.len()),
            ("bits of the density of inputs in B", inputs, parts.b_input_density.len()),
            ("bits of the density of private variables in B", aux, parts.b_aux_density.len()),
        ] {
            if expected != got {
                return Err(Error::shape(what, expected, got));
            }
        }
        match parts.inputs.first() {
            Some(&Fr::ONE) => {}
            Some(_) => return Err(Error::FirstInputNotOne),
            None => return Err(Error::shape("too few inputs with ONE", 1, 0)),
        }
        let shape = Shape {
            constraints,
            inputs,
            aux,
            a_aux: parts.a_aux_density.count(),
            b_inputs: parts.b_input_density.count(),
            b_aux: parts.b_aux_density.count(),
        };
        Ok(Assignment { vectors: parts, shape, promise })
    }

    /// Gives the parts back; those in an engine's memory are copied.
    pub fn into_parts(self) -> AssignmentParts {
        let Vectors { a, b, c, inputs, aux, a_aux_density, b_input_density, b_aux_density } =
            self.vectors;
        AssignmentParts {
            a: a.into_vec(),
            b: b.into_vec(),
            c: c.into_vec(),
            inputs: inputs.into_vec(),
            aux: aux.into_vec(),
            a_aux_density,
            b_input_density,
            b_aux_density,
        }
    }

    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// The right to memory of this pool, if it was synthesised in it.
    pub(crate) fn promise_of(&self, pool: &Arc<Pool>) -> Option<&Promise> {
        self.promise.as_ref().filter(|promise| Arc::ptr_eq(promise.pool(), pool))
    }

    pub(crate) fn promise_mut(&mut self) -> Option<&mut Promise> {
        self.promise.as_mut()
    }

    pub(crate) fn into_vectors(self) -> (Vectors, Option<Promise>) {
        (self.vectors, self.promise)
    }

    /// The counts.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The public inputs without ONE: what a verifier is given.
    pub fn public_inputs(&self) -> &[Fr] {
        self.vectors.inputs.get(1..).unwrap_or_default()
    }

    /// Bytes of memory that the vectors hold, spare capacity included.
    pub fn memory_bytes(&self) -> usize {
        let Vectors { a, b, c, inputs, aux, .. } = &self.vectors;
        let densities = [
            &self.vectors.a_aux_density,
            &self.vectors.b_input_density,
            &self.vectors.b_aux_density,
        ];
        [a, b, c, inputs, aux].into_iter().map(Scalars::memory_bytes).sum::<usize>()
            + densities.iter().map(|d| size_of_val(d.words())).sum::<usize>()
    }

    /// Refuses a batch-mate of another circuit.
    pub(crate) fn check_same_circuit(&self, other: &Assignment, index: usize) -> Result<()> {
        let (ours, theirs) = (&self.shape, &other.shape);
        for (what, expected, got) in [
            ("constraints", ours.constraints, theirs.constraints),
            ("inputs", ours.inputs, theirs.inputs),
            ("private variables", ours.aux, theirs.aux),
            ("private variables in A", ours.a_aux, theirs.a_aux),
            ("inputs in B", ours.b_inputs, theirs.b_inputs),
            ("private variables in B", ours.b_aux, theirs.b_aux),
        ] {
            if expected != got {
                let (expected, got) = (expected as u64, got as u64);
                return Err(BatchMismatch::Shape { index, what, expected, got }.into());
            }
        }
        // Equal counts at other places would pass the key's check and give a wrong proof.
        let (ours, theirs) = (&self.vectors, &other.vectors);
        for (what, expected, got) in [
            ("A", &ours.a_aux_density, &theirs.a_aux_density),
            ("B (inputs)", &ours.b_input_density, &theirs.b_input_density),
            ("B", &ours.b_aux_density, &theirs.b_aux_density),
        ] {
            if expected != got {
                return Err(BatchMismatch::Density { index, what }.into());
            }
        }
        Ok(())
    }
}

impl Clone for Assignment {
    /// The copy is in memory of its own, outside of any engine's budget.
    fn clone(&self) -> Self {
        Assignment { vectors: self.vectors.clone(), shape: self.shape, promise: None }
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assignment").field("shape", &self.shape).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(constraints: usize, inputs: usize, aux: usize) -> AssignmentParts {
        let mut ones = vec![Fr::ONE];
        ones.resize(inputs, Fr::ZERO);
        AssignmentParts {
            a: vec![Fr::ZERO; constraints],
            b: vec![Fr::ONE; constraints],
            c: vec![Fr::ZERO; constraints],
            inputs: ones,
            aux: vec![Fr::ZERO; aux],
            a_aux_density: (0..aux).map(|_| true).collect(),
            b_input_density: (0..inputs).map(|i| i == 0).collect(),
            b_aux_density: (0..aux).map(|i| i % 2 == 0).collect(),
        }
    }

    fn refused(change: impl FnOnce(&mut AssignmentParts)) -> Error {
        let mut parts = parts(5, 2, 3);
        change(&mut parts);
        Assignment::from_parts(parts).expect_err("must be refused")
    }

    #[test]
    fn counts_are_those_of_the_parts() {
        let assignment = Assignment::from_parts(parts(5, 2, 3)).expect("valid");
        let shape = Shape { constraints: 5, inputs: 2, aux: 3, a_aux: 3, b_inputs: 1, b_aux: 2 };
        assert_eq!(assignment.shape(), shape);
        assert_eq!(shape.domain(), 8);
        assert_eq!(assignment.public_inputs(), &[Fr::ZERO]);
        assert!(assignment.memory_bytes() >= 32 * (3 * 5 + 2 + 3));
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        assert!(matches!(refused(|p| p.b.truncate(4)), Error::Shape { expected: 5, got: 4, .. }));
        assert!(matches!(refused(|p| p.c.push(Fr::ONE)), Error::Shape { got: 6, .. }));
        assert!(matches!(refused(|p| p.a.clear()), Error::Shape { expected: 1, got: 0, .. }));
        assert!(matches!(refused(|p| p.inputs[0] = Fr::ZERO), Error::FirstInputNotOne));
        assert!(matches!(refused(|p| p.aux.push(Fr::ONE)), Error::Shape { expected: 4, .. }));
        let none = |p: &mut AssignmentParts| {
            p.inputs.clear();
            p.b_input_density = Density::default();
        };
        assert!(matches!(refused(none), Error::Shape { expected: 1, got: 0, .. }));
        let short = |p: &mut AssignmentParts| p.b_input_density = Density::default();
        assert!(matches!(refused(short), Error::Shape { expected: 2, got: 0, .. }));
    }

    #[test]
    fn witness_stays_out_of_debug_output() {
        let mut parts = parts(1, 1, 1);
        parts.aux[0] = Fr::from(blstrs::Scalar::from(0x00c0_ffee));
        let text = format!("{:?}", Assignment::from_parts(parts).expect("valid"));
        assert!(text.contains("constraints: 1") && !text.contains("c0ffee"), "{text}");
    }

    #[test]
    fn keys_of_other_circuits_are_refused() {
        let shape = Assignment::from_parts(parts(5, 2, 3)).expect("valid").shape();
        let fits = SrsCounts { ic: 2, h: 7, l: 3, a: 5, b_g1: 3, b_g2: 3 };
        shape.check_key(&fits).expect("fits");
        for wrong in [
            SrsCounts { ic: 3, ..fits },
            SrsCounts { h: 8, ..fits },
            SrsCounts { l: 2, ..fits },
            SrsCounts { a: 4, ..fits },
            SrsCounts { b_g1: 2, ..fits },
            SrsCounts { b_g2: 4, ..fits },
        ] {
            assert!(matches!(shape.check_key(&wrong), Err(Error::Shape { .. })));
        }
    }

    #[test]
    fn batch_mates_of_other_circuits_are_refused() {
        let first = Assignment::from_parts(parts(5, 2, 3)).expect("valid");
        let longer = Assignment::from_parts(parts(6, 2, 3)).expect("valid");
        let error = first.check_same_circuit(&longer, 4).expect_err("differs");
        assert!(matches!(
            error,
            Error::BatchMismatch(BatchMismatch::Shape { index: 4, expected: 5, got: 6, .. })
        ));
        let mut moved = parts(5, 2, 3);
        moved.b_aux_density = [true, true, false].into_iter().collect();
        let moved = Assignment::from_parts(moved).expect("valid");
        let error = first.check_same_circuit(&moved, 1).expect_err("differs");
        assert!(matches!(
            error,
            Error::BatchMismatch(BatchMismatch::Density { index: 1, what: "B" })
        ));
        first.check_same_circuit(&first.clone(), 1).expect("same");
    }
}
