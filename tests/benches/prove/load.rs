//! Loading the parameters of Sapling Spend.

use crate::report::Row;
use bls12_381::Bls12;
use groth16::Parameters;
use std::error::Error;
use std::hint::black_box;
use std::io::{BufReader, Write};
use std::time::Instant;
use supraseal::Engine;
use supraseal_tests::sapling;

/// From a file on disk, in the page cache: ours checks that every point is on the curve; groth16
/// checks nothing with `checked = false`, the curve and the subgroup with `checked = true`.
pub fn spend(engine: &Engine, rounds: u32) -> Result<Row, Box<dyn Error>> {
    let (bytes, _) = sapling::parameter_files();
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(&bytes)?;
    drop(bytes);
    let mut row = Row::new(
        "load Sapling Spend",
        ["supraseal, on-curve checks", "groth16, checked", "groth16, unchecked"],
    );
    for round in 1..=rounds {
        eprintln!("loading: round {round} of {rounds} ...");
        let [ours, checked, unchecked] = row.seconds_mut() else {
            return Err("three columns".into());
        };
        let began = Instant::now();
        black_box(engine.load_srs(file.path())?);
        ours.push(began.elapsed().as_secs_f64());
        for (check, seconds) in [(true, checked), (false, unchecked)] {
            let began = Instant::now();
            let reader = BufReader::with_capacity(1 << 20, std::fs::File::open(file.path())?);
            black_box(Parameters::<Bls12>::read(reader, check)?);
            seconds.push(began.elapsed().as_secs_f64());
        }
    }
    Ok(row)
}
