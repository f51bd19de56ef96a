//! Bytes of one kind, and those who wait for them.

use super::acquire::Acquire;
use super::reservation::Reservation;
use crate::sync::{Arc, Condvar, Mutex, lock, wait};
use crate::{Error, Result};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::task::Waker;
use std::time::{Duration, Instant};

/// Frees memory that is kept without being needed at the moment, such as idle buffers.
pub trait Evictor: Send + Sync {
    /// Frees up to `wanted` bytes, if it can, by dropping their reservations, and returns how many it
    /// freed. Called without any lock of the account, possibly by several threads at once.
    fn evict(&self, wanted: u64) -> u64;
}

/// A budget of bytes of one kind of memory. Cloning shares it.
#[derive(Clone)]
pub struct Account(pub(super) Arc<Inner>);

/// Figures of an [`Account`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccountMetrics {
    /// Bytes there are.
    pub total: u64,
    /// Bytes reserved now.
    pub reserved: u64,
    /// The most bytes that were ever reserved at once.
    pub peak: u64,
    /// Requests that had to wait.
    pub waits: u64,
    /// How long they waited in all, those that wait now left out.
    pub wait_time: Duration,
    /// Requests that wait now.
    pub waiting: usize,
    /// Bytes that evictors freed.
    pub evicted: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Host,
    Device(usize),
}

pub(super) struct Inner {
    kind: Kind,
    total: u64,
    state: Mutex<State>,
    granted: Condvar,
}

#[derive(Default)]
struct State {
    reserved: u64,
    // Of these, what stays for long.
    lasting: u64,
    closed: bool,
    next_ticket: u64,
    waiting: VecDeque<Waiter>,
    // Tickets whose bytes are reserved already, on behalf of waiters that have not looked yet.
    granted: BTreeSet<u64>,
    evictors: Vec<std::sync::Weak<dyn Evictor>>,
    peak: u64,
    waits: u64,
    wait_time: Duration,
    evicted: u64,
}

struct Waiter {
    ticket: u64,
    bytes: u64,
    since: Instant,
    waker: Option<Waker>,
}

/// A place in the queue.
#[derive(Debug)]
pub(super) struct Ticket {
    number: u64,
    bytes: u64,
}

/// A request that has its bytes, or its place in the queue. It must be completed.
pub(crate) struct Begun {
    bytes: u64,
    ticket: Option<Ticket>,
}

impl Begun {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl State {
    fn reserve(&mut self, bytes: u64) {
        self.reserved += bytes;
        self.peak = self.peak.max(self.reserved);
    }

    /// Reserves for those at the head of the queue what they wait for, as far as it goes, and returns
    /// who is to be woken.
    fn grant(&mut self, total: u64) -> Vec<Waker> {
        let mut wakers = Vec::new();
        while let Some(head) = self.waiting.front() {
            if head.bytes > total - self.reserved {
                break;
            }
            let Some(head) = self.waiting.pop_front() else { break };
            self.reserve(head.bytes);
            self.granted.insert(head.ticket);
            self.wait_time += head.since.elapsed();
            wakers.extend(head.waker);
        }
        wakers
    }
}

impl Account {
    pub(super) fn of_host(total: u64) -> Result<Self> {
        Account::new(Kind::Host, total)
    }

    pub(super) fn of_device(device: usize, total: u64) -> Result<Self> {
        Account::new(Kind::Device(device), total)
    }

    fn new(kind: Kind, total: u64) -> Result<Self> {
        if total == 0 {
            return Err(Error::shape("bytes of a memory budget, at least", 1, 0));
        }
        let state = Mutex::new(State::default());
        Ok(Account(Arc::new(Inner { kind, total, state, granted: Condvar::new() })))
    }

    /// Bytes there are.
    pub fn total(&self) -> u64 {
        self.0.total
    }

    /// Reserves `bytes`, and waits until they are to be had. Requests are served in their order, so
    /// that a large one is not starved by small ones that come later.
    ///
    /// # Errors
    ///
    /// [`Error::HostMemory`] or [`Error::DeviceMemory`] at once for more than there is in all, less what
    /// [stays for long](Reservation::lasting); [`Error::Closed`].
    pub fn acquire(&self, bytes: u64) -> Result<Reservation> {
        let begun = Begun { bytes, ticket: self.enter(bytes, None)? };
        self.complete(begun)
    }

