//! Equality with bellperson, and what the engine refuses.

use crate::squarings::{Squarings, assignment, broken, engine, parameters, randomness};
use bellperson::groth16;
use blstrs::Scalar;
use supraseal::{BatchMismatch, Error, PhaseKind, SrsFault};

#[test]
fn proofs_are_bellpersons() {
    let (theirs, bytes) = parameters(9);
    let engine = engine(|e| e.check_witness(true).verify_proofs(true));
    let srs = supraseal::Srs::from_bytes(&engine, &bytes).expect("loaded");
    let batch = (2..5).map(|x| assignment(x, 9)).collect();
    let draws = (2..5).map(randomness).collect();
    let (proofs, timeline) = engine.prove_batch_timed(&srs, batch, draws).expect("proved");
    assert_eq!(proofs.len(), 3);
    for (proof, x) in proofs.iter().zip(2..5) {
        let (r, s) = (Scalar::from(x), Scalar::from(x + 1));
        let circuit = Squarings { x, steps: 9 };
        let expected = groth16::create_proof(circuit, &theirs, r, s).expect("proved");
        let mut expected_bytes = Vec::new();
        expected.write(&mut expected_bytes).expect("written");
        assert_eq!(proof.to_bytes()[..], expected_bytes);
    }
    for circuit in 0..3 {
        let phases = timeline.phases().iter().filter(|phase| phase.circuit == circuit);
        let last = phases.max_by_key(|phase| phase.end).expect("each circuit has phases");
        assert_eq!(last.kind, PhaseKind::Assemble);
    }
    let mut key = Vec::new();
    theirs.vk.write(&mut key).expect("written");
    assert_eq!(srs.verifying_key().to_bytes(), key);
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let (_, bytes) = parameters(3);
    let engine = engine(|e| e);
    let srs = supraseal::Srs::from_bytes(&engine, &bytes).expect("loaded");
    let refused = |batch, draws| engine.prove_batch(&srs, batch, draws).expect_err("refused");

    let error = refused(vec![], vec![]);
    assert!(matches!(error, Error::BatchMismatch(BatchMismatch::Empty)), "{error}");
    let error = refused(vec![assignment(2, 3)], vec![]);
    let mismatch = BatchMismatch::Randomness { circuits: 1, randomness: 0 };
    assert!(matches!(error, Error::BatchMismatch(m) if m == mismatch));
    let error =
        refused(vec![assignment(2, 3), assignment(2, 4)], vec![randomness(1), randomness(2)]);
    assert!(matches!(error, Error::BatchMismatch(BatchMismatch::Shape { index: 1, .. })));
    // All alike, but of another circuit than the key.
    let error = refused(vec![assignment(2, 20)], vec![randomness(1)]);
    assert!(matches!(error, Error::Shape { expected: 7, got: 31, .. }), "{error}");

    engine.prove(&srs, assignment(2, 3), randomness(1)).expect("usable after errors");
}

#[test]
fn bad_witnesses_are_found_when_asked() {
    let (_, bytes) = parameters(3);
    for engine in [engine(|e| e.check_witness(true)), engine(|e| e.verify_proofs(true))] {
        let srs = supraseal::Srs::from_bytes(&engine, &bytes).expect("loaded");
        let batch = vec![assignment(2, 3), broken(3)];
        let error = engine
            .prove_batch(&srs, batch, vec![randomness(1), randomness(2)])
            .expect_err("refused");
        assert!(matches!(error, Error::Unsatisfied { circuit: 1, constraint: 1, .. }), "{error}");
    }
    let engine = engine(|e| e);
    let srs = supraseal::Srs::from_bytes(&engine, &bytes).expect("loaded");
    let bad = broken(3);
    let inputs = bad.public_inputs().to_vec();
    let proof = engine.prove(&srs, bad, randomness(1)).expect("nobody asked");
    let verdict = srs.verifying_key().verify(&proof, &inputs);
    assert!(matches!(verdict, Err(Error::InvalidProof)));
}

#[test]
fn another_circuits_key_of_the_same_shape_is_found_when_asked() {
    let (_, bytes) = parameters(3);
    let (_, other) = parameters(3);
    let engine = engine(|e| e.verify_proofs(true));
    // The proving part of one setup behind the verifying key of another.
    let key = verifying_key_length(2);
    let mixed = [&bytes[..key], &other[key..]].concat();
    let srs = supraseal::Srs::from_bytes(&engine, &mixed).expect("well-formed");
    let error = engine.prove(&srs, assignment(2, 3), randomness(1)).expect_err("wrong");
    assert!(matches!(error, Error::WrongProof { circuit: 0, .. }), "{error}");
}

/// Bytes of a verifying key, `ic` points included.
fn verifying_key_length(ic: usize) -> usize {
    3 * 96 + 3 * 192 + 4 + ic * 96
}

#[test]
fn faulty_files_are_named() {
    let (_, bytes) = parameters(3);
    let engine = engine(|e| e);
    let path = std::env::temp_dir().join(format!("supraseal-{}.params", std::process::id()));
    std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
    let result = engine.load_srs(&path);
    std::fs::remove_file(&path).expect("removed");
    match result {
        Err(Error::Srs { path: Some(named), kind: SrsFault::Truncated, .. }) => {
            assert_eq!(named, path);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn engines_share_nothing_and_may_be_shared() {
    let (_, bytes) = parameters(5);
    let one = engine(|e| e);
    let srs = supraseal::Srs::from_bytes(&one, &bytes).expect("loaded");
    let other = engine(|e| e);
    let expected = one.prove(&srs, assignment(7, 5), randomness(3)).expect("proved");
    std::thread::scope(|scope| {
        for prover in [&one, &one, &other] {
            let srs = srs.clone();
            scope.spawn(move || {
                let proof = prover.prove(&srs, assignment(7, 5), randomness(3)).expect("proved");
                assert_eq!(proof, expected);
            });
        }
    });
    drop(one);
    let proof = other.prove(&srs, assignment(7, 5), randomness(3)).expect("a key outlives engines");
    assert_eq!(proof, expected);
}
