//! bellperson: parameters for generated circuits, and the proofs that ours must equal.

use bellpepper_core::{Circuit, SynthesisError};
use bellperson::groth16;
use blstrs::{Bls12, Scalar};
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Parameters of bellperson.
pub type Parameters = groth16::Parameters<Bls12>;

/// Parameters for a circuit, drawn from `seed`.
///
/// # Errors
///
/// As bellperson's generator, which refuses circuits with a private variable that occurs nowhere.
pub fn parameters(
    circuit: impl Circuit<Scalar> + Send,
    seed: u64,
) -> Result<Parameters, SynthesisError> {
    groth16::generate_random_parameters(circuit, &mut StdRng::seed_from_u64(seed))
}

/// The parameters as a file's content.
///
/// # Panics
///
/// Never: writing to memory does not fail.
pub fn encoded(parameters: &Parameters) -> Vec<u8> {
    let mut bytes = Vec::new();
    parameters.write(&mut bytes).expect("memory takes everything");
    bytes
}

/// The bytes of bellperson's own proof.
///
/// # Errors
///
/// As bellperson's prover.
///
/// # Panics
///
/// Never: writing to memory does not fail.
pub fn proof(
    circuit: impl Circuit<Scalar> + Send,
    parameters: &Parameters,
    r: Scalar,
    s: Scalar,
) -> Result<Vec<u8>, SynthesisError> {
    let proof = groth16::create_proof(circuit, parameters, r, s)?;
    let mut bytes = Vec::new();
    proof.write(&mut bytes).expect("memory takes everything");
    Ok(bytes)
}
