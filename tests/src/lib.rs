//! What the tests and benches of supraseal share: circuits, parameters and the provers to compare
//! with.
//!
//! The oracle is bellperson's native prover: with `r` and `s` given, a Groth16 proof is unique, so
//! that ours must be the same bytes.
//!
//! `SUPRASEAL_SLOW=1` makes the property tests run ten times as many cases.

pub mod circuits;
pub mod half_boolean;
pub mod oracle;
pub mod process;
pub mod sapling;

/// Cases of a property test: `normal`, or ten times as many when `SUPRASEAL_SLOW` is set.
pub fn cases(normal: u32) -> u32 {
    if std::env::var_os("SUPRASEAL_SLOW").is_some() { 10 * normal } else { normal }
}
