//! The C++ CPU pool (upstream's `groth16_pool`, with an owner and a size).

use crate::{Error, bridge::ffi};
use cxx::UniquePtr;

/// Threads the C++ side computes on. Dropping it joins them.
pub struct ThreadPool(UniquePtr<ffi::ThreadPool>);

// SAFETY: the C++ ThreadPool has no thread affinity: it may be used and destroyed on any thread.
unsafe impl Send for ThreadPool {}
// SAFETY: its const methods queue work under its own mutex and may run on several threads at once.
unsafe impl Sync for ThreadPool {}

impl ThreadPool {
    /// Starts `threads` threads, which run wherever the calling thread may.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for 0 threads, [`Error::Io`] when the system refuses to create one.
    pub fn new(threads: usize) -> Result<Self, Error> {
        Ok(ThreadPool(ffi::new_thread_pool(threads, &[])?))
    }

    /// Starts one thread for each of `cpus` (numbers as the system counts them), which run on these
    /// CPUs only. CPUs that this process may not use are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for no CPUs; [`Error::Io`] with `EINVAL` when this process may use none of
    /// them, with `ENOTSUP` on systems other than Linux, and when a thread is refused.
    pub fn on_cpus(cpus: &[u32]) -> Result<Self, Error> {
        Ok(ThreadPool(ffi::new_thread_pool(cpus.len(), cpus)?))
    }

    /// How many threads it has.
    pub fn size(&self) -> usize {
        ffi::thread_pool_size(self.raw())
    }

    pub(crate) fn raw(&self) -> &ffi::ThreadPool {
        // `new_thread_pool` throws rather than return null, so the pointer is never empty.
        &self.0
    }
}

impl std::fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadPool").field("size", &self.size()).finish()
    }
}
