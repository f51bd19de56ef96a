//! A long random run of everything at once.

use super::{MIB, circuit, file, randomness, take_turns};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use supraseal::{
    Assignment, Engine, Error, MemoryBudget, PoolSize, Proof, Result, Srs, VerifyingKey, bellpepper,
};
use supraseal_tests::process::resident;

/// 60 seconds, ten minutes with `SUPRASEAL_SLOW=1`, or as long as `SUPRASEAL_SOAK_SECONDS` says.
#[test]
fn soak() {
    let _turn = take_turns();
    let seconds = std::env::var("SUPRASEAL_SOAK_SECONDS").ok().and_then(|s| s.parse().ok());
    let length = Duration::from_secs(seconds.unwrap_or(supraseal_tests::cases(60).into()));
    let keys: Vec<(u32, Vec<u8>)> = [3, 8, 11, 13].map(|log2| (log2, file(log2))).into();
    let seed = rand::random::<u64>();
    eprintln!("seed {seed}");
    let before = resident();
    let began = Instant::now();
    let proofs = AtomicUsize::new(0);
    let mut round = 0;
    while began.elapsed() < length {
        run(
            &keys,
            seed ^ round,
            &proofs,
            length.saturating_sub(began.elapsed()).min(Duration::from_secs(5)),
        );
        round += 1;
    }
    let proofs = proofs.into_inner();
    eprintln!("{proofs} proofs in {round} rounds");
    assert!(proofs > 100);
    assert!(resident() <= before + 64 * MIB, "{} bytes, {before} before", resident());
}

/// One engine with a random budget and pool, eight threads.
fn run(files: &[(u32, Vec<u8>)], seed: u64, proofs: &AtomicUsize, length: Duration) {
    let mut rng = StdRng::seed_from_u64(seed);
    let keys_bytes: u64 = files.iter().map(|(_, file)| file.len() as u64).sum();
    let budget = MemoryBudget::of_host(keys_bytes + rng.gen_range(24..96) * MIB).expect("a budget");
    let engine = Engine::builder()
        .pool_threads(rng.gen_range(1..5))
        .memory(budget.clone())
        .build()
        .expect("built");
    let keys: Vec<Key> = files
        .iter()
        .map(|(log2, file)| {
            let srs = Srs::from_bytes(&engine, file).expect("loaded");
            Key { log2: *log2, verifying: srs.verifying_key(), srs }
        })
        .collect();
    let until = Instant::now() + length;
    thread::scope(|scope| {
        for i in 0..8 {
            let (engine, keys) = (&engine, &keys);
            let mut rng = StdRng::seed_from_u64(seed.wrapping_add(i));
            scope.spawn(move || {
                while Instant::now() < until {
                    step(engine, &keys[rng.gen_range(0..keys.len())], proofs, &mut rng);
                }
            });
        }
    });
    drop((keys, engine));
    // The last key's memory may still be on its way; a forgotten proof may still be made.
    let patience = Instant::now() + Duration::from_secs(20);
    while budget.host().metrics().reserved > 0 && Instant::now() < patience {
        thread::sleep(Duration::from_millis(5));
    }
    let metrics = budget.host().metrics();
    assert_eq!((metrics.reserved, metrics.waiting), (0, 0), "seed {seed}");
    assert!(metrics.peak <= metrics.total);
}

struct Key {
    log2: u32,
    srs: Srs,
    verifying: VerifyingKey,
}

fn step(engine: &Engine, key: &Key, proofs: &AtomicUsize, rng: &mut StdRng) {
    let check = |result: Result<Proof>| match result {
        Ok(proof) => {
            let inputs = [circuit(key.log2).blstrs_result()];
            key.verifying.verify(&proof, &inputs).expect("verified");
            proofs.fetch_add(1, Ordering::Relaxed);
        }
        // A synthesis may outgrow what it was thought to need while all others do the same.
        Err(Error::HostMemory { .. }) => {}
        Err(error) => panic!("{error}"),
    };
    let synthesize = |on_engine: bool| -> Result<Assignment> {
        if on_engine {
            bellpepper::synthesize_on(engine, circuit(key.log2))
        } else {
            bellpepper::synthesize(circuit(key.log2))
        }
    };
    let k = rng.r#gen();
    let assignment = match synthesize(rng.gen_range(0..4) != 0) {
        Ok(assignment) => assignment,
        Err(error) => return check(Err(error)),
    };
    match rng.gen_range(0..20) {
        0 => engine.resize_pool(&PoolSize::Threads(rng.gen_range(1..5))).expect("resized"),
        1 => drop(assignment),
        2 => drop(engine.start(&key.srs, assignment, randomness(k))),
        3 => std::mem::forget(engine.start(&key.srs, assignment, randomness(k))),
        4..=9 => {
            let pending = engine.start(&key.srs, assignment, randomness(k)).expect("started");
            thread::scope(|scope| {
                scope.spawn(|| check(pending.finish())).join().expect("no panic");
            });
        }
        10 => {
            let batch = vec![assignment.clone(), assignment];
            match engine.prove_batch(&key.srs, batch, vec![randomness(k), randomness(k ^ 1)]) {
                Ok(batch) => batch.into_iter().for_each(|proof| check(Ok(proof))),
                Err(error) => check(Err(error)),
            }
        }
        _ => check(engine.prove(&key.srs, assignment, randomness(k))),
    }
}
