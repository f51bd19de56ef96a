//! The one thread that frees large things.
//!
//! Returning memory to the system makes every core forget its translations of the pages ("TLB
//! shootdown"), so that many threads that free at once stall everybody. Here they hand over what they
//! are done with and go on.

use crate::sync::{Arc, Condvar, Mutex, lock, wait};
use crate::{Error, Result};
use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

#[cfg(loom)]
use loom::thread::{self, JoinHandle, ThreadId};
#[cfg(not(loom))]
use std::thread::{self, JoinHandle, ThreadId};

/// Frees what it is given on a thread of its own, in order. Dropping it frees what is queued and ends
/// the thread.
///
/// ```
/// use supraseal::Deallocator;
///
/// let deallocator = Deallocator::start(1 << 30)?;
/// let large = vec![1_u8; 1 << 20];
/// deallocator.free(large, 1 << 20); // returns at once
/// deallocator.flush();
/// assert_eq!(deallocator.metrics().freed_bytes, 1 << 20);
/// # Ok::<(), supraseal::Error>(())
/// ```
pub struct Deallocator {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Figures of a [`Deallocator`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeallocatorMetrics {
    /// Things freed.
    pub frees: u64,
    /// Their bytes.
    pub freed_bytes: u64,
    /// Things in the queue, the one that is being freed included.
    pub queued: usize,
    /// Their bytes.
    pub queued_bytes: u64,
    /// How often somebody had to wait for room in the queue.
    pub waits: u64,
    /// How long in all.
    pub wait_time: Duration,
    /// Destructors that panicked.
    pub panics: u64,
}

struct Shared {
    capacity: u64,
    state: Mutex<State>,
    work: Condvar,
    progress: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Item>,
    // Of the queue and of what is being freed.
    bytes: u64,
    accepted: u64,
    done: u64,
    closed: bool,
    freer: Option<ThreadId>,
    metrics: DeallocatorMetrics,
}

struct Item {
    value: Box<dyn Any + Send>,
    bytes: u64,
}

impl Deallocator {
    /// Starts the thread. `capacity` is how many bytes may be queued before [`free`](Self::free) waits.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when the system refuses a thread.
    pub fn start(capacity: u64) -> Result<Self> {
        let shared = Arc::new(Shared {
            capacity,
            state: Mutex::new(State::default()),
            work: Condvar::new(),
            progress: Condvar::new(),
        });
        let thread = {
            let shared = shared.clone();
            spawn(move || shared.run())?
        };
        lock(&shared.state).freer = Some(thread.thread().id());
        Ok(Deallocator { shared, thread: Some(thread) })
    }

    /// Hands `value` over, which holds about `bytes` of memory. Waits while the queue is full; something
    /// larger than the queue's capacity is taken when the queue is empty. If `value` holds the
    /// reservation of its memory, behind the memory itself, the bytes are credited when they are back
    /// with the system, not earlier.
    ///
    /// A destructor that runs on the thread may call this too: it never waits then.
    pub fn free<T: Send + 'static>(&self, value: T, bytes: u64) {
        self.shared.push(Item { value: Box::new(value), bytes });
    }

    /// Waits until everything that was handed over before is freed. From a destructor on the thread
    /// itself it returns at once.
    pub fn flush(&self) {
        self.shared.flush();
    }

    /// The figures now.
    pub fn metrics(&self) -> DeallocatorMetrics {
        let state = lock(&self.shared.state);
        DeallocatorMetrics {
            queued: usize::try_from(state.accepted - state.done).unwrap_or(usize::MAX),
            queued_bytes: state.bytes,
            ..state.metrics
        }
    }
}

#[cfg(not(loom))]
fn spawn(run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    thread::Builder::new().name("supraseal-free".to_owned()).spawn(run).map_err(|source| {
        Error::Io { path: None, operation: "create the deallocation thread".to_owned(), source }
    })
}

#[cfg(loom)]
fn spawn(run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    Ok(thread::spawn(run))
}

impl Shared {
    fn push(&self, item: Item) {
        let mut state = lock(&self.state);
        let own = state.freer == Some(thread::current().id());
        let full = |state: &State| {
            state.bytes > 0 && state.bytes.saturating_add(item.bytes) > self.capacity
        };
        if !own && full(&state) {
            let began = Instant::now();
            state.metrics.waits += 1;
            while full(&state) {
                state = wait(&self.progress, state);
            }
            state.metrics.wait_time += began.elapsed();
        }
        state.bytes = state.bytes.saturating_add(item.bytes);
        state.accepted += 1;
        state.queue.push_back(item);
        drop(state);
        self.work.notify_one();
    }

    fn flush(&self) {
        let mut state = lock(&self.state);
        if state.freer == Some(thread::current().id()) {
            return;
        }
        let target = state.accepted;
        while state.done < target {
            state = wait(&self.progress, state);
        }
    }

