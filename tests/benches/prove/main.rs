//! Supraseal against the provers its users have: ark-groth16, bellperson's native prover and groth16
//! on bellman. All in one process, round by round, every proof verified.

mod load;
mod provers;
mod report;
mod throughput;

use clap::Parser;
use report::{Report, Row};
use std::process::ExitCode;

/// Times whole proofs, synthesis included, and the loading of parameters.
///
/// Each figure is the median of the rounds; the provers take turns within a round, so that whatever
/// else the machine does meets them all. The exit status is 1 when a proof does not verify.
#[derive(Parser, Debug)]
#[command(name = "prove")]
#[allow(clippy::struct_excessive_bools)] // independent switches of a command line
struct Options {
    /// Rounds; the median is reported.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Sizes of the half-boolean circuit, as powers of two.
    #[arg(long, value_delimiter = ',', default_values_t = [14, 16], value_parser = clap::value_parser!(u32).range(1..=24))]
    sizes: Vec<u32>,
    /// Leave Zcash's Sapling Spend out.
    #[arg(long)]
    no_sapling: bool,
    /// Leave the loading of parameters out.
    #[arg(long)]
    no_loading: bool,
    /// Measure throughput too: so many proofs of each size, through the pipeline and one after another.
    #[arg(long, value_name = "PROOFS")]
    throughput: Option<u32>,
    /// Print our phases of the last round too.
    #[arg(long)]
    phases: bool,
    /// Threads of our pool; as many as CPUs unless given.
    #[arg(long)]
    threads: Option<usize>,
    /// Do without the processor's vector instructions, as on machines that lack them.
    #[arg(long)]
    portable: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(report) => {
            report.print(options.json);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<Report, Box<dyn std::error::Error>> {
    let mut engine = supraseal::Engine::builder().portable_kernels(options.portable);
    if let Some(threads) = options.threads {
        engine = engine.pool_threads(threads);
    }
    let engine = engine.build()?;
    let mut report = Report::new(&engine, options.portable, options.rounds);
    for log2 in &options.sizes {
        let name = format!("2^{log2} half boolean");
        eprintln!("{name}: making parameters ...");
        let provers = provers::half_boolean(&engine, 1 << log2)?;
        report.proofs.push(time(&name, provers, options, &mut report.phases)?);
        if let Some(proofs) = options.throughput {
            report.proofs.push(throughput::measure(&engine, *log2, proofs, options.rounds)?);
        }
    }
    if !options.no_sapling {
        eprintln!("Sapling Spend: reading parameters ...");
        let provers = provers::sapling_spend(&engine)?;
        report.proofs.push(time("Sapling Spend", provers, options, &mut report.phases)?);
    }
    if !options.no_loading {
        report.loading = load::spend(&engine, options.rounds)?;
    }
    Ok(report)
}

fn time(
    name: &str,
    mut provers: Vec<provers::Prover<'_>>,
    options: &Options,
    phases: &mut Vec<(String, supraseal::Timeline)>,
) -> Result<Row, Box<dyn std::error::Error>> {
    let mut row = Row::new(name, provers.iter().map(|prover| prover.name));
    for round in 1..=options.rounds {
        for (prover, seconds) in provers.iter_mut().zip(row.seconds_mut()) {
            eprintln!("{name}: round {round} of {}: {} ...", options.rounds, prover.name);
            let (elapsed, timeline) = (prover.prove)()?;
            seconds.push(elapsed.as_secs_f64());
            if options.phases
                && round == options.rounds
                && let Some(timeline) = timeline
            {
                phases.push((name.to_owned(), timeline));
            }
        }
    }
    Ok(row)
}
