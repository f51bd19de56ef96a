//! The size of the engine's pool (`groth16_pool` in the C++ prover), and its change between proofs.

use crate::{Error, Result};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use supraseal_sys::ThreadPool;

/// The most threads a pool may have; more is a mistake in a configuration, not a machine.
pub const MAX_POOL_THREADS: usize = 4096;

/// How many threads an engine computes with, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PoolSize {
    /// As many as CPUs that this process may use (affinity and container quotas count); of more than
    /// eight, three quarters, which leaves the rest to the synthesis of other proofs. A pool of all
    /// CPUs and synthesis slow each other down by more than the pool gains.
    #[default]
    Auto,
    /// So many threads, 1 to [`MAX_POOL_THREADS`], on any CPU.
    Threads(usize),
    /// One thread for each of these CPUs, numbered as the system does, that stays on them. Linux only.
    Cpus(Vec<u32>),
}

impl PoolSize {
    pub(super) fn start(&self) -> Result<ThreadPool> {
        match self {
            PoolSize::Auto => {
                let cpus = thread::available_parallelism().map_or(1, usize::from);
                PoolSize::Threads(share_of(cpus).min(MAX_POOL_THREADS)).start()
            }
            PoolSize::Threads(0) => Err(Error::shape("pool threads, at least", 1, 0)),
            PoolSize::Threads(threads) if *threads > MAX_POOL_THREADS => {
                Err(Error::shape("pool threads, at most", MAX_POOL_THREADS, *threads))
            }
            PoolSize::Threads(threads) => Ok(ThreadPool::new(*threads)?),
            PoolSize::Cpus(cpus) if cpus.is_empty() => {
                Err(Error::shape("CPUs for the pool, at least", 1, 0))
            }
            PoolSize::Cpus(cpus) if cpus.len() > MAX_POOL_THREADS => {
                Err(Error::shape("CPUs for the pool, at most", MAX_POOL_THREADS, cpus.len()))
            }
            PoolSize::Cpus(cpus) => Ok(ThreadPool::on_cpus(cpus)?),
        }
    }
}

fn share_of(cpus: usize) -> usize {
    const ALL_OF: usize = 8;
    if cpus <= ALL_OF { cpus } else { cpus - cpus / 4 }
}

/// The pool of the moment. Proofs that hold an older one keep it until they are done.
#[derive(Debug)]
pub(super) struct PoolSlot(Mutex<Arc<ThreadPool>>);

impl PoolSlot {
    pub(super) fn new(pool: ThreadPool) -> Self {
        PoolSlot(Mutex::new(Arc::new(pool)))
    }

    pub(super) fn get(&self) -> Arc<ThreadPool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn replace(&self, pool: ThreadPool) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *slot, Arc::new(pool));
        // Joining its threads is not for those who wait for the lock.
        drop(slot);
        drop(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_machines_keep_a_quarter_for_synthesis() {
        let shares = [1, 2, 8, 9, 16, 192].map(share_of);
        assert_eq!(shares, [1, 2, 8, 7, 12, 144]);
    }

    #[test]
    fn senseless_sizes_are_refused() {
        for threads in [0, MAX_POOL_THREADS + 1, usize::MAX] {
            let error = PoolSize::Threads(threads).start().expect_err("refused");
            assert!(matches!(error, Error::Shape { got, .. } if got == threads as u64), "{error}");
        }
        let error = PoolSize::Cpus(Vec::new()).start().expect_err("refused");
        assert!(matches!(error, Error::Shape { expected: 1, got: 0, .. }), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn cpus_that_are_not_there_are_an_error() {
        for cpus in [vec![u32::MAX], vec![60_000, 65_535]] {
            match PoolSize::Cpus(cpus).start() {
                Err(Error::Io { source, .. }) => {
                    assert_eq!(source.kind(), std::io::ErrorKind::InvalidInput);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
