//! Whether a witness satisfies its circuit.

use crate::Fr;
use crate::assignment::Vectors;
use std::thread;

/// Below this many constraints a thread costs more than it saves: about half a millisecond of work.
const MIN_CHUNK: usize = 1 << 14;

/// The first constraint with `a * b != c`, looked for on at most `threads` threads.
pub(crate) fn first_unsatisfied(parts: &Vectors, threads: usize) -> Option<usize> {
    let (a, b, c) = (&parts.a[..], &parts.b[..], &parts.c[..]);
    let chunk = a.len().div_ceil(threads.max(1)).max(MIN_CHUNK);
    let chunks = a.chunks(chunk).zip(b.chunks(chunk)).zip(c.chunks(chunk)).enumerate();
    thread::scope(|scope| {
        let mut first = None;
        let mut found = |index: usize, bad: Option<usize>| {
            let bad = bad.map(|bad| index * chunk + bad);
            first = match (first, bad) {
                (Some(one), Some(other)) => Some(usize::min(one, other)),
                (one, other) => one.or(other),
            };
        };
        let mut running = Vec::new();
        for (index, ((a, b), c)) in chunks {
            let work = move || first_in(a, b, c);
            // The calling thread takes the first chunk, and those that no thread can be had for.
            let spawned = if index == 0 {
                None
            } else {
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            match spawned {
                Some(handle) => running.push((index, handle)),
                None => found(index, first_in(a, b, c)),
            }
        }
        for (index, handle) in running {
            // `first_in` cannot panic; should it, the scope passes the panic on.
            found(index, handle.join().unwrap_or_default());
        }
        first
    })
}

fn first_in(a: &[Fr], b: &[Fr], c: &[Fr]) -> Option<usize> {
    a.iter().zip(b).zip(c).position(|((a, b), c)| match (a, b) {
        (&Fr::ZERO, _) | (_, &Fr::ZERO) => *c != Fr::ZERO,
        (&Fr::ONE, other) | (other, &Fr::ONE) => other != c,
        _ => a.as_scalar() * b.as_scalar() != *c.as_scalar(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, AssignmentParts};
    use blstrs::Scalar;

    fn products(constraints: usize) -> AssignmentParts {
        let scalar = |k: usize| Fr::from(Scalar::from(k as u64));
        AssignmentParts {
            a: (0..constraints).map(|i| scalar(i % 5)).collect(),
            b: (0..constraints).map(|i| scalar(i % 7)).collect(),
            c: (0..constraints).map(|i| scalar((i % 5) * (i % 7))).collect(),
            inputs: vec![Fr::ONE],
            b_input_density: [false].into_iter().collect(),
            ..AssignmentParts::default()
        }
    }

    #[test]
    fn the_first_bad_constraint_is_found_on_any_number_of_threads() {
        let constraints = 3 * MIN_CHUNK + 17;
        for bad in [vec![], vec![0], vec![constraints - 1], vec![40_000, 20_000, 17_001]] {
            let mut parts = products(constraints);
            for &index in &bad {
                parts.c[index] = Fr::from(Scalar::from(1_000));
            }
            let assignment = Assignment::from_parts(parts).expect("valid");
            for threads in [0, 1, 2, 64] {
                let found = first_unsatisfied(assignment.vectors(), threads);
                assert_eq!(found, bad.iter().min().copied());
            }
        }
    }
}
