//! Zcash's Sapling circuits with a witness, on Zcash's parameters.

use bls12_381::{Bls12, Scalar};
use groth16::Parameters;
use rand_zcash::rngs::StdRng;
use rand_zcash::{Rng, SeedableRng};
use sapling_crypto::circuit::{Output, OutputParameters, Spend, SpendParameters};
use sapling_crypto::keys::ExpandedSpendingKey;
use sapling_crypto::prover::{OutputProver, SpendProver};
use sapling_crypto::value::{NoteValue, ValueCommitTrapdoor};
use sapling_crypto::{
    Diversifier, MerklePath, NOTE_COMMITMENT_TREE_DEPTH, Node, Note, PaymentAddress, Rseed,
};

/// The parameter files of Spend and Output.
pub fn parameter_files() -> (Vec<u8>, Vec<u8>) {
    wagyu_zcash_parameters::load_sapling_parameters()
}

/// A file's content as groth16's own parameters; their points are not checked.
///
/// # Errors
///
/// As groth16's reader.
pub fn native_parameters(file: &[u8]) -> std::io::Result<Parameters<Bls12>> {
    Parameters::read(file, false)
}

/// A Spend and an Output circuit with valid witnesses, drawn from `seed`.
///
/// # Panics
///
/// If sapling-crypto refuses what it should accept.
pub fn circuits(seed: u64) -> (Spend, Output) {
    let mut rng = StdRng::seed_from_u64(seed);
    let value = NoteValue::from_raw(rng.next_u64() % 1_000_000_000);
    let key = spending_key(&mut rng);
    let spent = note(&key, value, &mut rng);
    let nodes = (0..NOTE_COMMITMENT_TREE_DEPTH)
        .map(|_| Node::from_scalar(Scalar::from_bytes_wide(&bytes(&mut rng))))
        .collect();
    let position = u64::from(rng.next_u32());
    let path = MerklePath::from_parts(nodes, position.into()).expect("as deep as the tree");
    let anchor = Scalar::from(path.root(Node::from_cmu(&spent.cmu())));
    let spend = SpendParameters::prepare_circuit(
        key.proof_generation_key(),
        *spent.recipient().diversifier(),
        *spent.rseed(),
        value,
        jubjub::Fr::from_bytes_wide(&bytes(&mut rng)),
        ValueCommitTrapdoor::random(&mut rng),
        anchor,
        path,
    )
    .expect("the diversifier was chosen to have a base point");

    let recipient = spending_key(&mut rng);
    let created = note(&recipient, value, &mut rng);
    let output = OutputParameters::prepare_circuit(
        &created.generate_or_derive_esk(&mut rng),
        created.recipient(),
        created.rcm(),
        value,
        ValueCommitTrapdoor::random(&mut rng),
    );
    (spend, output)
}

fn bytes<const N: usize>(rng: &mut StdRng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

fn spending_key(rng: &mut StdRng) -> ExpandedSpendingKey {
    ExpandedSpendingKey::from_spending_key(&bytes::<32>(rng)).expect("all but a few are keys")
}

fn note(owner: &ExpandedSpendingKey, value: NoteValue, rng: &mut StdRng) -> Note {
    address(owner, rng).create_note(value, Rseed::AfterZip212(bytes(rng)))
}

fn address(owner: &ExpandedSpendingKey, rng: &mut StdRng) -> PaymentAddress {
    let viewing_key = owner.proof_generation_key().to_viewing_key();
    // About half of all diversifiers have a base point.
    loop {
        if let Some(address) = viewing_key.to_payment_address(Diversifier(bytes(rng))) {
            return address;
        }
    }
}
