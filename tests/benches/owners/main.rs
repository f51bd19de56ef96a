//! What each owner of memory and threads buys: the same proofs with and without it, in turns.

mod frees;
mod proofs;

use clap::Parser;
use serde_json::json;
use std::error::Error;
use std::process::ExitCode;

/// Times the same work with each owner on and off, or at several sizes.
///
/// Each figure is the median of the rounds; the settings take turns within a round. Every proof is
/// verified. The exit status is 1 when one does not.
#[derive(Parser, Debug)]
#[command(name = "owners")]
struct Options {
    /// Rounds; the median is reported.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Size of the half-boolean circuit, as a power of two.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=24))]
    size: u32,
    /// Proofs of a measurement.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    proofs: u32,
    /// Sizes of the pool.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4, 8])]
    pools: Vec<usize>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// One owner, with what was measured in each of its settings.
struct Comparison {
    owner: &'static str,
    unit: &'static str,
    settings: Vec<String>,
    // Of each setting, a figure a round.
    figures: Vec<Vec<f64>>,
}

type Measure<'a> = Box<dyn FnMut() -> Result<f64, Box<dyn Error>> + 'a>;

impl Comparison {
    fn run(
        owner: &'static str,
        unit: &'static str,
        rounds: u32,
        mut settings: Vec<(String, Measure<'_>)>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut figures = vec![Vec::new(); settings.len()];
        for round in 1..=rounds {
            for ((name, measure), figures) in settings.iter_mut().zip(&mut figures) {
                eprintln!("{owner}: round {round} of {rounds}: {name} ...");
                figures.push(measure()?);
            }
        }
        let settings = settings.into_iter().map(|(name, _)| name).collect();
        Ok(Comparison { owner, unit, settings, figures })
    }

    fn medians(&self) -> Vec<f64> {
        let median = |figures: &Vec<f64>| {
            let mut sorted = figures.clone();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        self.figures.iter().map(median).collect()
    }

    fn print(&self) {
        let medians = self.medians();
        for (setting, median) in self.settings.iter().zip(&medians) {
            let ratio = median / medians[0];
            println!("| {} | {setting} | {median:.3} {} | {ratio:.2} |", self.owner, self.unit);
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "owner": self.owner,
            "unit": self.unit,
            "settings": self.settings,
            "medians": self.medians(),
            "figures": self.figures,
        })
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(comparisons) if options.json => {
            let all: Vec<_> = comparisons.iter().map(Comparison::json).collect();
            println!("{}", json!({ "rounds": options.rounds, "comparisons": all }));
            ExitCode::SUCCESS
        }
        Ok(comparisons) => {
            println!("| owner | setting | median of {} | to the first |", options.rounds);
            println!("| --- | --- | --- | --- |");
            comparisons.iter().for_each(Comparison::print);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let work = proofs::Work::new(options.size, options.proofs)?;
    Ok(vec![
        work.pool_sizes(&options.pools, options.rounds)?,
        work.buffers(options.rounds)?,
        work.page_faults(options.rounds)?,
        work.deallocation(options.rounds)?,
        frees::producers(options.rounds)?,
        frees::bystander(options.rounds)?,
        work.throttle(options.rounds)?,
    ])
}