    /// The first half of [`Account::acquire`]: takes a place in the queue, and does not wait. Asks for
    /// `if_first` bytes if nobody waits, else for `if_not`.
    pub(crate) fn begin(&self, if_first: u64, if_not: u64) -> Result<Begun> {
        let mut state = lock(&self.0.state);
        let bytes = if state.waiting.is_empty() { if_first } else { if_not };
        let ticket = self.enter_locked(&mut state, bytes, None)?;
        Ok(Begun { bytes, ticket })
    }

    /// The second half.
    pub(crate) fn complete(&self, begun: Begun) -> Result<Reservation> {
        let Begun { bytes, ticket } = begun;
        let Some(ticket) = ticket else { return Ok(Reservation::new(self, bytes)) };
        self.evict_for(bytes);
        let mut state = lock(&self.0.state);
        loop {
            if state.granted.remove(&ticket.number) {
                return Ok(Reservation::new(self, bytes));
            }
            if state.closed {
                return Err(Error::Closed);
            }
            state = wait(&self.0.granted, state);
        }
    }

    /// Reserves `bytes` if they are to be had now, without overtaking those who wait.
    ///
    /// # Errors
    ///
    /// As [`Account::acquire`].
    pub fn try_acquire(&self, bytes: u64) -> Result<Option<Reservation>> {
        for attempt in 0..2 {
            let mut state = lock(&self.0.state);
            if self.reserve_now(&mut state, bytes)? {
                return Ok(Some(Reservation::new(self, bytes)));
            }
            // To evict for one who may not overtake would be in vain.
            let hopeless = !state.waiting.is_empty();
            drop(state);
            if hopeless || attempt > 0 || self.evict_for(bytes) == 0 {
                break;
            }
        }
        Ok(None)
    }

    /// [`Account::acquire`] that gives up after `timeout`.
    ///
    /// # Errors
    ///
    /// As [`Account::acquire`].
    #[cfg(not(loom))]
    pub fn acquire_timeout(&self, bytes: u64, timeout: Duration) -> Result<Option<Reservation>> {
        let Some(ticket) = self.enter(bytes, None)? else {
            return Ok(Some(Reservation::new(self, bytes)));
        };
        self.evict_for(bytes);
        let began = Instant::now();
        let mut state = lock(&self.0.state);
        loop {
            if state.granted.remove(&ticket.number) {
                return Ok(Some(Reservation::new(self, bytes)));
            }
            if state.closed {
                return Err(Error::Closed);
            }
            let Some(left) = timeout.checked_sub(began.elapsed()).filter(|left| !left.is_zero())
            else {
                drop(state);
                self.leave(&ticket);
                return Ok(None);
            };
            state = crate::sync::wait_timeout(&self.0.granted, state, left);
        }
    }

    /// [`Account::acquire`] as a future, for any executor. Dropping it gives the place in the queue
    /// up.
    ///
    /// # Errors
    ///
    /// As [`Account::acquire`], when awaited.
    pub fn acquire_async(&self, bytes: u64) -> Acquire {
        Acquire::new(self.clone(), bytes)
    }

    /// Has `evictor` asked whenever somebody would have to wait, for as long as it lives.
    pub fn add_evictor(&self, evictor: &std::sync::Arc<dyn Evictor>) {
        let mut state = lock(&self.0.state);
        state.evictors.retain(|known| known.strong_count() > 0);
        state.evictors.push(std::sync::Arc::downgrade(evictor));
    }

    /// Refuses all requests from now on, those that wait included. Reservations stay valid.
    pub fn close(&self) {
        let mut state = lock(&self.0.state);
        state.closed = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.0.granted.notify_all();
        waiting.into_iter().filter_map(|waiter| waiter.waker).for_each(Waker::wake);
    }

    /// Whether anybody waits. Whoever keeps memory without need should then free it.
    pub fn is_short(&self) -> bool {
        !lock(&self.0.state).waiting.is_empty()
    }

    /// The account's figures now.
    pub fn metrics(&self) -> AccountMetrics {
        let state = lock(&self.0.state);
        AccountMetrics {
            total: self.0.total,
            reserved: state.reserved,
            peak: state.peak,
            waits: state.waits,
            wait_time: state.wait_time,
            waiting: state.waiting.len(),
            evicted: state.evicted,
        }
    }

    /// Reserves at once (`None`), or takes a place in the queue.
    pub(super) fn enter(&self, bytes: u64, waker: Option<Waker>) -> Result<Option<Ticket>> {
        self.enter_locked(&mut lock(&self.0.state), bytes, waker)
    }

