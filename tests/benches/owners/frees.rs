//! The deallocation thread alone: eight threads that are done with 64 MiB each, again and again.

use crate::{Comparison, Measure};
use std::error::Error;
use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;
use supraseal::Deallocator;

const THREADS: usize = 8;
const BYTES: usize = 64 << 20;
const REPEATS: usize = 4;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Clone, Copy)]
enum Frees {
    Handed,
    InPlace,
}

/// Milliseconds that one of the eight takes to get rid of its 64 MiB.
pub fn producers(rounds: u32) -> Result<Comparison> {
    compare("deallocation thread", "ms a free of 64 MiB", rounds, |frees| {
        Ok(run(frees)?.milliseconds)
    })
}

/// Millions of page-strided writes a second that a ninth thread does meanwhile.
pub fn bystander(rounds: u32) -> Result<Comparison> {
    compare("deallocation thread", "million writes a second beside", rounds, |frees| {
        Ok(run(frees)?.writes)
    })
}

fn compare(
    owner: &'static str,
    unit: &'static str,
    rounds: u32,
    measure: impl Fn(Frees) -> Result<f64> + Copy + 'static,
) -> Result<Comparison> {
    let setting = |name: &str, frees| -> (String, Measure<'static>) {
        (name.to_owned(), Box::new(move || measure(frees)))
    };
    let settings = vec![setting("on", Frees::Handed), setting("off", Frees::InPlace)];
    Comparison::run(owner, unit, rounds, settings)
}

struct Figures {
    milliseconds: f64,
    writes: f64,
}

fn run(frees: Frees) -> Result<Figures> {
    let deallocator = Deallocator::start((2 * THREADS * BYTES) as u64)?;
    let over = AtomicBool::new(false);
    let together = Barrier::new(THREADS);
    let (spent, writes) = thread::scope(|scope| {
        let bystander = scope.spawn(|| write_until(&over));
        let producers: Vec<_> =
            (0..THREADS).map(|_| scope.spawn(|| produce(frees, &deallocator, &together))).collect();
        let spent: f64 = producers.into_iter().map(|p| p.join().unwrap_or(f64::NAN)).sum();
        deallocator.flush();
        over.store(true, Ordering::Relaxed);
        (spent, bystander.join().unwrap_or(f64::NAN))
    });
    #[allow(clippy::cast_precision_loss)] // tens
    let frees = (THREADS * REPEATS) as f64;
    Ok(Figures { milliseconds: 1e3 * spent / frees, writes: writes / 1e6 })
}

/// Seconds in frees, of one thread.
fn produce(frees: Frees, deallocator: &Deallocator, together: &Barrier) -> f64 {
    let mut spent = 0.0;
    for _ in 0..REPEATS {
        let large = black_box(vec![1_u8; BYTES]);
        together.wait();
        let began = Instant::now();
        match frees {
            Frees::Handed => deallocator.free(large, BYTES as u64),
            Frees::InPlace => drop(large),
        }
        spent += began.elapsed().as_secs_f64();
    }
    spent
}

/// Writes a second to pages of one's own.
fn write_until(over: &AtomicBool) -> f64 {
    const PAGE: usize = 4096;
    let mut own = vec![0_u8; 16 << 20];
    let (began, mut writes) = (Instant::now(), 0.0);
    while !over.load(Ordering::Relaxed) {
        for page in own.chunks_mut(PAGE) {
            page[0] = page[0].wrapping_add(1);
            writes += 1.0;
        }
        black_box(&mut own);
    }
    writes / began.elapsed().as_secs_f64()
}
