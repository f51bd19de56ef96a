//! What the example prints.

use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;
use supraseal::{Shape, Timeline};

pub struct Report {
    pub seed: u64,
    pub threads: usize,
    /// The processor has AVX-512 IFMA.
    pub ifma: bool,
    pub proofs: Vec<ProofReport>,
    /// The transaction creates as much as it spends.
    pub balanced: bool,
}

pub struct ProofReport {
    pub name: &'static str,
    pub shape: Shape,
    pub parameter_bytes: usize,
    pub witness_bytes: usize,
    pub load: Duration,
    pub synthesis: Duration,
    pub prove: Duration,
    pub verify: Duration,
    pub timeline: Timeline,
    pub proof: Vec<u8>,
    /// By Zcash's verifier.
    pub verified: bool,
}

/// A line of a table. Times in milliseconds.
struct Row {
    phase: &'static str,
    start_ms: Option<f64>,
    time_ms: f64,
    bytes: Option<u64>,
    threads: usize,
}

impl Report {
    pub fn verified(&self) -> bool {
        self.balanced && self.proofs.iter().all(|proof| proof.verified)
    }

    pub fn json(&self) -> Value {
        json!({
            "seed": self.seed,
            "threads": self.threads,
            "avx512_ifma": self.ifma,
            "proofs": self.proofs.iter().map(|p| p.json(self.threads)).collect::<Vec<_>>(),
            "balanced": self.balanced,
            "verified": self.verified(),
        })
    }
}

impl ProofReport {
    fn rows(&self, threads: usize) -> Vec<Row> {
        let row = |phase, time: Duration, bytes: Option<usize>, threads| Row {
            phase,
            start_ms: None,
            time_ms: ms(time),
            bytes: bytes.map(|bytes| bytes as u64),
            threads,
        };
        let mut rows = vec![
            row("load parameters", self.load, Some(self.parameter_bytes), threads),
            row("synthesise", self.synthesis, Some(self.witness_bytes), 1),
        ];
        rows.extend(self.timeline.phases().iter().map(|phase| Row {
            phase: phase.kind.name(),
            start_ms: Some(ms(phase.start)),
            time_ms: ms(phase.duration()),
            bytes: Some(phase.bytes),
            threads: phase.threads as usize,
        }));
        rows.push(row("prove, in all", self.prove, None, threads));
        rows.push(row("verify", self.verify, Some(self.proof.len()), 1));
        rows
    }

    fn json(&self, threads: usize) -> Value {
        let phase = |row: Row| {
            json!({
                "phase": row.phase,
                "start_ms": row.start_ms,
                "time_ms": row.time_ms,
                "bytes": row.bytes,
                "threads": row.threads,
            })
        };
        json!({
            "circuit": self.name,
            "constraints": self.shape.constraints,
            "inputs": self.shape.inputs,
            "aux": self.shape.aux,
            "phases": self.rows(threads).into_iter().map(phase).collect::<Vec<_>>(),
            "proof": self.hex(),
            "proof_bytes": self.proof.len(),
            "verified": self.verified,
        })
    }

    fn hex(&self) -> String {
        self.proof.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels = if self.ifma { ", AVX-512 IFMA" } else { "" };
        writeln!(f, "\n{} threads{kernels}, seed {}", self.threads, self.seed)?;
        for proof in &self.proofs {
            let shape = &proof.shape;
            writeln!(
                f,
                "\n{}: {} constraints, {} public inputs, {} private variables\n",
                proof.name,
                shape.constraints,
                shape.inputs - 1,
                shape.aux
            )?;
            let header = ["phase", "start ms", "time ms", "bytes", "threads"];
            let [phase, start, time, bytes, threads] = header;
            writeln!(f, "  {phase:<16}{start:>10}{time:>11}{bytes:>13}{threads:>9}")?;
            writeln!(f, "  {:-<59}", "")?;
            for row in proof.rows(self.threads) {
                let start = row.start_ms.map_or(String::new(), |ms| format!("{ms:.1}"));
                let bytes = row.bytes.map_or(String::new(), |bytes| bytes.to_string());
                writeln!(
                    f,
                    "  {:<16}{start:>10}{:>11.1}{bytes:>13}{:>9}",
                    row.phase, row.time_ms, row.threads
                )?;
            }
            let verdict = if proof.verified { "verified" } else { "NOT VERIFIED" };
            let hex = proof.hex();
            writeln!(
                f,
                "\n  proof: {} bytes, {verdict} by sapling-crypto\n  {} ... {}",
                proof.proof.len(),
                &hex[..32],
                &hex[hex.len() - 16..]
            )?;
        }
        let verdict = if self.balanced { "balances" } else { "DOES NOT BALANCE" };
        writeln!(f, "\nThe transaction of both {verdict}.")?;
        write!(f, "The first synthesis of a process includes sapling-crypto building its tables.")
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
