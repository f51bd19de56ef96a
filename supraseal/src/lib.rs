//! Safe, fast Groth16 proving over BLS12-381.
//!
//! # What a proof is
//!
//! A circuit says what must be true of some public inputs and some private values, its witness. A
//! [`Proof`] of 192 bytes convinces anybody who has the circuit's [`VerifyingKey`] that the prover
//! knew such values for these public inputs, and reveals nothing else about them.
//!
//! # The way to a proof
//!
//! 1. Build an [`Engine`]: a thread pool and settings.
//! 2. Load the circuit's parameters, once: [`Srs::load`]. Files of bellperson, bellman and Zcash's
//!    ceremony are read as they are.
//! 3. Synthesise the circuit with its witness: `supraseal::bellpepper::synthesize` for circuits of
//!    the Filecoin ecosystem, `supraseal::bellman::synthesize` (feature `bellman`) for those of the
//!    Zcash ecosystem, or [`Assignment::from_parts`] for any other.
//! 4. Prove: [`Engine::prove`], or [`Engine::prove_batch`] for several circuits of one shape.
//!
//! With the same [`Randomness`] the proof is byte for byte that of bellperson and of bellman.
//!
//! ```no_run
//! use supraseal::{Engine, Randomness, Result};
//! # fn run(circuit: impl bellpepper_core::Circuit<blstrs::Scalar>) -> Result<()> {
//! let engine = Engine::new()?;
//! let srs = engine.load_srs("circuit.params")?;
//! let assignment = supraseal::bellpepper::synthesize(circuit)?;
//! let inputs = assignment.public_inputs().to_vec();
//! let proof = engine.prove(&srs, assignment, Randomness::from_os()?)?;
//! srs.verifying_key().verify(&proof, &inputs)?;
//! let bytes: [u8; 192] = proof.to_bytes();
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | feature | default | what it does |
//! | --- | --- | --- |
//! | `bellpepper` | yes | circuits of `bellpepper-core` 0.2 |
//! | `bellman` | no | circuits of `bellman` 0.15 |
//! | `portable` | no | runs on x86-64 processors without ADX too, whatever machine it is built on |
//! | `force-adx` | no | only for processors with ADX, whatever machine it is built on |
//!
//! # Errors and panics
//!
//! Everything that can fail returns [`Error`], also what fails in native code; no call panics unless
//! the circuit given to it does.

#![forbid(unsafe_code)]
// Without a front-end nothing is synthesised into pooled memory.
#![cfg_attr(
    not(any(feature = "bellpepper", feature = "bellman")),
    allow(dead_code, unused_imports)
)]

mod assignment;
mod budget;
mod dealloc;
mod density;
mod engine;
mod error;
mod memory;
mod metrics;
mod pipeline;
mod proof;
mod randomness;
mod srs;
mod sync;
mod synth;
mod throttle;
mod timeline;
mod verifying_key;
mod witness;

pub use assignment::{Assignment, AssignmentParts, MAX_CONSTRAINTS, Shape};
pub use budget::{Account, AccountMetrics, Acquire, Evictor, MemoryBudget, Reservation};
pub use dealloc::{Deallocator, DeallocatorMetrics};
pub use density::Density;
pub use engine::{Backend, Engine, EngineBuilder, MAX_POOL_THREADS, PendingProof, PoolSize};
pub use error::{BatchMismatch, EncodingFault, Error, Result};
pub use memory::PoolMetrics;
pub use metrics::Metrics;
pub use pipeline::{JobId, Order, Outcome, Pipeline, PipelineBuilder};
pub use proof::Proof;
pub use randomness::Randomness;
pub use srs::Srs;
pub use supraseal_sys::{
    BuildInfo, Fr, PhaseKind, PointChecks, Section, SrsCounts, SrsFault, build_info,
};
pub use throttle::{Throttle, ThrottleHold, ThrottleMetrics};
pub use timeline::{Phase, Timeline};
pub use verifying_key::VerifyingKey;

#[cfg(feature = "bellman")]
pub use synth::bellman;
#[cfg(feature = "bellpepper")]
pub use synth::bellpepper;

/// The code in README.md compiles, and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
