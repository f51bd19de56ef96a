//! The owners of memory on whole proofs: what the process really uses, and a long random run.
//!
//! These look at the process's own figures, so that they take turns.

mod soak;

use blstrs::Scalar;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use supraseal::{Engine, Error, MemoryBudget, PendingProof, Randomness, Srs, bellpepper};
use supraseal_tests::half_boolean::HalfBoolean;
use supraseal_tests::oracle;
use supraseal_tests::process::{minor_faults, peak_resident, reset_peak, resident};

const MIB: u64 = 1 << 20;
const LOG2: u32 = 16;

fn take_turns() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn circuit(log2: u32) -> HalfBoolean {
    HalfBoolean { constraints: (1 << log2) - 2, seed: 3 }
}

fn file(log2: u32) -> Vec<u8> {
    oracle::encoded(&oracle::parameters(circuit(log2), 1).expect("parameters"))
}

fn randomness(k: u64) -> Randomness {
    Randomness::given(Scalar::from(k), Scalar::from(k + 1))
}

/// Bytes of the budget that a proof of the circuit takes.
fn needed(log2: u32) -> u64 {
    let engine = Engine::builder().pool_threads(2).build().expect("built");
    let assignment = bellpepper::synthesize(circuit(log2)).expect("synthesised");
    engine.memory_needed(&assignment.shape())
}

#[test]
fn resident_memory_stays_within_the_budget() {
    let _turn = take_turns();
    let file = file(LOG2);
    let total = file.len() as u64 + 3 * needed(LOG2) + MIB;
    reset_peak();
    let before = resident();
    let budget = MemoryBudget::of_host(total).expect("a budget");
    let engine = Engine::builder().pool_threads(2).memory(budget.clone()).build().expect("built");
    let srs = Srs::from_bytes(&engine, &file).expect("loaded");
    let key = srs.verifying_key();
    // What the circuit needs is learnt here.
    let first = bellpepper::synthesize_on(&engine, circuit(LOG2)).expect("synthesised");
    engine.prove(&srs, first, randomness(1)).expect("proved");
    thread::scope(|scope| {
        for i in 0..8 {
            let (engine, srs, key) = (&engine, &srs, &key);
            scope.spawn(move || {
                for k in (0..50).filter(|k| k % 8 == i) {
                    let assignment =
                        bellpepper::synthesize_on(engine, circuit(LOG2)).expect("synthesised");
                    let proof = engine.prove(srs, assignment, randomness(k)).expect("proved");
                    key.verify(&proof, &[circuit(LOG2).blstrs_result()]).expect("verified");
                }
            });
        }
    });
    let host = budget.host().metrics();
    assert!(host.peak <= total);
    assert!(host.waits > 0, "eight threads must wait where there is room for three");
    let allowed = before + total + total / 20 + 64 * MIB;
    assert!(peak_resident() <= allowed, "{} of {allowed} bytes", peak_resident());

    drop((srs, engine));
    assert_eq!(budget.host().metrics().reserved, 0);
    assert!(resident() <= before + 64 * MIB, "{} bytes, {before} before", resident());
}

#[test]
fn memory_is_not_faulted_in_again() {
    let _turn = take_turns();
    let engine = Engine::builder().pool_threads(2).build().expect("built");
    let srs = Srs::from_bytes(&engine, &file(LOG2)).expect("loaded");
    let prove = || {
        let before = minor_faults();
        let assignment = bellpepper::synthesize_on(&engine, circuit(LOG2)).expect("synthesised");
        engine.prove(&srs, assignment, randomness(5)).expect("proved");
        minor_faults() - before
    };
    let first = prove();
    let _second = prove();
    let later = (0..5).map(|_| prove()).min().expect("five");
    assert!(later * 10 <= first, "{later} page faults a proof, {first} for the first");
    let pool = engine.metrics().pool;
    assert!(pool.hits > 10 * pool.misses / 2, "{pool:?}");
}

#[test]
fn a_budget_too_small_for_a_proof_is_an_error_before_any_work() {
    let _turn = take_turns();
    let file = file(12);
    let needed = needed(12);
    for (total, owned) in [(file.len() as u64 + needed - 1, false), (file.len() as u64 + 1, true)] {
        let budget = MemoryBudget::of_host(total).expect("a budget");
        let engine =
            Engine::builder().pool_threads(2).memory(budget.clone()).build().expect("built");
        let srs = Srs::from_bytes(&engine, &file).expect("loaded");
        let result = if owned {
            let assignment = bellpepper::synthesize(circuit(12)).expect("synthesised");
            engine.start(&srs, assignment, randomness(1)).and_then(PendingProof::finish)
        } else {
            // The key has its bytes; nothing else will ever be free.
            bellpepper::synthesize_on(&engine, circuit(12))
                .and_then(|assignment| engine.prove(&srs, assignment, randomness(1)))
        };
        assert!(matches!(result, Err(Error::HostMemory { .. })), "{result:?}");
        drop((srs, engine));
        assert_eq!(budget.host().metrics().reserved, 0);
    }
    let tiny = MemoryBudget::of_host(1000).expect("a budget");
    let engine = Engine::builder().memory(tiny).build().expect("built");
    match Srs::from_bytes(&engine, &file) {
        Err(Error::HostMemory { needed: Some(needed), budget: Some(1000), .. }) => {
            assert_eq!(needed, file.len() as u64);
        }
        other => panic!("{other:?}"),
    }
}
