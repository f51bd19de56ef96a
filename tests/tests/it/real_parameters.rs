//! Zcash's Sapling circuits on Zcash's parameters: our proofs are groth16's, byte for byte.

use bellman::Circuit;
use bls12_381::{Bls12, Scalar};
use groth16::{Parameters, Proof};
use supraseal::{Engine, Randomness, Srs, SrsCounts, bellman as front_end};
use supraseal_tests::sapling;

fn check(engine: &Engine, file: &[u8], circuit: impl Circuit<Scalar> + Clone, counts: SrsCounts) {
    let native = sapling::native_parameters(file).expect("read");
    let srs = Srs::from_bytes(engine, file).expect("loaded");
    assert_eq!(srs.counts(), counts);
    let mut key = Vec::new();
    native.vk.write(&mut key).expect("written");
    assert_eq!(srs.verifying_key().to_bytes(), key);

    let (r, s) = (Scalar::from(0x0123_4567_89ab_cdef), -Scalar::from(11));
    let expected = groth16::create_proof(circuit.clone(), &native, r, s).expect("proved");
    let assignment = front_end::synthesize(circuit).expect("synthesised");
    let inputs = assignment.public_inputs().to_vec();
    let proof = engine.prove(&srs, assignment, Randomness::given(r, s)).expect("proved");
    let mut expected_bytes = Vec::new();
    expected.write(&mut expected_bytes).expect("written");
    assert_eq!(proof.to_bytes()[..], expected_bytes);

    verify_theirs(&native, &proof.to_bytes(), &inputs);
    srs.verifying_key().verify(&proof, &inputs).expect("verified by ours");
}

fn verify_theirs(native: &Parameters<Bls12>, proof: &[u8], inputs: &[supraseal::Fr]) {
    let proof = Proof::read(proof).expect("a proof");
    let key = groth16::prepare_verifying_key(&native.vk);
    let inputs: Vec<Scalar> = inputs.iter().map(|input| *input.as_zkcrypto()).collect();
    groth16::verify_proof(&key, &proof, &inputs).expect("verified by groth16");
}

fn with_both_kernels(run: impl Fn(&Engine)) {
    for portable in [false, true] {
        run(&Engine::builder().portable_kernels(portable).build().expect("built"));
    }
}

#[test]
fn spend() {
    let (file, _) = sapling::parameter_files();
    let (spend, _) = sapling::circuits(1);
    let b = 61_300;
    let counts = SrsCounts { ic: 8, h: 131_071, l: 98_638, a: 85_390, b_g1: b, b_g2: b };
    with_both_kernels(|engine| check(engine, &file, spend.clone(), counts));
}

#[test]
fn output() {
    let (_, file) = sapling::parameter_files();
    let (_, output) = sapling::circuits(2);
    let b = 4_850;
    let counts = SrsCounts { ic: 6, h: 8_191, l: 7_821, a: 6_298, b_g1: b, b_g2: b };
    with_both_kernels(|engine| check(engine, &file, output.clone(), counts));
}
