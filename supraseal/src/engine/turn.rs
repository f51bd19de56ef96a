//! Whose turn it is to compute.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Lets one proof at a time onto the pool, first come, first served: two at once would share the same
/// threads and evict each other from the caches.
#[derive(Debug, Default)]
pub(super) struct Turnstile {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    busy: bool,
    closed: bool,
    next_ticket: u64,
    waiting: VecDeque<u64>,
}

/// Asks a waiting proof to give up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancellation(Arc<std::sync::atomic::AtomicBool>);

impl Cancellation {
    fn is_requested(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Acquire)
    }
}

/// Why a turn was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTurn {
    Closed,
    Cancelled,
}

impl Turnstile {
    /// Waits for a turn.
    pub(super) fn enter(&self, cancellation: &Cancellation) -> Result<Turn<'_>, NoTurn> {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push_back(ticket);
        loop {
            let refusal = if state.closed {
                Some(NoTurn::Closed)
            } else if cancellation.is_requested() {
                Some(NoTurn::Cancelled)
            } else {
                None
            };
            if let Some(refusal) = refusal {
                state.waiting.retain(|&waiting| waiting != ticket);
                // Whoever stood behind may be first now.
                self.moved.notify_all();
                return Err(refusal);
            }
            if !state.busy && state.waiting.front() == Some(&ticket) {
                state.waiting.pop_front();
                state.busy = true;
                return Ok(Turn(self));
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Proofs that wait for their turn now.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Makes the proof that holds `cancellation` give up, unless it has had its turn.
    pub(super) fn cancel(&self, cancellation: &Cancellation) {
        // Under the lock, so that it falls before a waiter's look or wakes it.
        let _state = self.lock();
        cancellation.0.store(true, std::sync::atomic::Ordering::Release);
        self.moved.notify_all();
    }

    /// Refuses everybody from now on, those that wait included.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    // Nothing panics while it holds the lock, and no state is left half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to compute, until dropped.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Turnstile);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().busy = false;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    fn until(condition: impl Fn() -> bool) {
        while !condition() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn turns_are_given_in_order_one_at_a_time() {
        let turnstile = Turnstile::default();
        let none = Cancellation::default();
        let first = turnstile.enter(&none).expect("a turn");
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for i in 0..4 {
                let (sender, turnstile, none) = (sender.clone(), &turnstile, &none);
                scope.spawn(move || {
                    let _turn = turnstile.enter(none).expect("a turn");
                    sender.send(i).expect("received");
                });
                until(|| turnstile.waiting() == i + 1);
            }
            assert!(receiver.try_recv().is_err());
            drop(first);
            assert_eq!(receiver.iter().take(4).collect::<Vec<_>>(), [0, 1, 2, 3]);
        });
    }

    #[test]
    fn who_gives_up_lets_the_next_one_pass() {
        let turnstile = Turnstile::default();
        let none = Cancellation::default();
        let cancelled = Cancellation::default();
        let first = turnstile.enter(&none).expect("a turn");
        thread::scope(|scope| {
            let gives_up = scope.spawn(|| turnstile.enter(&cancelled).map(drop));
            until(|| turnstile.waiting() == 1);
            let stays = scope.spawn(|| turnstile.enter(&none).map(drop));
            until(|| turnstile.waiting() == 2);
            turnstile.cancel(&cancelled);
            assert_eq!(gives_up.join().expect("no panic"), Err(NoTurn::Cancelled));
            drop(first);
            assert_eq!(stays.join().expect("no panic"), Ok(()));
        });
    }

    #[test]
    fn closing_refuses_those_who_wait_and_those_who_come() {
        let turnstile = Turnstile::default();
        let none = Cancellation::default();
        let first = turnstile.enter(&none).expect("a turn");
        thread::scope(|scope| {
            let waits = scope.spawn(|| turnstile.enter(&none).map(drop));
            until(|| turnstile.waiting() == 1);
            turnstile.close();
            assert_eq!(waits.join().expect("no panic"), Err(NoTurn::Closed));
        });
        drop(first);
        assert!(turnstile.is_closed());
        assert_eq!(turnstile.enter(&none).map(drop), Err(NoTurn::Closed));
    }
}
