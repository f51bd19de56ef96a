//! Streams of proofs.

use crate::squarings::{Squarings, assignment, engine, parameters, randomness};
use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use supraseal::{Assignment, Engine, Error, JobId, Order, Proof, Result, Srs};

const STEPS: usize = 300;

struct Fixture {
    engine: Engine,
    srs: Srs,
}

impl Fixture {
    fn new() -> Self {
        let engine = engine(|e| e);
        let srs = Srs::from_bytes(&engine, &parameters(STEPS).1).expect("loaded");
        Fixture { engine, srs }
    }

    fn expected(&self, x: u64) -> Proof {
        self.engine.prove(&self.srs, assignment(x, STEPS), randomness(x)).expect("proved")
    }
}

#[test]
fn results_come_in_the_order_asked_for() {
    let fixture = Fixture::new();
    for order in [Order::Completed, Order::Submitted] {
        for workers in [1, 2, 5] {
            let pipeline =
                fixture.engine.pipeline().workers(workers).order(order).start().expect("started");
            let ids: Vec<JobId> = thread::scope(|scope| {
                let taker = scope
                    .spawn(|| pipeline.results().map(|o| (o.id, o.result)).collect::<Vec<_>>());
                let submit = |x| {
                    let synthesize = move || Ok(assignment(x, STEPS));
                    pipeline.submit(&fixture.srs, randomness(x), synthesize).expect("taken")
                };
                let ids: Vec<_> = (2..12).map(submit).collect();
                pipeline.close();
                let outcomes = taker.join().expect("no panic");
                assert_eq!(outcomes.len(), ids.len());
                if order == Order::Submitted {
                    assert!(outcomes.iter().map(|(id, _)| id).eq(&ids));
                }
                let outcomes: BTreeMap<_, _> = outcomes.into_iter().collect();
                for (id, x) in ids.iter().zip(2..12) {
                    let (proof, _) = outcomes[id].as_ref().expect("proved");
                    assert_eq!(*proof, fixture.expected(x));
                }
                ids
            });
            assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(pipeline.next_outcome().is_none());
        }
    }
}

type Job = Box<dyn FnOnce() -> Result<Assignment> + Send>;

#[test]
fn a_failure_is_its_own_jobs_alone() {
    let fixture = Fixture::new();
    let pipeline =
        fixture.engine.pipeline().order(Order::Submitted).waiting(10).start().expect("started");
    let jobs: [Job; 5] = [
        Box::new(|| Ok(assignment(2, STEPS))),
        Box::new(|| panic!("of the circuit")),
        Box::new(|| Err(Error::InvalidProof)),
        Box::new(|| Ok(assignment(2, STEPS + 1))),
        Box::new(|| Ok(assignment(3, STEPS))),
    ];
    for (job, k) in jobs.into_iter().zip(2..) {
        pipeline.submit(&fixture.srs, randomness(k), job).expect("taken");
    }
    pipeline.close();
    let results: Vec<_> = pipeline.results().map(|outcome| outcome.result).collect();
    let [first, panicked, failed, misfit, last] = results.as_slice() else { panic!("five") };
    assert!(first.is_ok() && last.is_ok());
    let panicked = panicked.as_ref().expect_err("the circuit panicked");
    let source = panicked.source().expect("a cause");
    assert_eq!(source.to_string(), "the circuit panicked: of the circuit");
    assert!(matches!(failed, Err(Error::InvalidProof)));
    assert!(matches!(misfit, Err(Error::Shape { .. })));
}

