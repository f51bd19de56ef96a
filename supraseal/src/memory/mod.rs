//! The memory that proofs are made in: page-aligned, kept for the next proof, charged to the budget
//! before it is taken.

mod buffer;
mod hints;
#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use buffer::Scalars;
pub(crate) use hints::{Hint, HintTable};

use crate::budget::{Account, Evictor, Reservation};
use crate::dealloc::Deallocator;
use crate::sync::{Condvar, Mutex, lock, wait_timeout};
use crate::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};
use supraseal_sys::HostMemory;

/// How long a synthesis that outgrew its expected size waits for more memory.
const PATIENCE: Duration = Duration::from_secs(30);

/// Figures of the pool of buffers of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolMetrics {
    /// Bytes the pool has from the system.
    pub held_bytes: u64,
    /// Of these, those that nobody uses.
    pub idle_bytes: u64,
    /// Bytes of the budget that the pool has.
    pub charged_bytes: u64,
    /// Of these, those that proofs in progress may use.
    pub promised_bytes: u64,
    /// Blocks that were there when they were wanted.
    pub hits: u64,
    /// Blocks that had to be taken from the system.
    pub misses: u64,
    /// How often a synthesis outgrew what it was expected to need.
    pub growths: u64,
}

/// Blocks of memory under a budget. Whoever wants to take some needs a [`Promise`], which has the
/// budget's bytes behind it; what proofs have given back stays, charged, until somebody else needs it
/// more.
pub(crate) struct Pool {
    native: HostMemory,
    account: Account,
    deallocator: Arc<Deallocator>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    // What the native pool's limit is.
    charged: Reservation,
    // Asked of the account, not there yet.
    pending: u64,
    promised: u64,
    // Promises that have their bytes, unlike those that wait for them.
    kept: usize,
    growing: usize,
    growths: u64,
}

impl Pool {
    pub(crate) fn new(account: &Account, deallocator: Arc<Deallocator>) -> Result<Arc<Self>> {
        let pool = Arc::new(Pool {
            native: HostMemory::new(0)?,
            account: account.clone(),
            deallocator,
            state: Mutex::new(State {
                charged: account.acquire(0)?,
                pending: 0,
                promised: 0,
                kept: 0,
                growing: 0,
                growths: 0,
            }),
            changed: Condvar::new(),
        });
        Ok(pool)
    }

    pub(crate) fn native(&self) -> &HostMemory {
        &self.native
    }

    /// Waits until `bytes` may be used. They are had all at once, so that two proofs never wait for
    /// each other's other half.
    pub(crate) fn promise(self: &Arc<Self>, bytes: u64) -> Result<Promise> {
        self.account.check(bytes)?;
        let (missing, begun) = {
            let mut state = lock(&self.state);
            let have = state.charged.bytes() + state.pending;
            let missing = (state.promised + bytes).saturating_sub(have);
            // What is there may be claimed by the first in the account's queue only: whoever is served
            // first must not need what one behind has claimed.
            let begun = self.account.begin(missing, bytes)?;
            let missing = begun.bytes();
            state.promised += bytes;
            state.pending += missing;
            (missing, begun)
        };
        let acquired = self.account.complete(begun).map(Some);
        self.settle(bytes, missing, acquired)?;
        lock(&self.state).kept += 1;
        Ok(Promise { pool: self.clone(), bytes })
    }

    /// What came of the account's `missing` bytes of `promised` ones. Both are taken back at once if
    /// they did not come, as what is spare follows from the two.
    fn settle(
        &self,
        promised: u64,
        missing: u64,
        acquired: Result<Option<Reservation>>,
    ) -> Result<bool> {
        let mut state = lock(&self.state);
        state.pending -= missing;
        if let Ok(Some(reservation)) = acquired {
            self.native.raise_limit(reservation.bytes());
            // Of the same account.
            let _ = state.charged.merge(reservation);
            return Ok(true);
        }
        state.promised -= promised;
        drop(state);
        self.help_those_who_wait();
        acquired.map(|_| false)
    }

