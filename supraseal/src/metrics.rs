//! An engine's figures.

use crate::budget::AccountMetrics;
use crate::dealloc::DeallocatorMetrics;
use crate::memory::PoolMetrics;
use crate::throttle::ThrottleMetrics;

/// What an engine's owners of memory and threads have and do: [`Engine::metrics`](crate::Engine::metrics).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// The budget's account of host memory, which other engines may share.
    pub host: AccountMetrics,
    /// The pool of buffers.
    pub pool: PoolMetrics,
    /// The deallocation thread.
    pub deallocator: DeallocatorMetrics,
    /// The gate between proving and synthesis.
    pub throttle: ThrottleMetrics,
    /// Threads of the pool that computes.
    pub pool_threads: usize,
    /// Proofs that wait for their turn.
    pub queued_proofs: usize,
}
