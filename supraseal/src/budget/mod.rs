//! Who may use how much memory.
//!
//! An [`Account`] holds the bytes of one kind of memory. Whoever needs some acquires a
//! [`Reservation`] first and drops it when the memory is back with the system; who asks for more than
//! is left waits, first come, first served. A [`MemoryBudget`] has one account for the host and one for
//! each device.

mod account;
mod acquire;
mod limits;
#[cfg(all(test, loom))]
mod models;
mod reservation;
#[cfg(all(test, not(loom)))]
mod tests;

pub use account::{Account, AccountMetrics, Evictor};
pub use acquire::Acquire;
pub use reservation::Reservation;

use crate::Result;

/// The accounts of an engine.
///
/// ```
/// use supraseal::MemoryBudget;
///
/// let budget = MemoryBudget::of_host(1 << 30)?;
/// let half = budget.host().acquire(1 << 29)?;
/// assert!(budget.host().try_acquire(1 << 30)?.is_none());
/// drop(half);
/// assert!(budget.host().try_acquire(1 << 30)?.is_some());
/// // More than there is at all is an error, never a wait.
/// assert!(budget.host().acquire((1 << 30) + 1).is_err());
/// # Ok::<(), supraseal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    host: Account,
    devices: Vec<Account>,
}

impl MemoryBudget {
    /// A budget of `bytes` of host memory.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) for 0 bytes.
    pub fn of_host(bytes: u64) -> Result<Self> {
        Ok(MemoryBudget { host: Account::of_host(bytes)?, devices: Vec::new() })
    }

    /// A budget of what this process can have: the least of the machine's memory and the limits of its
    /// cgroups (version 1 or 2, the process's own and those above it), less an eighth, though no more
    /// than 4 GiB, for everything that is not accounted for.
    ///
    /// # Errors
    ///
    /// [`Error::Io`](crate::Error::Io) when the system does not tell, as it does on Linux.
    pub fn auto() -> Result<Self> {
        MemoryBudget::of_host(limits::less_margin(limits::available()?))
    }

    /// Adds an account for the device that is next by number.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) for 0 bytes.
    pub fn with_device(mut self, bytes: u64) -> Result<Self> {
        self.devices.push(Account::of_device(self.devices.len(), bytes)?);
        Ok(self)
    }

    /// Host memory.
    pub fn host(&self) -> &Account {
        &self.host
    }

    /// The devices' memory.
    pub fn devices(&self) -> &[Account] {
        &self.devices
    }
}