    fn run(&self) {
        let mut state = lock(&self.state);
        loop {
            if let Some(Item { value, bytes }) = state.queue.pop_front() {
                drop(state);
                let panicked = catch_unwind(AssertUnwindSafe(|| drop(value))).is_err();
                state = lock(&self.state);
                state.bytes -= bytes;
                state.done += 1;
                state.metrics.frees += 1;
                state.metrics.freed_bytes += bytes;
                state.metrics.panics += u64::from(panicked);
                self.progress.notify_all();
            } else if state.closed {
                return;
            } else {
                state = wait(&self.work, state);
            }
        }
    }
}

impl Drop for Deallocator {
    fn drop(&mut self) {
        lock(&self.shared.state).closed = true;
        self.shared.work.notify_one();
        if let Some(thread) = self.thread.take() {
            // Dropped by a destructor on the thread: it ends by itself.
            if thread.thread().id() != thread::current().id() {
                // It contains the panics of destructors and has none of its own.
                let _ = thread.join();
            }
        }
    }
}

impl fmt::Debug for Deallocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deallocator").field("metrics", &self.metrics()).finish_non_exhaustive()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::MemoryBudget;
    use std::collections::BTreeSet;
    use std::sync::Mutex as StdMutex;
    use std::sync::mpsc;

    /// Runs something when dropped.
    struct OnDrop<F: FnMut()>(F);

    impl<F: FnMut()> Drop for OnDrop<F> {
        fn drop(&mut self) {
            self.0();
        }
    }

    #[test]
    fn large_frees_of_many_threads_happen_on_one() {
        const BYTES: usize = 64 << 20;
        let deallocator = Deallocator::start(4 * BYTES as u64).expect("started");
        let threads = Arc::new(StdMutex::new(BTreeSet::new()));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..2 {
                        let threads = threads.clone();
                        let seen = move || {
                            let id = format!("{:?}", thread::current().id());
                            threads.lock().expect("not poisoned").insert(id);
                        };
                        deallocator.free((vec![1_u8; BYTES], OnDrop(seen)), BYTES as u64);
                    }
                });
            }
        });
        deallocator.flush();
        let metrics = deallocator.metrics();
        assert_eq!((metrics.frees, metrics.freed_bytes), (16, 16 * BYTES as u64));
        assert_eq!((metrics.queued, metrics.queued_bytes, metrics.panics), (0, 0, 0));
        assert_eq!(threads.lock().expect("not poisoned").len(), 1);
    }

    #[test]
    fn producers_wait_when_the_queue_is_full() {
        let deallocator = Deallocator::start(10).expect("started");
        let (open, gate) = mpsc::channel::<()>();
        let gate = StdMutex::new(gate);
        // Larger than the queue, but it is empty.
        deallocator.free(OnDrop(move || gate.lock().expect("alone").recv().expect("sent")), 11);
        thread::scope(|scope| {
            let waits = scope.spawn(|| deallocator.free((), 1));
            while deallocator.metrics().waits == 0 {
                thread::yield_now();
            }
            assert!(!waits.is_finished());
            open.send(()).expect("received");
        });
        deallocator.flush();
        assert_eq!(deallocator.metrics().frees, 2);
    }

    #[test]
    fn panicking_destructors_are_contained_and_counted() {
        let deallocator = Deallocator::start(10).expect("started");
        deallocator.free(OnDrop(|| panic!("in a destructor")), 1);
        deallocator.free((), 1);
        deallocator.flush();
        let metrics = deallocator.metrics();
        assert_eq!((metrics.frees, metrics.panics, metrics.queued_bytes), (2, 1, 0));
    }

    #[test]
    fn destructors_may_free_and_flush() {
        let deallocator = Arc::new(Deallocator::start(10).expect("started"));
        let inner = deallocator.clone();
        let nested = move || {
            inner.free((), 100);
            inner.flush();
        };
        deallocator.free(OnDrop(nested), 10);
        while deallocator.metrics().frees < 2 {
            thread::yield_now();
        }
        assert_eq!(deallocator.metrics().queued_bytes, 0);
    }

    #[test]
    fn dropping_it_frees_what_is_queued() {
        let freed = Arc::new(StdMutex::new(0));
        let deallocator = Deallocator::start(1000).expect("started");
        for _ in 0..50 {
            let freed = freed.clone();
            deallocator.free(OnDrop(move || *freed.lock().expect("not poisoned") += 1), 1);
        }
        drop(deallocator);
        assert_eq!(*freed.lock().expect("not poisoned"), 50);
    }

    #[test]
    fn reservations_are_credited_after_the_memory_is_back() {
        let budget = MemoryBudget::of_host(100).expect("a budget");
        let deallocator = Deallocator::start(1000).expect("started");
        let seen = Arc::new(StdMutex::new(0));
        let memory = {
            let (seen, host) = (seen.clone(), budget.host().clone());
            OnDrop(move || *seen.lock().expect("not poisoned") = host.metrics().reserved)
        };
        let reservation = budget.host().acquire(70).expect("reserved");
        deallocator.free((memory, reservation), 70);
        deallocator.flush();
        assert_eq!(*seen.lock().expect("not poisoned"), 70);
        assert_eq!(budget.host().metrics().reserved, 0);
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;

    #[test]
    fn loom_flush_waits_for_what_came_before() {
        loom::model(|| {
            let deallocator = Deallocator::start(10).expect("started");
            deallocator.free((), 1);
            deallocator.flush();
            assert_eq!(deallocator.metrics().frees, 1);
        });
    }

    #[test]
    fn loom_a_full_queue_lets_everybody_through_in_the_end() {
        loom::model(|| {
            let deallocator = Arc::new(Deallocator::start(1).expect("started"));
            let other = {
                let deallocator = deallocator.clone();
                thread::spawn(move || deallocator.free((), 1))
            };
            deallocator.free((), 1);
            other.join().expect("no panic");
            deallocator.flush();
            assert_eq!(deallocator.metrics().frees, 2);
        });
    }
}
