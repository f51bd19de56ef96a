//! The bridge between Rust and the C++ Groth16 prover of supraseal.
//!
//! Nothing here has a policy: memory budgets, pools and pipelines live in the `supraseal` crate, which
//! is what programs should use. This crate compiles `cpp/`, checks the pinned upstream sources, and
//! wraps every foreign function so that its arguments are typed slices and its failures are
//! [`Error`]s.
//!
//! # The unsafe boundary
//!
//! All `unsafe` code of the workspace is in this crate:
//!
//! * [`Fr`], [`G1Affine`] and [`G2Affine`] are `repr(transparent)` over blst's types and cross the
//!   bridge as they are. `src/layout.rs` and `cpp/core/types.h` assert their size and alignment.
//! * [`ThreadPool`], [`HostMemory`], [`Srs`], [`Backend`] and [`Quotient`] are `Send` and `Sync`; the
//!   comments on the `unsafe impl`s say which C++ guarantee each rests on.
//! * A [`HostVec`] owns a block of a [`HostMemory`], which counts references so that it outlives its
//!   blocks. Elements are plain values; only the initialised ones can be seen.
//! * Every foreign function that can fail returns a `Result`; one catch table
//!   (`cpp/bridge/bridge.h`) turns whatever was thrown into [`Error`].

mod backend;
mod bridge;
mod error;
mod host_memory;
mod layout;
mod prove;
mod srs;
mod thread_pool;
mod timeline;
mod types;

pub use backend::{Backend, Kernels};
pub use error::{Error, Section, SrsFault};
pub use host_memory::{HostMemory, HostMemoryFigures, HostVec, Pod, ProofShape};
pub use prove::{Evaluations, Proof, Quotient, Witness, prove, quotient};
pub use srs::{PointChecks, Srs, SrsCounts, VerifyingKey};
pub use thread_pool::ThreadPool;
pub use timeline::{Phase, PhaseKind};
pub use types::{Fr, G1Affine, G2Affine};

/// What this build needs and what the processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildInfo {
    /// blst's assembly was compiled for processors with ADX and BMI2 only. Build with the feature
    /// `portable` to choose at run time instead.
    pub needs_adx: bool,
    /// The processor has ADX and BMI2.
    pub cpu_has_adx: bool,
    /// The processor has AVX-512 IFMA; the CPU backend then uses its vector kernels.
    pub cpu_has_ifma: bool,
}

/// Says what this build needs and what the processor has. Runs no instruction beyond the baseline.
pub fn build_info() -> BuildInfo {
    let info = bridge::ffi::build_info();
    BuildInfo {
        needs_adx: info.needs_adx,
        cpu_has_adx: info.cpu_has_adx,
        cpu_has_ifma: info.cpu_has_ifma,
    }
}