    fn enter_locked(
        &self,
        state: &mut State,
        bytes: u64,
        waker: Option<Waker>,
    ) -> Result<Option<Ticket>> {
        if self.reserve_now(state, bytes)? {
            return Ok(None);
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waits += 1;
        state.waiting.push_back(Waiter { ticket, bytes, since: Instant::now(), waker });
        Ok(Some(Ticket { number: ticket, bytes }))
    }

    /// Whether the ticket's bytes are reserved now, and the ticket used up; else `waker` is called
    /// when they are.
    pub(super) fn poll(&self, ticket: &Ticket, waker: &Waker) -> Result<bool> {
        let mut state = lock(&self.0.state);
        if state.granted.remove(&ticket.number) {
            return Ok(true);
        }
        if state.closed {
            return Err(Error::Closed);
        }
        let waiter = state.waiting.iter_mut().find(|waiter| waiter.ticket == ticket.number);
        if let Some(waiter) = waiter {
            waiter.waker = Some(waker.clone());
        }
        Ok(false)
    }

    /// Gives a place in the queue up, and what may have been reserved for it meanwhile.
    pub(super) fn leave(&self, ticket: &Ticket) {
        let mut state = lock(&self.0.state);
        if state.granted.remove(&ticket.number) {
            state.reserved -= ticket.bytes;
        } else {
            let place = state.waiting.iter().position(|waiter| waiter.ticket == ticket.number);
            if let Some(waiter) = place.and_then(|place| state.waiting.remove(place)) {
                state.wait_time += waiter.since.elapsed();
            }
        }
        // Those behind may be served now.
        let wakers = state.grant(self.0.total);
        drop(state);
        self.wake(wakers);
    }

    /// Takes reserved bytes back.
    pub(super) fn credit(&self, bytes: u64) {
        let mut state = lock(&self.0.state);
        state.reserved -= bytes;
        let wakers = state.grant(self.0.total);
        drop(state);
        self.wake(wakers);
    }

    fn wake(&self, wakers: Vec<Waker>) {
        self.0.granted.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    fn reserve_now(&self, state: &mut State, bytes: u64) -> Result<bool> {
        if state.closed {
            return Err(Error::Closed);
        }
        self.refuse_impossible(state, bytes)?;
        let fits = bytes <= self.0.total - state.reserved;
        if bytes == 0 || (fits && state.waiting.is_empty()) {
            state.reserve(bytes);
            return Ok(true);
        }
        Ok(false)
    }

    /// An error if a request of so many bytes would wait for what stays for long, or for ever.
    pub(crate) fn check(&self, bytes: u64) -> Result<()> {
        self.refuse_impossible(&lock(&self.0.state), bytes)
    }

    fn refuse_impossible(&self, state: &State, needed: u64) -> Result<()> {
        let budget = self.0.total - state.lasting;
        if needed <= budget {
            return Ok(());
        }
        Err(match self.0.kind {
            Kind::Host => Error::HostMemory { needed: Some(needed), budget: Some(budget) },
            Kind::Device(device) => {
                Error::DeviceMemory { needed, free: self.0.total - state.reserved, device }
            }
        })
    }

    /// Reserved bytes stay for long from now on, or no more.
    pub(super) fn note_lasting(&self, bytes: u64, lasting: bool) {
        let mut state = lock(&self.0.state);
        if lasting {
            state.lasting += bytes;
        } else {
            state.lasting -= bytes;
        }
    }

    /// Asks evictors for what is missing; returns what they freed.
    pub(super) fn evict_for(&self, bytes: u64) -> u64 {
        let (missing, evictors) = {
            let state = lock(&self.0.state);
            let free = self.0.total - state.reserved;
            (bytes.saturating_sub(free), state.evictors.clone())
        };
        let mut freed = 0;
        for evictor in evictors.iter().filter_map(std::sync::Weak::upgrade) {
            if freed >= missing {
                break;
            }
            freed += evictor.evict(missing - freed);
        }
        if freed > 0 {
            lock(&self.0.state).evicted += freed;
        }
        freed
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metrics = self.metrics();
        f.debug_struct("Account")
            .field("kind", &self.0.kind)
            .field("total", &metrics.total)
            .field("reserved", &metrics.reserved)
            .field("waiting", &metrics.waiting)
            .finish()
    }
}
