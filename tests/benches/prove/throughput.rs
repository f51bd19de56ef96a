//! Many proofs: through the pipeline, in a loop, and with bellperson in a loop.

use crate::report::Row;
use bellperson::groth16 as bellperson;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::error::Error;
use std::time::Instant;
use supraseal::{Engine, Randomness, Srs, bellpepper};
use supraseal_tests::half_boolean::HalfBoolean;
use supraseal_tests::oracle;

/// Seconds for all proofs, synthesis included; every proof is verified afterwards.
pub fn measure(
    engine: &Engine,
    log2: u32,
    proofs: u32,
    rounds: u32,
) -> Result<Row, Box<dyn Error>> {
    let circuit = HalfBoolean { constraints: (1 << log2) - 2, seed: 21 };
    let parameters = oracle::parameters(circuit, 21)?;
    let srs = Srs::from_bytes(engine, &oracle::encoded(&parameters))?;
    let mut row = Row::new(
        &format!("{proofs} proofs of 2^{log2}"),
        ["supraseal, pipeline", "supraseal, loop", "bellperson, loop"],
    );
    for round in 1..=rounds {
        eprintln!("throughput: round {round} of {rounds} ...");
        row.push(&[
            pipeline(engine, &srs, circuit, proofs)?,
            in_a_loop(engine, &srs, circuit, proofs)?,
            theirs(&parameters, circuit, proofs)?,
        ]);
    }
    Ok(row)
}

fn pipeline(
    engine: &Engine,
    srs: &Srs,
    circuit: HalfBoolean,
    proofs: u32,
) -> Result<f64, Box<dyn Error>> {
    let key = srs.verifying_key();
    let began = Instant::now();
    let pipeline = engine.pipeline().start()?;
    let done = std::thread::scope(|scope| -> Result<Vec<_>, supraseal::Error> {
        let taker = scope.spawn(|| pipeline.results().collect::<Vec<_>>());
        for _ in 0..proofs {
            let on = engine.clone();
            let synthesize = move || bellpepper::synthesize_on(&on, circuit);
            pipeline.submit(srs, Randomness::from_os()?, synthesize)?;
        }
        pipeline.close();
        Ok(taker.join().unwrap_or_default())
    })?;
    let elapsed = began.elapsed().as_secs_f64();
    if done.len() != proofs as usize {
        return Err(format!("{} proofs of {proofs}", done.len()).into());
    }
    for outcome in done {
        key.verify(&outcome.result?.0, &[circuit.blstrs_result()])?;
    }
    Ok(elapsed)
}

fn in_a_loop(
    engine: &Engine,
    srs: &Srs,
    circuit: HalfBoolean,
    proofs: u32,
) -> Result<f64, Box<dyn Error>> {
    let began = Instant::now();
    let mut done = Vec::new();
    for _ in 0..proofs {
        let assignment = bellpepper::synthesize_on(engine, circuit)?;
        done.push(engine.prove(srs, assignment, Randomness::from_os()?)?);
    }
    let elapsed = began.elapsed().as_secs_f64();
    let key = srs.verifying_key();
    for proof in &done {
        key.verify(proof, &[circuit.blstrs_result()])?;
    }
    Ok(elapsed)
}

fn theirs(
    parameters: &oracle::Parameters,
    circuit: HalfBoolean,
    proofs: u32,
) -> Result<f64, Box<dyn Error>> {
    let mut rng = StdRng::seed_from_u64(22);
    let began = Instant::now();
    let mut done = Vec::new();
    for _ in 0..proofs {
        done.push(bellperson::create_random_proof(circuit, parameters, &mut rng)?);
    }
    let elapsed = began.elapsed().as_secs_f64();
    let key = bellperson::prepare_verifying_key(&parameters.vk);
    for proof in &done {
        if !bellperson::verify_proof(&key, proof, &[circuit.blstrs_result()])? {
            return Err("a proof of bellperson does not verify".into());
        }
    }
    Ok(elapsed)
}