#[test]
fn submitters_wait_when_stages_are_full() {
    let fixture = Fixture::new();
    let pipeline = fixture.engine.pipeline().workers(1).waiting(2).start().expect("started");
    let (open, gate) = mpsc::channel::<()>();
    let gate = Arc::new(std::sync::Mutex::new(gate));
    let submitted = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for x in 2..8 {
                let gate = gate.clone();
                let synthesize = move || {
                    let _ = gate.lock().expect("not poisoned").recv();
                    Ok(assignment(x, STEPS))
                };
                pipeline.submit(&fixture.srs, randomness(x), synthesize).expect("taken");
                submitted.fetch_add(1, Ordering::SeqCst);
            }
            pipeline.close();
        });
        // One with the worker, two waiting.
        while submitted.load(Ordering::SeqCst) < 3 {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(30));
        assert_eq!(submitted.load(Ordering::SeqCst), 3);
        drop(open);
        assert_eq!(pipeline.results().filter(|outcome| outcome.result.is_ok()).count(), 6);
    });
    let refused = pipeline.submit(&fixture.srs, randomness(2), || Ok(assignment(2, STEPS)));
    assert!(matches!(refused, Err(Error::Closed)));
}

#[test]
fn cancelled_jobs_say_so_and_others_go_on() {
    let fixture = Fixture::new();
    let pipeline = fixture
        .engine
        .pipeline()
        .workers(1)
        .waiting(9)
        .order(Order::Submitted)
        .start()
        .expect("started");
    let (open, gate) = mpsc::channel::<()>();
    let mut gate = Some(gate);
    let mut submit = |x| {
        let gate = gate.take();
        let synthesize = move || {
            let _ = gate.map(|gate| gate.recv());
            Ok(assignment(x, STEPS))
        };
        pipeline.submit(&fixture.srs, randomness(x), synthesize).expect("taken")
    };
    let ids: Vec<_> = (2..6).map(&mut submit).collect();
    pipeline.cancel(ids[0]);
    pipeline.cancel(ids[2]);
    pipeline.close();
    drop(open);
    let cancelled: Vec<_> =
        pipeline.results().map(|o| matches!(o.result, Err(Error::Cancelled))).collect();
    assert_eq!(cancelled, [true, false, true, false]);
}

#[test]
fn a_dropped_pipeline_ends_its_threads() {
    let fixture = Fixture::new();
    let ran = Arc::new(AtomicUsize::new(0));
    let pipeline = fixture.engine.pipeline().workers(2).waiting(50).start().expect("started");
    for x in 2..40 {
        let ran = ran.clone();
        let synthesize = move || {
            ran.fetch_add(1, Ordering::SeqCst);
            Ok(assignment(x, STEPS))
        };
        pipeline.submit(&fixture.srs, randomness(x), synthesize).expect("taken");
    }
    drop(pipeline);
    // Closures hold the only other references: all of them are gone.
    assert_eq!(Arc::strong_count(&ran), 1);
}

#[test]
fn senseless_settings_are_refused() {
    let fixture = Fixture::new();
    for builder in [fixture.engine.pipeline().workers(0), fixture.engine.pipeline().waiting(0)] {
        assert!(matches!(builder.start(), Err(Error::Shape { expected: 1, got: 0, .. })));
    }
}

#[test]
fn synthesis_pauses_while_sums_are_computed_when_asked() {
    for throttled in [false, true] {
        let engine = engine(|e| e.throttle_synthesis(throttled));
        let srs = Srs::from_bytes(&engine, &parameters(STEPS).1).expect("loaded");
        let pipeline =
            engine.pipeline().waiting(12).order(Order::Submitted).start().expect("started");
        for x in 2..14 {
            let on = engine.clone();
            let synthesize =
                move || supraseal::bellpepper::synthesize_on(&on, Squarings { x, steps: STEPS });
            pipeline.submit(&srs, randomness(x), synthesize).expect("taken");
        }
        pipeline.close();
        for (outcome, x) in pipeline.results().zip(2..) {
            let (proof, _) = outcome.result.expect("proved");
            let again = engine.prove(&srs, assignment(x, STEPS), randomness(x)).expect("proved");
            assert_eq!(proof, again);
        }
        let throttle = engine.metrics().throttle;
        assert_eq!(throttle.holds, if throttled { 24 } else { 0 });
        assert!(throttled || throttle.pauses == 0);
        assert!(!engine.throttle().is_held());
    }
}
