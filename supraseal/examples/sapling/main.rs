//! Proves and verifies a Zcash Sapling transaction with the real parameters of Zcash's ceremony.
//!
//! `cargo run --release --example sapling -- --help`

mod report;
mod transaction;

use clap::Parser;
use report::{ProofReport, Report};
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use supraseal::{Assignment, Engine, Fr, Proof, Randomness, Srs};
use transaction::{Transaction, Verifier};

/// Proves a Sapling Spend and a Sapling Output with Zcash's parameters, and verifies both with
/// Zcash's own verifier.
#[derive(Parser)]
#[command(name = "sapling", version)]
struct Options {
    /// Threads of the prover; as many as the CPUs this process may use unless given.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Where keys, notes and the proofs' randomness are drawn from. Equal seeds give equal proofs,
    /// which is for demonstrations only: real proofs use `Randomness::from_os`.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(report) => {
            if options.json {
                println!("{}", report.json());
            } else {
                println!("{report}");
            }
            if report.verified() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            let mut source = error.source();
            while let Some(error) = source {
                eprintln!("  because: {error}");
                source = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<Report, Box<dyn Error>> {
    let mut builder = Engine::builder().check_witness(true);
    if let Some(threads) = options.threads {
        builder = builder.pool_threads(threads);
    }
    let engine = builder.build()?;

    eprintln!("unpacking Zcash's parameters ...");
    let (spend_bytes, output_bytes) = wagyu_zcash_parameters::load_sapling_parameters();
    let transaction = Transaction::random(options.seed)?;

    let spend = Job {
        name: "Spend",
        parameters: &spend_bytes,
        synthesize: || supraseal::bellman::synthesize(transaction.spend_circuit()),
        randomness: transaction.spend_randomness(),
    };
    let output = Job {
        name: "Output",
        parameters: &output_bytes,
        synthesize: || supraseal::bellman::synthesize(transaction.output_circuit()),
        randomness: transaction.output_randomness(),
    };
    let mut spend = spend.run(&engine)?;
    let mut output = output.run(&engine)?;

    eprintln!("verifying with sapling-crypto ...");
    let mut verifier = Verifier::new(&spend_bytes, &output_bytes)?;
    spend.report.verified = verifier.spend(&transaction, &spend.proof.to_bytes())?;
    output.report.verified = verifier.output(&transaction, &output.proof.to_bytes())?;
    Ok(Report {
        seed: options.seed,
        threads: engine.pool_threads(),
        ifma: supraseal::build_info().cpu_has_ifma,
        proofs: vec![spend.report, output.report],
        balanced: verifier.balance(&transaction),
    })
}

/// One circuit with its parameters.
struct Job<'a, S> {
    name: &'static str,
    parameters: &'a [u8],
    synthesize: S,
    randomness: Randomness,
}

struct Done {
    proof: Proof,
    report: ProofReport,
}

impl<S: FnOnce() -> supraseal::Result<Assignment>> Job<'_, S> {
    fn run(self, engine: &Engine) -> supraseal::Result<Done> {
        eprintln!("{}: loading {} bytes of parameters ...", self.name, self.parameters.len());
        let (srs, load) = timed(|| Srs::from_bytes(engine, self.parameters));
        let srs = srs?;
        eprintln!("{}: proving ...", self.name);
        let (assignment, synthesis) = timed(self.synthesize);
        let assignment = assignment?;
        let (shape, witness_bytes) = (assignment.shape(), assignment.memory_bytes());
        let inputs: Vec<Fr> = assignment.public_inputs().to_vec();
        let (proved, prove) = timed(|| engine.prove_timed(&srs, assignment, self.randomness));
        let (proof, timeline) = proved?;
        let (own, verify) = timed(|| srs.verifying_key().verify(&proof, &inputs));
        own?;
        let report = ProofReport {
            name: self.name,
            shape,
            parameter_bytes: self.parameters.len(),
            witness_bytes,
            load,
            synthesis,
            prove,
            verify,
            timeline,
            proof: proof.to_bytes().to_vec(),
            verified: false,
        };
        Ok(Done { proof, report })
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
