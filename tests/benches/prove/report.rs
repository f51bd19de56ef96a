//! The figures, for people and for programs.

use serde_json::json;
use supraseal::{Engine, Timeline};

/// One measurement: the same work by several programs, ours first.
pub struct Row {
    name: String,
    columns: Vec<&'static str>,
    seconds: Vec<Vec<f64>>,
}

impl Row {
    pub fn new(name: &str, columns: impl IntoIterator<Item = &'static str>) -> Self {
        let columns: Vec<_> = columns.into_iter().collect();
        Row { name: name.to_owned(), seconds: vec![Vec::new(); columns.len()], columns }
    }

    /// Adds a round, a figure for each column.
    pub fn push(&mut self, round: &[f64]) {
        for (seconds, figure) in self.seconds.iter_mut().zip(round) {
            seconds.push(*figure);
        }
    }

    pub fn seconds_mut(&mut self) -> &mut [Vec<f64>] {
        &mut self.seconds
    }

    fn medians(&self) -> Vec<f64> {
        let median = |seconds: &Vec<f64>| {
            let mut sorted = seconds.clone();
            sorted.sort_by(f64::total_cmp);
            let middle = sorted.len() / 2;
            if sorted.len() % 2 == 1 {
                sorted[middle]
            } else {
                f64::midpoint(sorted[middle - 1], sorted[middle])
            }
        };
        self.seconds.iter().map(median).collect()
    }

    /// How many times longer the fastest of the others takes.
    fn ratio(&self) -> f64 {
        let medians = self.medians();
        medians[1..].iter().copied().fold(f64::INFINITY, f64::min) / medians[0]
    }

    fn print(&self) {
        println!("{}", self.name);
        let ours = self.medians()[0];
        for (column, median) in self.columns.iter().zip(self.medians()) {
            println!("  {column:<28} {median:>9.3} s   {:>6.2} x", median / ours);
        }
        println!("  the fastest other takes {:.2} times as long\n", self.ratio());
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "name": self.name,
            "columns": self.columns,
            "median_seconds": self.medians(),
            "seconds": self.seconds,
            "fastest_other_over_ours": self.ratio(),
        })
    }
}

/// Everything that was measured.
pub struct Report {
    machine: String,
    threads: usize,
    ifma: bool,
    rounds: u32,
    pub proofs: Vec<Row>,
    pub loading: Vec<Row>,
    pub phases: Vec<(String, Timeline)>,
}

impl Report {
    pub fn new(engine: &Engine, portable: bool, rounds: u32) -> Self {
        Report {
            machine: cpu_model(),
            threads: engine.pool_threads(),
            ifma: supraseal::build_info().cpu_has_ifma && !portable,
            rounds,
            proofs: Vec::new(),
            loading: Vec::new(),
            phases: Vec::new(),
        }
    }

    pub fn print(&self, json: bool) {
        if json {
            println!("{}", self.json());
            return;
        }
        let vectors = if self.ifma { "with AVX-512 IFMA" } else { "without AVX-512 IFMA" };
        let Report { machine, threads, rounds, .. } = self;
        println!("{machine}, {threads} threads, {vectors}; medians of {rounds}\n");
        self.proofs.iter().chain(&self.loading).for_each(Row::print);
        for (name, timeline) in &self.phases {
            println!("{name}: our phases\n{timeline}\n");
        }
    }

    fn json(&self) -> serde_json::Value {
        let phase = |phase: &supraseal::Phase| {
            json!({
                "phase": phase.kind.name(),
                "start_seconds": phase.start.as_secs_f64(),
                "seconds": phase.duration().as_secs_f64(),
            })
        };
        let phases = self.phases.iter().map(|(name, timeline)| {
            json!({ "name": name, "phases": timeline.phases().iter().map(phase).collect::<Vec<_>>() })
        });
        json!({
            "machine": self.machine,
            "threads": self.threads,
            "avx512_ifma": self.ifma,
            "rounds": self.rounds,
            "proofs": self.proofs.iter().map(Row::json).collect::<Vec<_>>(),
            "loading": self.loading.iter().map(Row::json).collect::<Vec<_>>(),
            "phases": phases.collect::<Vec<_>>(),
        })
    }
}

fn cpu_model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
