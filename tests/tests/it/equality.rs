//! Our proofs are bellperson's, byte for byte.

use blstrs::Scalar;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use supraseal::{Engine, Randomness, Srs, bellpepper};
use supraseal_tests::circuits::{Generated, Spec, Values, specs};
use supraseal_tests::half_boolean::HalfBoolean;
use supraseal_tests::{cases, oracle};

/// The engines whose proofs must all be the same.
fn engines() -> [Engine; 2] {
    [false, true].map(|portable| {
        Engine::builder().portable_kernels(portable).check_witness(true).build().expect("built")
    })
}

/// Proves a batch of circuits that have the first one's parameters, and compares.
fn check(engines: &[Engine], circuits: &[Generated], seed: u64) {
    let parameters = oracle::parameters(circuits[0].clone(), seed).expect("parameters");
    let file = oracle::encoded(&parameters);
    let scalars: Vec<_> = (1..=circuits.len() as u64)
        .map(|i| (Scalar::from(seed) * Scalar::from(i), Scalar::from(i)))
        .collect();
    let expected: Vec<_> = circuits
        .iter()
        .zip(&scalars)
        .map(|(c, (r, s))| oracle::proof(c.clone(), &parameters, *r, *s).expect("proved"))
        .collect();
    for engine in engines {
        let srs = Srs::from_bytes(engine, &file).expect("loaded");
        let assignments =
            circuits.iter().map(|c| bellpepper::synthesize(c.clone()).expect("synthesised"));
        let randomness = scalars.iter().map(|(r, s)| Randomness::given(*r, *s));
        let proofs =
            engine.prove_batch(&srs, assignments.collect(), randomness.collect()).expect("proved");
        for ((proof, expected), circuit) in proofs.iter().zip(&expected).zip(circuits) {
            assert_eq!(proof.to_bytes()[..], expected[..]);
            let verdict = srs.verifying_key().verify(proof, circuit.public_inputs());
            // An all-zero A or B makes a proof that is valid all the same.
            verdict.expect("verified");
        }
    }
}

#[test]
fn generated_circuits() {
    let engines = engines();
    let mut runner = TestRunner::new(Config::with_cases(cases(200)));
    runner
        .run(&specs(2000), |spec| {
            check(&engines, &[Generated::new(spec)], spec.seed | 1);
            Ok(())
        })
        .expect("every circuit's proof is bellperson's");
}

#[test]
fn batches() {
    let engines = engines();
    let mut runner = TestRunner::new(Config::with_cases(cases(10)));
    runner
        .run(&(specs(300), 1..=5usize), |(spec, size)| {
            let circuits = vec![Generated::new(spec); size];
            check(&engines, &circuits, spec.seed | 1);
            Ok(())
        })
        .expect("every proof is bellperson's");
}

#[test]
fn smallest_shapes() {
    let engines = engines();
    let values = [Values::Zero, Values::One, Values::Bits, Values::Small, Values::Dense];
    for (i, values) in values.into_iter().enumerate() {
        for (constraints, inputs, aux) in [
            (1, 0, 0),
            (1, 0, 1),
            (1, 1, 0),
            (2, 0, 0),
            (3, 0, 2),
            (2, 20, 0),
            (7, 0, 8),
            (8, 0, 8),
        ] {
            let seed = 1 + i as u64;
            let spec = Spec { constraints, inputs, aux, values, unused: 2, seed };
            check(&engines, &[Generated::new(spec)], seed);
        }
    }
}

#[test]
fn sizes_around_thresholds_of_the_msm() {
    let engines = engines();
    for size in [14, 15, 16, 17, 18, 31, 32, 33, 127, 128, 129, 511, 512, 513] {
        for values in [Values::Dense, Values::Small] {
            let seed = size as u64;
            let spec = Spec { constraints: size, inputs: 1, aux: size, values, unused: 1000, seed };
            check(&engines, &[Generated::new(spec)], seed);
        }
    }
}

#[test]
fn two_to_the_sixteenth() {
    // With ONE, and the last squaring as an input, the domain is exactly 2^16.
    let circuit = HalfBoolean { constraints: (1 << 16) - 2, seed: 7 };
    let parameters = oracle::parameters(circuit, 7).expect("parameters");
    let (r, s) = (Scalar::from(8), -Scalar::from(9));
    let expected = oracle::proof(circuit, &parameters, r, s).expect("proved");
    let file = oracle::encoded(&parameters);
    for engine in engines() {
        let srs = Srs::from_bytes(&engine, &file).expect("loaded");
        assert_eq!(srs.counts().h, (1 << 16) - 1);
        let assignment = bellpepper::synthesize(circuit).expect("synthesised");
        let proof = engine.prove(&srs, assignment, Randomness::given(r, s)).expect("proved");
        assert_eq!(proof.to_bytes()[..], expected[..]);
        srs.verifying_key().verify(&proof, &[circuit.blstrs_result()]).expect("verified");
    }
}

#[test]
fn unsatisfied_witnesses_give_the_same_invalid_proof() {
    let engine = Engine::new().expect("built");
    let mut runner = TestRunner::new(Config::with_cases(cases(20)));
    runner
        .run(&specs(600), |spec| {
            let circuit = Generated::new(spec).with_wrong_witness();
            let parameters = oracle::parameters(circuit.clone(), 3).expect("parameters");
            let (r, s) = (Scalar::from(4), Scalar::from(5));
            let expected = oracle::proof(circuit.clone(), &parameters, r, s).expect("proved");
            let srs = Srs::from_bytes(&engine, &oracle::encoded(&parameters)).expect("loaded");
            let assignment = bellpepper::synthesize(circuit).expect("synthesised");
            let proof = engine.prove(&srs, assignment, Randomness::given(r, s)).expect("proved");
            prop_assert_eq!(&proof.to_bytes()[..], &expected[..]);
            Ok(())
        })
        .expect("every proof is bellperson's");
}
