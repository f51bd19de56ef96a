//! One way each of making a proof; all of them check it before they say how long it took.

use ark_groth16::Groth16;
use ark_snark::SNARK;
use bellperson::groth16 as bellperson;
use bls12_381::Bls12 as ZkcryptoBls12;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::error::Error;
use std::time::{Duration, Instant};
use supraseal::{Engine, Randomness, Srs, Timeline};
use supraseal_tests::half_boolean::HalfBoolean;
use supraseal_tests::{oracle, sapling};

type Outcome = Result<(Duration, Option<Timeline>), Box<dyn Error>>;

/// A prover with one circuit.
pub struct Prover<'a> {
    pub name: &'static str,
    /// Makes and verifies a proof; returns the time from the circuit to the proof.
    pub prove: Box<dyn FnMut() -> Outcome + 'a>,
}

const SEED: u64 = 20;

/// Every prover on the half-boolean circuit. Ours, bellperson and groth16 share their parameters;
/// arkworks makes its own.
pub fn half_boolean(engine: &Engine, size: usize) -> Result<Vec<Prover<'_>>, Box<dyn Error>> {
    // With the two constraints of the inputs, the domain is full.
    let circuit = HalfBoolean { constraints: size - 2, seed: SEED };
    let parameters = oracle::parameters(circuit, SEED)?;
    let file = oracle::encoded(&parameters);
    Ok(vec![
        ours(engine, circuit, Srs::from_bytes(engine, &file)?),
        arkworks(circuit)?,
        bellperson(circuit, parameters),
        groth16(circuit, sapling::native_parameters(&file)?, vec![circuit.zkcrypto_result()]),
    ])
}

/// Ours and groth16, the prover Zcash uses.
pub fn sapling_spend(engine: &Engine) -> Result<Vec<Prover<'_>>, Box<dyn Error>> {
    let (file, _) = sapling::parameter_files();
    let (spend, _) = sapling::circuits(SEED);
    let srs = Srs::from_bytes(engine, &file)?;
    let native = sapling::native_parameters(&file)?;
    let inputs = supraseal::bellman::synthesize(spend.clone())?;
    let inputs = inputs.public_inputs().iter().map(|input| *input.as_zkcrypto()).collect();
    let spend_for_ours = spend.clone();
    let ours = Prover {
        name: "supraseal",
        prove: Box::new(move || {
            let circuit = spend_for_ours.clone();
            let began = Instant::now();
            let assignment = supraseal::bellman::synthesize(circuit)?;
            let inputs = assignment.public_inputs().to_vec();
            let (proof, timeline) = engine.prove_timed(&srs, assignment, Randomness::from_os()?)?;
            let elapsed = began.elapsed();
            srs.verifying_key().verify(&proof, &inputs)?;
            Ok((elapsed, Some(timeline)))
        }),
    };
    Ok(vec![ours, groth16(spend, native, inputs)])
}

fn ours(engine: &Engine, circuit: HalfBoolean, srs: Srs) -> Prover<'_> {
    let prove = move || -> Outcome {
        let began = Instant::now();
        let assignment = supraseal::bellpepper::synthesize(circuit)?;
        let (proof, timeline) = engine.prove_timed(&srs, assignment, Randomness::from_os()?)?;
        let elapsed = began.elapsed();
        srs.verifying_key().verify(&proof, &[circuit.blstrs_result()])?;
        Ok((elapsed, Some(timeline)))
    };
    Prover { name: "supraseal", prove: Box::new(prove) }
}

fn arkworks(circuit: HalfBoolean) -> Result<Prover<'static>, Box<dyn Error>> {
    type Snark = Groth16<ark_bls12_381::Bls12_381>;
    let mut rng = StdRng::seed_from_u64(SEED);
    let (proving_key, verifying_key) = Snark::circuit_specific_setup(circuit, &mut rng)?;
    let verifying_key = Snark::process_vk(&verifying_key)?;
    let prove = move || -> Outcome {
        let began = Instant::now();
        let proof = Snark::prove(&proving_key, circuit, &mut rng)?;
        let elapsed = began.elapsed();
        let valid =
            Snark::verify_with_processed_vk(&verifying_key, &[circuit.ark_result()], &proof)?;
        require(valid, "ark-groth16")?;
        Ok((elapsed, None))
    };
    Ok(Prover { name: "ark-groth16", prove: Box::new(prove) })
}

fn bellperson(circuit: HalfBoolean, parameters: oracle::Parameters) -> Prover<'static> {
    let verifying_key = bellperson::prepare_verifying_key(&parameters.vk);
    let mut rng = StdRng::seed_from_u64(SEED);
    let prove = move || -> Outcome {
        let began = Instant::now();
        let proof = bellperson::create_random_proof(circuit, &parameters, &mut rng)?;
        let elapsed = began.elapsed();
        let valid = bellperson::verify_proof(&verifying_key, &proof, &[circuit.blstrs_result()])?;
        require(valid, "bellperson")?;
        Ok((elapsed, None))
    };
    Prover { name: "bellperson", prove: Box::new(prove) }
}

fn groth16<C>(
    circuit: C,
    parameters: groth16::Parameters<ZkcryptoBls12>,
    inputs: Vec<bls12_381::Scalar>,
) -> Prover<'static>
where
    C: bellman::Circuit<bls12_381::Scalar> + Clone + 'static,
{
    use ff_zcash::Field;
    use rand_zcash::SeedableRng;
    let verifying_key = groth16::prepare_verifying_key(&parameters.vk);
    let mut rng = rand_zcash::rngs::StdRng::seed_from_u64(SEED);
    let prove = move || -> Outcome {
        let (r, s) = (bls12_381::Scalar::random(&mut rng), bls12_381::Scalar::random(&mut rng));
        let circuit = circuit.clone();
        let began = Instant::now();
        let proof = groth16::create_proof(circuit, &parameters, r, s)?;
        let elapsed = began.elapsed();
        let valid = groth16::verify_proof(&verifying_key, &proof, &inputs).is_ok();
        require(valid, "groth16")?;
        Ok((elapsed, None))
    };
    Prover { name: "groth16/bellman", prove: Box::new(prove) }
}

fn require(valid: bool, prover: &str) -> Result<(), Box<dyn Error>> {
    if valid { Ok(()) } else { Err(format!("a proof of {prover} does not verify").into()) }
}
