//! The proving call.

use crate::{Error, Fr, G1Affine, G2Affine, Srs, ThreadPool, bridge::ffi};

/// One synthesised circuit, borrowed for the length of the call.
///
/// `a`, `b` and `c` have one evaluation per constraint, the `x * 0 = 0` constraints of the inputs
/// included. Bit `i` of word `i / 64` of a density says that variable `i` has a point in the query.
#[derive(Clone, Copy, Debug)]
pub struct Circuit<'a> {
    /// Evaluations of A.
    pub a: &'a [Fr],
    /// Evaluations of B, as many as of A.
    pub b: &'a [Fr],
    /// Evaluations of C, as many as of A.
    pub c: &'a [Fr],
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

/// A proof's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the field's
pub struct Proof {
    pub a: G1Affine,
    pub b: G2Affine,
    pub c: G1Affine,
}

/// A step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PhaseKind {
    /// Sorting of the witness into 0, 1 and others, by density.
    Classify,
    /// NTTs and the quotient polynomial H.
    Quotient,
    /// MSM over the section h.
    MsmH,
    /// MSM over the section l.
    MsmL,
    /// MSM over the section a.
    MsmA,
    /// MSM over the section b, in G1.
    MsmBG1,
    /// MSM over the section b, in G2.
    MsmBG2,
    /// Assembly with r and s.
    Assemble,
}

impl PhaseKind {
    /// All steps, in the order of their wire numbers.
    const ALL: [PhaseKind; 8] = [
        PhaseKind::Classify,
        PhaseKind::Quotient,
        PhaseKind::MsmH,
        PhaseKind::MsmL,
        PhaseKind::MsmA,
        PhaseKind::MsmBG1,
        PhaseKind::MsmBG2,
        PhaseKind::Assemble,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            PhaseKind::Classify => "classify",
            PhaseKind::Quotient => "quotient H",
            PhaseKind::MsmH => "MSM h",
            PhaseKind::MsmL => "MSM l",
            PhaseKind::MsmA => "MSM a",
            PhaseKind::MsmBG1 => "MSM b_g1",
            PhaseKind::MsmBG2 => "MSM b_g2",
            PhaseKind::Assemble => "assemble",
        }
    }
}

/// When one phase of one proof ran. Times are nanoseconds since the call began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The step.
    pub kind: PhaseKind,
    /// The circuit's index in the batch.
    pub circuit: usize,
    /// Start.
    pub start_ns: u64,
    /// End.
    pub end_ns: u64,
    /// Bytes of the phase's inputs and outputs.
    pub bytes: u64,
    /// Threads that could work on it.
    pub threads: u32,
}

/// The result of [`prove`].
#[derive(Clone, Debug)]
pub struct Proofs {
    /// One proof a circuit, in their order.
    pub proofs: Vec<Proof>,
    /// What took how long.
    pub phases: Vec<Phase>,
}

/// Proves each circuit against `srs` on the pool's threads. Blocks until done.
///
/// # Errors
///
/// [`Error::Shape`] when a circuit does not fit the key, before any work; [`Error::Memory`];
/// [`Error::Internal`] with the phase for anything unforeseen.
pub fn prove(pool: &ThreadPool, srs: &Srs, circuits: &[Circuit<'_>]) -> Result<Proofs, Error> {
    let raw: Vec<ffi::RawCircuit<'_>> = circuits
        .iter()
        .map(|circuit| ffi::RawCircuit {
            a: circuit.a,
            b: circuit.b,
            c: circuit.c,
            inputs: circuit.inputs,
            aux: circuit.aux,
            a_aux_density: circuit.a_aux_density,
            b_input_density: circuit.b_input_density,
            b_aux_density: circuit.b_aux_density,
            r: circuit.r,
            s: circuit.s,
        })
        .collect();
    let raw = ffi::prove_circuits(pool.raw(), srs.raw(), &raw)?;
    let phases = raw
        .phases
        .iter()
        .filter_map(|phase| {
            Some(Phase {
                kind: *PhaseKind::ALL.get(usize::from(phase.kind))?,
                circuit: phase.circuit as usize,
                start_ns: phase.start_ns,
                end_ns: phase.end_ns,
                bytes: phase.bytes,
                threads: phase.threads,
            })
        })
        .collect();
    let proofs = raw.proofs.iter().map(|p| Proof { a: p.a, b: p.b, c: p.c }).collect();
    Ok(Proofs { proofs, phases })
}
