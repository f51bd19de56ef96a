//! Proving keys.

use crate::{Error, G1Affine, G2Affine, ThreadPool, bridge::ffi};
use cxx::SharedPtr;
use std::os::fd::{AsFd, AsRawFd};

/// Points in each section of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the field's
pub struct SrsCounts {
    pub ic: usize,
    pub h: usize,
    pub l: usize,
    pub a: usize,
    pub b_g1: usize,
    pub b_g2: usize,
}

/// How much of each point of a parameter file is verified. The encoding, the flags and the curve
/// equation always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointChecks {
    /// Points are on the curve.
    #[default]
    OnCurve,
    /// Points are in the prime-order subgroup too (as bellman's `checked = true`); slower.
    Subgroup,
}

/// The points of a verifying key, apart from `ic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the field's
pub struct VerifyingKey {
    pub alpha_g1: G1Affine,
    pub beta_g1: G1Affine,
    pub beta_g2: G2Affine,
    pub gamma_g2: G2Affine,
    pub delta_g1: G1Affine,
    pub delta_g2: G2Affine,
}

/// A loaded proving key. Cloning shares it.
#[derive(Clone)]
pub struct Srs(SharedPtr<ffi::Srs>);

// SAFETY: the C++ Srs is immutable once loaded, and std::shared_ptr counts atomically.
unsafe impl Send for Srs {}
// SAFETY: as above; only const access is offered.
unsafe impl Sync for Srs {}

impl Srs {
    /// Reads `size` bytes of an open file.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`] with the first fault found, [`Error::Io`], [`Error::Memory`].
    pub fn from_file(
        pool: &ThreadPool,
        file: impl AsFd,
        size: u64,
        checks: PointChecks,
    ) -> Result<Self, Error> {
        let descriptor = file.as_fd();
        let subgroup = checks == PointChecks::Subgroup;
        Ok(Srs(ffi::load_srs_file(pool.raw(), descriptor.as_raw_fd(), size, subgroup)?))
    }

    /// Reads a file's content from memory.
    ///
    /// # Errors
    ///
    /// As [`Srs::from_file`].
    pub fn from_bytes(pool: &ThreadPool, bytes: &[u8], checks: PointChecks) -> Result<Self, Error> {
        let subgroup = checks == PointChecks::Subgroup;
        Ok(Srs(ffi::load_srs_bytes(pool.raw(), bytes, subgroup)?))
    }

    /// Points in each section.
    pub fn counts(&self) -> SrsCounts {
        let raw = ffi::srs_counts(self.raw());
        SrsCounts { ic: raw.ic, h: raw.h, l: raw.l, a: raw.a, b_g1: raw.b_g1, b_g2: raw.b_g2 }
    }

    /// The verifying key, apart from `ic`.
    pub fn verifying_key(&self) -> VerifyingKey {
        let raw = ffi::srs_verifying_key(self.raw());
        VerifyingKey {
            alpha_g1: raw.alpha_g1,
            beta_g1: raw.beta_g1,
            beta_g2: raw.beta_g2,
            gamma_g2: raw.gamma_g2,
            delta_g1: raw.delta_g1,
            delta_g2: raw.delta_g2,
        }
    }

    /// The verifying key's input points, ONE first.
    pub fn ic(&self) -> &[G1Affine] {
        ffi::srs_ic(self.raw())
    }

    pub(crate) fn raw(&self) -> &ffi::Srs {
        // The loaders throw rather than return null, so the pointer is never empty.
        &self.0
    }
}

impl std::fmt::Debug for Srs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = self.counts();
        f.debug_struct("Srs")
            .field("ic", &counts.ic)
            .field("h", &counts.h)
            .field("l", &counts.l)
            .field("a", &counts.a)
            .field("b", &counts.b_g1)
            .finish()
    }
}
