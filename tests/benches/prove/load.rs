//! Loading the parameters of Sapling Spend.

use crate::report::Row;
use bls12_381::Bls12;
use groth16::Parameters;
use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Write};
use std::time::Instant;
use supraseal::{Engine, PointChecks};
use supraseal_tests::sapling;

/// From a file on disk, in the page cache. `checked` groth16 checks the curve and the subgroup of every
/// point, otherwise nothing; ours always checks the curve, and the subgroup when asked to.
pub fn spend(engine: &Engine, rounds: u32) -> Result<Vec<Row>, Box<dyn Error>> {
    let (bytes, _) = sapling::parameter_files();
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(&bytes)?;
    drop(bytes);
    let careful = Engine::builder()
        .pool_threads(engine.pool_threads())
        .point_checks(PointChecks::Subgroup)
        .build()?;
    let mut on_curve = Row::new(
        "load Sapling Spend, points on the curve",
        ["supraseal", "groth16, checked", "groth16, unchecked"],
    );
    let mut in_subgroup = Row::new(
        "load Sapling Spend, points in the subgroup",
        ["supraseal, subgroup", "groth16, checked"],
    );
    for round in 1..=rounds {
        eprintln!("loading: round {round} of {rounds} ...");
        let ours = seconds(|| Ok(engine.load_srs(file.path())?))?;
        let ours_careful = seconds(|| Ok(careful.load_srs(file.path())?))?;
        let theirs = |checked| {
            seconds(|| {
                let reader = BufReader::with_capacity(1 << 20, File::open(file.path())?);
                Ok(Parameters::<Bls12>::read(reader, checked)?)
            })
        };
        let (checked, unchecked) = (theirs(true)?, theirs(false)?);
        on_curve.push(&[ours, checked, unchecked]);
        in_subgroup.push(&[ours_careful, checked]);
    }
    Ok(vec![on_curve, in_subgroup])
}

fn seconds<T>(load: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let began = Instant::now();
    let loaded = load()?;
    let elapsed = began.elapsed().as_secs_f64();
    black_box(&loaded);
    Ok(elapsed)
}
