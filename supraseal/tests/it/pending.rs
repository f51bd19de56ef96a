//! Proofs in the background.

use crate::squarings::{assignment, broken, engine, parameters, randomness};
use std::thread;
use std::time::Duration;
use supraseal::{Engine, Error, PendingProof, PoolSize, Proof, Srs};

fn key(engine: &Engine, steps: usize) -> Srs {
    Srs::from_bytes(engine, &parameters(steps).1).expect("loaded")
}

/// A proof large enough to keep the pool busy while others are queued.
const BUSY: usize = 3000;

fn start_many(engine: &Engine, srs: &Srs, steps: usize) -> (Vec<PendingProof>, Vec<Proof>) {
    let inputs = 2..8;
    let expected = inputs.clone().map(|x| engine.prove(srs, assignment(x, steps), randomness(x)));
    let expected = expected.map(|proof| proof.expect("proved")).collect();
    let pending = inputs.map(|x| engine.start(srs, assignment(x, steps), randomness(x)));
    (pending.map(|pending| pending.expect("started")).collect(), expected)
}

#[test]
fn finished_in_any_order_on_any_thread() {
    let engine = engine(|e| e);
    let srs = key(&engine, 40);
    let (pending, expected) = start_many(&engine, &srs, 40);
    thread::scope(|scope| {
        for (pending, expected) in pending.into_iter().zip(expected).rev() {
            scope.spawn(move || assert_eq!(pending.finish().expect("proved"), expected));
        }
    });
    assert_eq!(engine.queued_proofs(), 0);
}

#[test]
fn engine_and_key_may_go_first() {
    let engine = engine(|e| e);
    let srs = key(&engine, BUSY);
    let (pending, expected) = start_many(&engine, &srs, BUSY);
    drop(srs);
    drop(engine);
    for (pending, expected) in pending.into_iter().zip(expected) {
        assert_eq!(pending.finish().expect("proved"), expected);
    }
}

#[test]
fn dropped_and_forgotten_proofs_leave_the_others_alone() {
    let engine = engine(|e| e);
    let srs = key(&engine, BUSY);
    let (pending, expected) = start_many(&engine, &srs, BUSY);
    for (i, (pending, expected)) in pending.into_iter().zip(expected).enumerate() {
        match i % 3 {
            0 => drop(pending),
            1 => std::mem::forget(pending),
            _ => assert_eq!(pending.finish().expect("proved"), expected),
        }
    }
    let again = engine.prove(&srs, assignment(9, BUSY), randomness(9)).expect("proved");
    let once_more = engine.prove(&srs, assignment(9, BUSY), randomness(9)).expect("proved");
    assert_eq!(again, once_more);
}

#[test]
fn closing_refuses_what_is_queued_and_what_comes() {
    let engine = engine(|e| e);
    let srs = key(&engine, BUSY);
    let (pending, expected) = start_many(&engine, &srs, BUSY);
    engine.close();
    let results: Vec<_> = pending.into_iter().map(PendingProof::finish).collect();
    let closed = |result: &Result<Proof, Error>| matches!(result, Err(Error::Closed));
    assert!(results.last().is_some_and(closed));
    for (result, expected) in results.iter().zip(&expected) {
        assert!(closed(result) || result.as_ref().is_ok_and(|proof| proof == expected));
    }
    for result in [
        engine.prove(&srs, assignment(2, BUSY), randomness(2)).map(drop),
        engine.start(&srs, assignment(2, BUSY), randomness(2)).map(drop),
    ] {
        assert!(matches!(result, Err(Error::Closed)));
    }
}

#[test]
fn misfits_are_refused_before_anything_starts() {
    let engine = engine(|e| e.check_witness(true));
    let srs = key(&engine, 3);
    let error = engine.start(&srs, assignment(2, 20), randomness(1)).expect_err("refused");
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let error = engine.start(&srs, broken(3), randomness(1)).expect_err("refused");
    assert!(matches!(error, Error::Unsatisfied { circuit: 0, constraint: 1, .. }), "{error}");
}

#[test]
fn the_pool_may_change_while_proofs_run() {
    let engine = engine(|e| e);
    let srs = key(&engine, BUSY);
    let (pending, expected) = start_many(&engine, &srs, BUSY);
    for threads in [1, 3, 2, 5, 1] {
        engine.resize_pool(&PoolSize::Threads(threads)).expect("resized");
        thread::sleep(Duration::from_millis(3));
    }
    for (pending, expected) in pending.into_iter().zip(expected) {
        assert_eq!(pending.finish().expect("proved"), expected);
    }
    assert_eq!(engine.pool_threads(), 1);
}

#[test]
fn is_finished_tells() {
    let engine = engine(|e| e);
    let srs = key(&engine, 3);
    let pending = engine.start(&srs, assignment(2, 3), randomness(1)).expect("started");
    while !pending.is_finished() {
        thread::sleep(Duration::from_millis(1));
    }
    pending.finish().expect("proved");
}
