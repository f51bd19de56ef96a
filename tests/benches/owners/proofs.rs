//! Whole proofs, synthesis included.

use crate::{Comparison, Measure};
use std::error::Error;
use std::time::Instant;
use supraseal::{Engine, EngineBuilder, Proof, Randomness, Srs, bellpepper};
use supraseal_tests::half_boolean::HalfBoolean;
use supraseal_tests::{oracle, process};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SECONDS: &str = "s a proof";

/// Where the vectors of an assignment are.
#[derive(Clone, Copy)]
enum Vectors {
    InTheEngine,
    OfTheCaller,
}

/// A circuit, its key and how many proofs are made of it.
pub struct Work {
    circuit: HalfBoolean,
    parameters: Vec<u8>,
    proofs: u32,
}

impl Work {
    pub fn new(log2: u32, proofs: u32) -> Result<Self> {
        let circuit = HalfBoolean { constraints: (1 << log2) - 2, seed: 21 };
        eprintln!("making parameters ...");
        let parameters = oracle::encoded(&oracle::parameters(circuit, 21)?);
        Ok(Work { circuit, parameters, proofs })
    }

    /// The pool's threads, one proof at a time and with synthesis beside.
    pub fn pool_sizes(&self, sizes: &[usize], rounds: u32) -> Result<Comparison> {
        let mut settings = Vec::new();
        for &threads in sizes {
            let bench = self.bench(|engine| engine.pool_threads(threads))?;
            settings.push((format!("{threads} threads"), bench.pipeline(Vectors::InTheEngine)));
        }
        Comparison::run("pool size", SECONDS, rounds, settings)
    }

    /// The pool of buffers: synthesis into it, or into vectors of the caller's.
    pub fn buffers(&self, rounds: u32) -> Result<Comparison> {
        let settings = vec![
            ("on".to_owned(), self.bench(|e| e)?.one_by_one(Vectors::InTheEngine)),
            ("off".to_owned(), self.bench(|e| e)?.one_by_one(Vectors::OfTheCaller)),
        ];
        Comparison::run("buffer pool", SECONDS, rounds, settings)
    }

    /// The same, in pages that the system had to provide.
    pub fn page_faults(&self, rounds: u32) -> Result<Comparison> {
        let mut settings = Vec::new();
        for (name, vectors) in [("on", Vectors::InTheEngine), ("off", Vectors::OfTheCaller)] {
            let bench = self.bench(|e| e)?;
            let proofs = f64::from(self.proofs);
            let mut run = bench.one_by_one(vectors);
            let faults: Measure<'_> = Box::new(move || {
                let before = process::minor_faults();
                run()?;
                #[allow(clippy::cast_precision_loss)] // far below 2^52
                let faults = (process::minor_faults() - before) as f64;
                Ok(faults / proofs)
            });
            settings.push((name.to_owned(), faults));
        }
        Comparison::run("buffer pool", "page faults a proof", rounds, settings)
    }

    /// The deallocation thread, for vectors of the caller's, with synthesis beside.
    pub fn deallocation(&self, rounds: u32) -> Result<Comparison> {
        let with = |in_place| self.bench(|engine| engine.free_in_place(in_place));
        let settings = vec![
            ("on".to_owned(), with(false)?.pipeline(Vectors::OfTheCaller)),
            ("off".to_owned(), with(true)?.pipeline(Vectors::OfTheCaller)),
        ];
        Comparison::run("deallocation thread", SECONDS, rounds, settings)
    }

    /// The gate between proving and synthesis.
    pub fn throttle(&self, rounds: u32) -> Result<Comparison> {
        let with = |on| self.bench(|engine| engine.throttle_synthesis(on));
        let settings = vec![
            ("off".to_owned(), with(false)?.pipeline(Vectors::InTheEngine)),
            ("on".to_owned(), with(true)?.pipeline(Vectors::InTheEngine)),
        ];
        Comparison::run("throttle", SECONDS, rounds, settings)
    }

    fn bench(&self, settings: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Result<Bench> {
        let engine = settings(Engine::builder()).build()?;
        let srs = Srs::from_bytes(&engine, &self.parameters)?;
        let bench = Bench { circuit: self.circuit, proofs: self.proofs, engine, srs };
        // The first proof of an engine takes the memory that the others use again.
        bench.check(&[bench.prove(Vectors::InTheEngine)?])?;
        Ok(bench)
    }
}

/// An engine with the settings of one measurement.
struct Bench {
    circuit: HalfBoolean,
    proofs: u32,
    engine: Engine,
    srs: Srs,
}

impl Bench {
    /// Seconds a proof through a pipeline.
    fn pipeline(self, vectors: Vectors) -> Measure<'static> {
        Box::new(move || {
            let began = Instant::now();
            let pipeline = self.engine.pipeline().start()?;
            let outcomes = std::thread::scope(|scope| -> supraseal::Result<Vec<_>> {
                let taker = scope.spawn(|| pipeline.results().collect::<Vec<_>>());
                for _ in 0..self.proofs {
                    let (on, circuit) = (self.engine.clone(), self.circuit);
                    let synthesize = move || synthesize(&on, circuit, vectors);
                    pipeline.submit(&self.srs, Randomness::from_os()?, synthesize)?;
                }
                pipeline.close();
                Ok(taker.join().unwrap_or_default())
            })?;
            let elapsed = began.elapsed().as_secs_f64();
            let proofs: supraseal::Result<Vec<_>> =
                outcomes.into_iter().map(|outcome| Ok(outcome.result?.0)).collect();
            let proofs = proofs?;
            if proofs.len() != self.proofs as usize {
                return Err(format!("{} proofs of {}", proofs.len(), self.proofs).into());
            }
            self.check(&proofs)?;
            Ok(elapsed / f64::from(self.proofs))
        })
    }

    /// Seconds a proof, one after another.
    fn one_by_one(self, vectors: Vectors) -> Measure<'static> {
        Box::new(move || {
            let began = Instant::now();
            let proofs: supraseal::Result<Vec<_>> =
                (0..self.proofs).map(|_| self.prove(vectors)).collect();
            let elapsed = began.elapsed().as_secs_f64();
            self.check(&proofs?)?;
            Ok(elapsed / f64::from(self.proofs))
        })
    }

    fn prove(&self, vectors: Vectors) -> supraseal::Result<Proof> {
        let assignment = synthesize(&self.engine, self.circuit, vectors)?;
        self.engine.prove(&self.srs, assignment, Randomness::from_os()?)
    }

    fn check(&self, proofs: &[Proof]) -> supraseal::Result<()> {
        let key = self.srs.verifying_key();
        let inputs = [self.circuit.blstrs_result()];
        proofs.iter().try_for_each(|proof| key.verify(proof, &inputs))
    }
}

fn synthesize(
    engine: &Engine,
    circuit: HalfBoolean,
    vectors: Vectors,
) -> supraseal::Result<supraseal::Assignment> {
    match vectors {
        Vectors::InTheEngine => bellpepper::synthesize_on(engine, circuit),
        Vectors::OfTheCaller => bellpepper::synthesize(circuit),
    }
}
