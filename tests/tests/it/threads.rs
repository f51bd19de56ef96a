//! Proofs depend neither on the size of the pool nor on who else proves.

use blstrs::Scalar;
use std::thread;
use supraseal::{Engine, PoolSize, Randomness, Srs, bellpepper};
use supraseal_tests::circuits::{Generated, Spec, Values};
use supraseal_tests::oracle;

struct Fixture {
    circuit: Generated,
    file: Vec<u8>,
    expected: Vec<u8>,
}

impl Fixture {
    fn new() -> Self {
        let spec = Spec {
            constraints: 1500,
            inputs: 2,
            aux: 1400,
            values: Values::Bits,
            unused: 9,
            seed: 5,
        };
        let circuit = Generated::new(spec);
        let parameters = oracle::parameters(circuit.clone(), 5).expect("parameters");
        let proof = oracle::proof(circuit.clone(), &parameters, Scalar::from(6), Scalar::from(7));
        Fixture { circuit, file: oracle::encoded(&parameters), expected: proof.expect("proved") }
    }

    fn check(&self, engine: &Engine, srs: &Srs) {
        let assignment = bellpepper::synthesize(self.circuit.clone()).expect("synthesised");
        let randomness = Randomness::given(Scalar::from(6), Scalar::from(7));
        let proof = engine.prove(srs, assignment, randomness).expect("proved");
        assert_eq!(proof.to_bytes()[..], self.expected[..]);
    }
}

#[test]
fn any_number_of_threads() {
    let fixture = Fixture::new();
    for threads in [1, 2, 3, 4, 16, 61] {
        let engine = Engine::builder().pool_threads(threads).build().expect("built");
        assert_eq!(engine.pool_threads(), threads);
        let srs = Srs::from_bytes(&engine, &fixture.file).expect("loaded");
        fixture.check(&engine, &srs);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn chosen_cpus() {
    let fixture = Fixture::new();
    // Some CPU is this process's, not necessarily the first.
    let engine = (0..4096)
        .find_map(|cpu| Engine::builder().pool(PoolSize::Cpus(vec![cpu, cpu, cpu])).build().ok());
    let engine = engine.expect("a CPU to run on");
    assert_eq!(engine.pool_threads(), 3);
    fixture.check(&engine, &Srs::from_bytes(&engine, &fixture.file).expect("loaded"));
}

#[test]
fn engines_side_by_side() {
    let fixture = Fixture::new();
    let engines = [1, 2, 3].map(|n| Engine::builder().pool_threads(n).build().expect("built"));
    // Loaded by one engine, used by all.
    let srs = Srs::from_bytes(&engines[1], &fixture.file).expect("loaded");
    thread::scope(|scope| {
        for engine in engines.iter().cycle().take(9) {
            let (fixture, srs) = (&fixture, &srs);
            scope.spawn(move || {
                for _ in 0..3 {
                    fixture.check(engine, srs);
                }
            });
        }
    });
}
