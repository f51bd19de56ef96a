//! The safe crate from outside, on a small circuit.

mod engine;
mod pending;
mod pipeline;
mod squarings;
