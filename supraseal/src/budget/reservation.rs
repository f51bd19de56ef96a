//! The right to some bytes.

use super::account::Account;
use crate::sync::Arc;
use crate::{Error, Result};

/// Bytes of an [`Account`] that are spoken for, until dropped. Leaking it leaks the bytes.
#[derive(Debug)]
#[must_use = "dropping a reservation gives its bytes back"]
pub struct Reservation {
    account: Account,
    bytes: u64,
    lasting: bool,
}

impl Reservation {
    pub(super) fn new(account: &Account, bytes: u64) -> Self {
        Reservation { account: account.clone(), bytes, lasting: false }
    }

    /// Says that these bytes will be held for long, as a key's are. Requests that could be served only
    /// after they are given back are errors then, instead of waiting for that.
    pub fn lasting(mut self) -> Self {
        if !self.lasting {
            self.account.note_lasting(self.bytes, true);
            self.lasting = true;
        }
        self
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives some of them back.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for more than it has; nothing has changed then.
    pub fn release(&mut self, bytes: u64) -> Result<()> {
        drop(self.split(bytes)?);
        Ok(())
    }

    /// Takes some of them apart.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for more than it has; nothing has changed then.
    pub fn split(&mut self, bytes: u64) -> Result<Reservation> {
        let left = self.bytes.checked_sub(bytes).ok_or_else(|| Error::Shape {
            what: "bytes of a reservation, at most".to_owned(),
            expected: self.bytes,
            got: bytes,
        })?;
        self.bytes = left;
        Ok(Reservation { account: self.account.clone(), bytes, lasting: self.lasting })
    }

    /// Adds another one's bytes.
    ///
    /// # Errors
    ///
    /// The other one, unchanged, if it is of another account, or one of them alone is lasting.
    pub fn merge(&mut self, mut other: Reservation) -> Result<(), Reservation> {
        if !Arc::ptr_eq(&self.account.0, &other.account.0) || self.lasting != other.lasting {
            return Err(other);
        }
        self.bytes += std::mem::take(&mut other.bytes);
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes > 0 {
            if self.lasting {
                self.account.note_lasting(self.bytes, false);
            }
            self.account.credit(self.bytes);
        }
    }
}