    /// Gives up to `wanted` bytes that nothing was promised of back to the account.
    fn give_up(&self, wanted: u64) -> u64 {
        let freed = {
            let mut state = lock(&self.state);
            // Those who wait for the account have their promise counted already: what they wait for does
            // not hold back what could be given to them.
            let spare = (state.charged.bytes() + state.pending).saturating_sub(state.promised);
            let spare = spare.min(state.charged.bytes());
            state.charged.split(spare.min(wanted))
        };
        let Ok(reservation) = freed else { return 0 };
        let bytes = reservation.bytes();
        if bytes > 0 {
            let unmap = Unmap { native: self.native.clone(), bytes, _reservation: reservation };
            self.deallocator.free(unmap, bytes);
            self.deallocator.flush();
        }
        bytes
    }

    fn after_release(&self) {
        self.changed.notify_all();
        self.help_those_who_wait();
    }

    fn help_those_who_wait(&self) {
        if self.account.is_short() {
            self.give_up(u64::MAX);
        }
    }

    pub(crate) fn metrics(&self) -> PoolMetrics {
        let state = lock(&self.state);
        let native = self.native.figures();
        PoolMetrics {
            held_bytes: native.held,
            idle_bytes: native.idle,
            charged_bytes: state.charged.bytes(),
            promised_bytes: state.promised,
            hits: native.reused,
            misses: native.mapped,
            growths: state.growths,
        }
    }
}

impl Evictor for Pool {
    fn evict(&self, wanted: u64) -> u64 {
        self.give_up(wanted)
    }
}

/// Returns memory to the system, and then the right to it to the account.
struct Unmap {
    native: HostMemory,
    bytes: u64,
    _reservation: Reservation,
}

impl Drop for Unmap {
    fn drop(&mut self) {
        self.native.lower_limit(self.bytes);
    }
}

/// The right to use some bytes of a [`Pool`].
pub(crate) struct Promise {
    pool: Arc<Pool>,
    bytes: u64,
}

impl Promise {
    pub(crate) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Needs less from now on.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let Some(less) = self.bytes.checked_sub(bytes).filter(|less| *less > 0) else { return };
        self.bytes = bytes;
        lock(&self.pool.state).promised -= less;
        self.pool.after_release();
    }

    /// Needs more. Waits for others to finish if need be, unless all of them do the same: then it is an
    /// error, as it is where the budget could never hold so much, and after half a minute, because the
    /// others may be held by whoever waits here.
    pub(crate) fn grow_to(&mut self, bytes: u64) -> Result<()> {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else {
            return Ok(());
        };
        let pool = self.pool.clone();
        let total = pool.account.total();
        let impossible = || Error::HostMemory { needed: Some(bytes), budget: Some(total) };
        pool.account.check(bytes)?;
        let began = Instant::now();
        let mut state = lock(&pool.state);
        state.growths += 1;
        loop {
            let have = state.charged.bytes() + state.pending;
            let missing = (state.promised + more).saturating_sub(have);
            if missing > total {
                return Err(impossible());
            }
            state.promised += more;
            state.pending += missing;
            drop(state);
            if pool.settle(more, missing, pool.account.try_acquire(missing))? {
                self.bytes = bytes;
                return Ok(());
            }
            state = lock(&pool.state);
            // Someone must be left who finishes without growing.
            if state.growing + 1 >= state.kept || began.elapsed() >= PATIENCE {
                return Err(impossible());
            }
            state.growing += 1;
            state = wait_timeout(&pool.changed, state, PATIENCE);
            state.growing -= 1;
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.pool.state);
            state.promised -= self.bytes;
            state.kept -= 1;
        }
        self.pool.after_release();
    }
}

impl std::fmt::Debug for Promise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Promise").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.metrics().fmt(f)
    }
}
