//! What computes.

use crate::{Error, bridge::ffi};
use cxx::UniquePtr;

/// Which arithmetic the CPU backend uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernels {
    /// The fastest that the processor runs.
    #[default]
    Fastest,
    /// Without vector instructions: blst's assembly alone. For tests and comparisons.
    Portable,
}

/// A way to compute proofs.
pub struct Backend(UniquePtr<ffi::Backend>);

// SAFETY: the C++ Backend has no thread affinity: it may be used and destroyed on any thread.
unsafe impl Send for Backend {}
// SAFETY: its methods are const and keep what they change on their own stack.
unsafe impl Sync for Backend {}

impl Backend {
    /// The CPU.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`].
    pub fn cpu(kernels: Kernels) -> Result<Self, Error> {
        Ok(Backend(ffi::new_cpu_backend(kernels == Kernels::Portable)?))
    }

    pub(crate) fn raw(&self) -> &ffi::Backend {
        // `new_cpu_backend` throws rather than return null, so the pointer is never empty.
        &self.0
    }
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Backend")
    }
}
