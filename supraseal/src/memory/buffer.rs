//! A vector of scalars, in the pool's memory or in its maker's.

use crate::{Fr, Result};
use std::ops::Deref;
use supraseal_sys::HostVec;

/// Scalars of an assignment.
#[derive(Debug)]
pub(crate) enum Scalars {
    /// Of an engine's pool.
    Pooled(HostVec<Fr>),
    /// Handed over by a front-end of somebody else's.
    Owned(Vec<Fr>),
}

impl Scalars {
    /// Bytes of memory, spare capacity included.
    pub(crate) fn memory_bytes(&self) -> usize {
        let capacity = match self {
            Scalars::Pooled(values) => values.capacity(),
            Scalars::Owned(values) => values.capacity(),
        };
        capacity * size_of::<Fr>()
    }

    /// A copy in memory of its own, unless it is.
    pub(crate) fn into_vec(self) -> Vec<Fr> {
        match self {
            Scalars::Pooled(values) => values.to_vec(),
            Scalars::Owned(values) => values,
        }
    }

    /// Appends, if there is room; pooled memory has room for what was reserved only.
    #[inline]
    pub(crate) fn push(&mut self, value: Fr) -> Result<(), Fr> {
        match self {
            Scalars::Pooled(values) => values.push(value),
            Scalars::Owned(values) => {
                values.push(value);
                Ok(())
            }
        }
    }
}

impl Default for Scalars {
    fn default() -> Self {
        Scalars::Owned(Vec::new())
    }
}

impl From<Vec<Fr>> for Scalars {
    fn from(values: Vec<Fr>) -> Self {
        Scalars::Owned(values)
    }
}

impl Clone for Scalars {
    // A copy belongs to nobody's budget but its maker's.
    fn clone(&self) -> Self {
        Scalars::Owned(self.to_vec())
    }
}

impl Deref for Scalars {
    type Target = [Fr];

    #[inline]
    fn deref(&self) -> &[Fr] {
        match self {
            Scalars::Pooled(values) => values,
            Scalars::Owned(values) => values,
        }
    }
}
