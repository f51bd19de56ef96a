//! The gate between proving and synthesis.
//!
//! Synthesis on the cores where a proof's sums are computed takes their memory bandwidth and their
//! caches. Where that costs more than it gains, the prover holds the gate and synthesis pauses.

use crate::sync::{Condvar, Mutex, lock, wait};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A gate that synthesis threads poll, and that whoever needs the machine for itself holds.
///
/// An engine has one ([`Engine::throttle`](crate::Engine::throttle)). With
/// [`EngineBuilder::throttle_synthesis`](crate::EngineBuilder::throttle_synthesis) it holds it while
/// the sums of a proof are computed, and `synthesize_on` polls it. Front-ends of one's own poll it
/// with [`pause`](Throttle::pause), every some thousand constraints:
///
/// ```
/// use supraseal::Throttle;
///
/// let throttle = Throttle::default();
/// let hold = throttle.hold();
/// std::thread::scope(|scope| {
///     let synthesis = scope.spawn(|| throttle.pause());
///     drop(hold); // lets it go on
///     synthesis.join().expect("no panic");
/// });
/// assert!(!throttle.is_held());
/// ```
#[derive(Default)]
pub struct Throttle {
    // Of the holders; a copy of the state's, for a look without the lock.
    held: AtomicU64,
    state: Mutex<State>,
    released: Condvar,
}

/// Figures of a [`Throttle`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThrottleMetrics {
    /// How often it was held.
    pub holds: u64,
    /// How often somebody paused.
    pub pauses: u64,
    /// How long in all.
    pub pause_time: Duration,
}

#[derive(Default)]
struct State {
    holders: u64,
    releases: u64,
    metrics: ThrottleMetrics,
}

impl Throttle {
    /// Asks those who poll to pause, until the result is dropped.
    #[must_use = "dropping it lets the others go on"]
    pub fn hold(&self) -> ThrottleHold<'_> {
        let mut state = lock(&self.state);
        state.holders += 1;
        state.metrics.holds += 1;
        self.held.store(state.holders, Ordering::Relaxed);
        ThrottleHold(self)
    }

    /// Whether somebody holds it.
    pub fn is_held(&self) -> bool {
        // A hold that is seen a little later is one constraint later.
        self.held.load(Ordering::Relaxed) > 0
    }

    /// Returns at once when nobody holds it, and costs a nanosecond then. Otherwise waits for the first
    /// release, whether or not somebody else holds it then: whoever polls comes forward, however
    /// busy the provers are.
    #[inline]
    pub fn pause(&self) {
        if self.is_held() {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        let mut state = lock(&self.state);
        if state.holders == 0 {
            return;
        }
        let began = Instant::now();
        let releases = state.releases;
        while state.releases == releases {
            state = wait(&self.released, state);
        }
        state.metrics.pauses += 1;
        state.metrics.pause_time += began.elapsed();
    }

    /// The figures now.
    pub fn metrics(&self) -> ThrottleMetrics {
        lock(&self.state).metrics
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (held, metrics) = (self.is_held(), self.metrics());
        f.debug_struct("Throttle").field("held", &held).field("metrics", &metrics).finish()
    }
}

/// Makes those who poll a [`Throttle`] pause, as long as it lives.
#[derive(Debug)]
pub struct ThrottleHold<'a>(&'a Throttle);

impl Drop for ThrottleHold<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.holders -= 1;
        state.releases += 1;
        self.0.held.store(state.holders, Ordering::Relaxed);
        drop(state);
        self.0.released.notify_all();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn nobody_pauses_unless_it_is_held() {
        let throttle = Throttle::default();
        throttle.pause();
        drop(throttle.hold());
        throttle.pause();
        let metrics = throttle.metrics();
        assert_eq!((metrics.holds, metrics.pauses), (1, 0));
    }

    #[test]
    fn a_release_lets_everybody_go_on_even_while_others_hold() {
        let throttle = Throttle::default();
        let (first, second) = (throttle.hold(), throttle.hold());
        thread::scope(|scope| {
            let waiting = [(); 3].map(|()| scope.spawn(|| throttle.pause()));
            thread::sleep(Duration::from_millis(50));
            assert!(waiting.iter().all(|thread| !thread.is_finished()));
            drop(first);
        });
        assert!(throttle.is_held());
        drop(second);
        let metrics = throttle.metrics();
        assert_eq!((metrics.holds, metrics.pauses), (2, 3));
        assert!(metrics.pause_time >= Duration::from_millis(30));
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn loom_no_release_is_missed() {
        loom::model(|| {
            let throttle = Arc::new(Throttle::default());
            let pauses = {
                let throttle = throttle.clone();
                thread::spawn(move || throttle.wait())
            };
            drop(throttle.hold());
            pauses.join().expect("no panic");
        });
    }
}
