//! The two steps of a proof.

use crate::{
    Backend, Error, Fr, G1Affine, G2Affine, HostMemory, Phase, Srs, ThreadPool, bridge::ffi,
    timeline,
};
use cxx::UniquePtr;

/// A circuit's evaluations, borrowed for the length of a call: one per constraint, the `x * 0 = 0`
/// constraints of the inputs included.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'a> {
    /// Of A.
    pub a: &'a [Fr],
    /// Of B, as many as of A.
    pub b: &'a [Fr],
    /// Of C, as many as of A.
    pub c: &'a [Fr],
}

/// A circuit's assignment and a proof's randomness, borrowed for the length of a call.
///
/// Bit `i` of word `i / 64` of a density says that variable `i` has a point in the query.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// Input assignment, ONE first.
    pub inputs: &'a [Fr],
    /// Aux assignment.
    pub aux: &'a [Fr],
    /// Density of aux variables in A: `aux.len()` bits.
    pub a_aux_density: &'a [u64],
    /// Density of inputs in B: `inputs.len()` bits.
    pub b_input_density: &'a [u64],
    /// Density of aux variables in B: `aux.len()` bits.
    pub b_aux_density: &'a [u64],
    /// The proof's randomness.
    pub r: Fr,
    /// The proof's randomness.
    pub s: Fr,
}

/// The coefficients of the quotient polynomial H.
pub struct Quotient(UniquePtr<ffi::Quotient>);

// SAFETY: the C++ Quotient is a vector of numbers: it may be used and destroyed on any thread.
unsafe impl Send for Quotient {}
// SAFETY: only const access is offered.
unsafe impl Sync for Quotient {}

impl Quotient {
    /// Bytes of memory it holds.
    pub fn bytes(&self) -> usize {
        // `compute_quotient` throws rather than return null, so the pointer is never empty.
        ffi::quotient_bytes(&self.0)
    }
}

impl std::fmt::Debug for Quotient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Quotient").field("bytes", &self.bytes()).finish()
    }
}

/// A proof's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the field's
pub struct Proof {
    pub a: G1Affine,
    pub b: G2Affine,
    pub c: G1Affine,
}

/// The first step: H. The evaluations are not needed after it. Blocks until done, on the pool's
/// threads and in `memory`; appends to `phases` what took how long.
///
/// # Errors
///
/// [`Error::Shape`] for evaluations that differ in number, none, or more than 2^28;
/// [`Error::Memory`]; [`Error::Internal`] with the phase for anything unforeseen.
pub fn quotient(
    pool: &ThreadPool,
    memory: &HostMemory,
    backend: &Backend,
    evaluations: Evaluations<'_>,
    phases: &mut Vec<Phase>,
) -> Result<Quotient, Error> {
    let Evaluations { a, b, c } = evaluations;
    let mut raw = Vec::new();
    let quotient =
        ffi::compute_quotient(pool.raw(), memory.raw(), backend.raw(), a, b, c, &mut raw)?;
    phases.extend(timeline::phases(&raw));
    Ok(Quotient(quotient))
}

/// The second step: classification of the witness, MSMs and assembly. Blocks until done, on the
/// pool's threads and in `memory`; appends to `phases` what took how long.
///
/// # Errors
///
/// [`Error::Shape`] when the quotient or the witness does not fit the key, before any work;
/// [`Error::Memory`]; [`Error::Internal`] with the phase for anything unforeseen.
pub fn prove(
    pool: &ThreadPool,
    memory: &HostMemory,
    backend: &Backend,
    srs: &Srs,
    quotient: &Quotient,
    witness: Witness<'_>,
    phases: &mut Vec<Phase>,
) -> Result<Proof, Error> {
    let witness = ffi::RawWitness {
        inputs: witness.inputs,
        aux: witness.aux,
        a_aux_density: witness.a_aux_density,
        b_input_density: witness.b_input_density,
        b_aux_density: witness.b_aux_density,
        r: witness.r,
        s: witness.s,
    };
    let mut raw = Vec::new();
    let proof = ffi::prove_witness(
        pool.raw(),
        memory.raw(),
        backend.raw(),
        srs.raw(),
        &quotient.0,
        &witness,
        &mut raw,
    )?;
    phases.extend(timeline::phases(&raw));
    Ok(Proof { a: proof.a, b: proof.b, c: proof.c })
}
