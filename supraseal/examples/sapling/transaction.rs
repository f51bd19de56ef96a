//! A transaction that spends one note and creates another of the same value, and its verification
//! with Zcash's code.

use bls12_381::{Bls12, Scalar};
use groth16::Proof;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sapling_crypto::circuit::{
    Output, OutputParameters, PreparedOutputVerifyingKey, PreparedSpendVerifyingKey, Spend,
    SpendParameters,
};
use sapling_crypto::keys::ExpandedSpendingKey;
use sapling_crypto::prover::{OutputProver, SpendProver};
use sapling_crypto::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use sapling_crypto::{
    Diversifier, MerklePath, NOTE_COMMITMENT_TREE_DEPTH, Node, Note, PaymentAddress, Rseed,
    SaplingVerificationContext,
};
use std::io;
use supraseal::Randomness;

/// The most that a note can hold: 21 million coins, in the smallest unit.
const MAX_MONEY: u64 = 21_000_000 * 100_000_000;

/// Everything both sides of a proof need to know.
pub struct Transaction {
    key: ExpandedSpendingKey,
    spent: Note,
    path: MerklePath,
    anchor: Scalar,
    alpha: jubjub::Fr,
    spent_rcv: ValueCommitTrapdoor,
    created: Note,
    created_rcv: ValueCommitTrapdoor,
    spend: Spend,
    output: Output,
    /// What the transaction's signatures sign.
    sighash: [u8; 32],
    randomness: [Randomness; 2],
    signing_seed: [u8; 32],
}

impl Transaction {
    /// Keys, notes and their place in the note commitment tree, all drawn from `seed`.
    pub fn random(seed: u64) -> Result<Self, &'static str> {
        let mut rng = StdRng::seed_from_u64(seed);
        let value = NoteValue::from_raw(rng.next_u64() % MAX_MONEY);

        let key = spending_key(&mut rng)?;
        let spent = note(&key, value, &mut rng);
        let nodes = (0..NOTE_COMMITMENT_TREE_DEPTH)
            .map(|_| Node::from_scalar(Scalar::from_bytes_wide(&bytes(&mut rng))))
            .collect();
        let position = u64::from(rng.next_u32());
        let path = MerklePath::from_parts(nodes, position.into())
            .map_err(|()| "the path has another depth than the tree")?;
        let anchor = Scalar::from(path.root(Node::from_cmu(&spent.cmu())));
        let alpha = jubjub::Fr::from_bytes_wide(&bytes(&mut rng));
        let spent_rcv = ValueCommitTrapdoor::random(&mut rng);
        let spend = SpendParameters::prepare_circuit(
            key.proof_generation_key(),
            *spent.recipient().diversifier(),
            *spent.rseed(),
            value,
            alpha,
            spent_rcv.clone(),
            anchor,
            path.clone(),
        )
        .ok_or("the diversifier has no base point")?;

        let recipient = spending_key(&mut rng)?;
        let created = note(&recipient, value, &mut rng);
        let created_rcv = ValueCommitTrapdoor::random(&mut rng);
        let output = OutputParameters::prepare_circuit(
            &created.generate_or_derive_esk(&mut rng),
            created.recipient(),
            created.rcm(),
            value,
            created_rcv.clone(),
        );
        let sighash = bytes(&mut rng);
        let signing_seed = bytes(&mut rng);
        let mut scalar = || Scalar::from_bytes_wide(&bytes(&mut rng));
        let randomness =
            [Randomness::given(scalar(), scalar()), Randomness::given(scalar(), scalar())];
        Ok(Transaction {
            key,
            spent,
            path,
            anchor,
            alpha,
            spent_rcv,
            created,
            created_rcv,
            spend,
            output,
            sighash,
            randomness,
            signing_seed,
        })
    }

    pub fn spend_circuit(&self) -> Spend {
        self.spend.clone()
    }

    pub fn output_circuit(&self) -> Output {
        self.output.clone()
    }

    pub fn spend_randomness(&self) -> Randomness {
        self.randomness[0].clone()
    }

    pub fn output_randomness(&self) -> Randomness {
        self.randomness[1].clone()
    }

    fn signing_rng(&self) -> StdRng {
        StdRng::from_seed(self.signing_seed)
    }
}

fn bytes<const N: usize>(rng: &mut StdRng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

fn spending_key(rng: &mut StdRng) -> Result<ExpandedSpendingKey, &'static str> {
    ExpandedSpendingKey::from_spending_key(&bytes::<32>(rng)).ok_or("not a spending key")
}

fn note(owner: &ExpandedSpendingKey, value: NoteValue, rng: &mut StdRng) -> Note {
    let address = address(owner, rng);
    address.create_note(value, Rseed::AfterZip212(bytes(rng)))
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

/// `sapling-crypto`'s verifier of one transaction, with the keys of the same parameters.
pub struct Verifier {
    context: SaplingVerificationContext,
    spend_key: PreparedSpendVerifyingKey,
    output_key: PreparedOutputVerifyingKey,
}

impl Verifier {
    pub fn new(spend_parameters: &[u8], output_parameters: &[u8]) -> io::Result<Self> {
        let spend = SpendParameters::read(spend_parameters, false)?;
        let output = OutputParameters::read(output_parameters, false)?;
        Ok(Verifier {
            context: SaplingVerificationContext::new(),
            spend_key: spend.prepared_verifying_key(),
            output_key: output.prepared_verifying_key(),
        })
    }

    /// Checks the proof and the signature of a spend.
    pub fn spend(&mut self, transaction: &Transaction, proof: &[u8]) -> io::Result<bool> {
        let proof = Proof::<Bls12>::read(proof)?;
        let viewing_key = transaction.key.proof_generation_key().to_viewing_key();
        let position = transaction.path.position().into();
        let nullifier = transaction.spent.nf(viewing_key.nk(), position);
        let signing_key = transaction.key.ask().randomize(&transaction.alpha);
        let signature = signing_key.sign(transaction.signing_rng(), &transaction.sighash);
        Ok(self.context.check_spend(
            &ValueCommitment::derive(transaction.spent.value(), transaction.spent_rcv.clone()),
            transaction.anchor,
            &nullifier.0,
            viewing_key.rk(transaction.alpha),
            &transaction.sighash,
            signature,
            proof,
            &self.spend_key,
        ))
    }

    /// Checks the proof of an output.
    pub fn output(&mut self, transaction: &Transaction, proof: &[u8]) -> io::Result<bool> {
        let proof = Proof::<Bls12>::read(proof)?;
        let created = &transaction.created;
        let base = created.recipient().diversifier().g_d();
        let (Some(base), Some(esk)) = (base, transaction.output.esk) else { return Ok(false) };
        Ok(self.context.check_output(
            &ValueCommitment::derive(created.value(), transaction.created_rcv.clone()),
            created.cmu(),
            (base * esk).into(),
            proof,
            &self.output_key,
        ))
    }

    /// Checks that as much was created as was spent, by the value commitments of what was checked.
    pub fn balance(&self, transaction: &Transaction) -> bool {
        let key = (transaction.spent_rcv.clone() - &transaction.created_rcv).into_bsk();
        let signature = key.sign(transaction.signing_rng(), &transaction.sighash);
        self.context.final_check(0, &transaction.sighash, signature)
    }
}
