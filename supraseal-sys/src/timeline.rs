//! What each phase of a call took, as data.

use crate::bridge::ffi::RawPhase;

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

/// When one phase ran. Times are nanoseconds since the call began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The step.
    pub kind: PhaseKind,
    /// Start.
    pub start_ns: u64,
    /// End.
    pub end_ns: u64,
    /// Bytes of the phase's inputs and outputs.
    pub bytes: u64,
    /// Threads that could work on it.
    pub threads: u32,
}

pub(crate) fn phases(raw: &[RawPhase]) -> impl Iterator<Item = Phase> + '_ {
    raw.iter().filter_map(|phase| {
        Some(Phase {
            kind: *PhaseKind::ALL.get(usize::from(phase.kind))?,
            start_ns: phase.start_ns,
            end_ns: phase.end_ns,
            bytes: phase.bytes,
            threads: phase.threads,
        })
    })
}
