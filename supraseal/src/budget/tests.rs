//! The budget against an oracle of bytes, on real threads and executors.

use super::{Account, Evictor, MemoryBudget, Reservation};
use crate::Error;
use proptest::prelude::*;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

fn account(total: u64) -> Account {
    MemoryBudget::of_host(total).expect("a budget").host().clone()
}

fn until(condition: impl Fn() -> bool) {
    while !condition() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn no_budget_is_refused_and_too_much_is_an_error_at_once() {
    assert!(matches!(MemoryBudget::of_host(0), Err(Error::Shape { got: 0, .. })));
    let budget = MemoryBudget::of_host(10).expect("a budget").with_device(5).expect("a device");
    let error = budget.host().acquire(11).expect_err("too much");
    assert!(matches!(error, Error::HostMemory { needed: Some(11), budget: Some(10) }));
    let _three = budget.devices()[0].acquire(3).expect("reserved");
    let error = budget.devices()[0].acquire(6).expect_err("too much");
    assert!(matches!(error, Error::DeviceMemory { needed: 6, free: 2, device: 0 }));
    assert_eq!(budget.host().metrics().waits, 0);
}

#[test]
fn this_machine_has_memory() {
    let total = MemoryBudget::auto().expect("known").host().total();
    assert!(total > 1 << 20, "{total}");
}

#[test]
fn large_requests_are_not_overtaken() {
    let account = account(10);
    let first = account.acquire(6).expect("reserved");
    thread::scope(|scope| {
        let large = scope.spawn(|| account.acquire(10).expect("reserved").bytes());
        until(|| account.metrics().waiting == 1);
        // There would be room, but somebody was first.
        assert!(account.try_acquire(1).expect("valid").is_none());
        let timeout = Duration::from_millis(5);
        assert!(account.acquire_timeout(1, timeout).expect("valid").is_none());
        let small = scope.spawn(|| account.acquire(1).expect("reserved").bytes());
        until(|| account.metrics().waiting == 2);
        assert!(!large.is_finished() && !small.is_finished());
        drop(first);
        assert_eq!((large.join().expect("no panic"), small.join().expect("no panic")), (10, 1));
    });
    let metrics = account.metrics();
    assert_eq!((metrics.reserved, metrics.peak, metrics.waiting), (0, 10, 0));
    assert_eq!(metrics.waits, 3);
    assert!(metrics.wait_time >= Duration::from_millis(5));
}

#[test]
fn giving_up_lets_those_behind_pass() {
    let account = account(10);
    let _six = account.acquire(6).expect("reserved");
    thread::scope(|scope| {
        let gives_up = scope.spawn(|| account.acquire_timeout(9, Duration::from_millis(40)));
        until(|| account.metrics().waiting == 1);
        let small = scope.spawn(|| account.acquire(2).map(|reservation| reservation.bytes()));
        until(|| account.metrics().waiting == 2);
        assert!(gives_up.join().expect("no panic").expect("valid").is_none());
        assert_eq!(small.join().expect("no panic").expect("reserved"), 2);
    });
    assert_eq!(account.metrics().reserved, 6);
}

#[test]
fn closing_wakes_everybody() {
    let account = account(10);
    let mut all = account.acquire(10).expect("reserved");
    let mut future = pin!(account.acquire_async(1));
    let mut context = Context::from_waker(Waker::noop());
    assert!(future.as_mut().poll(&mut context).is_pending());
    thread::scope(|scope| {
        let waits = scope.spawn(|| account.acquire(1).map(drop));
        until(|| account.metrics().waiting == 2);
        account.close();
        assert!(matches!(waits.join().expect("no panic"), Err(Error::Closed)));
    });
    assert!(matches!(future.as_mut().poll(&mut context), Poll::Ready(Err(Error::Closed))));
    assert!(matches!(account.try_acquire(1), Err(Error::Closed)));
    all.release(4).expect("it has four");
    assert_eq!(account.metrics().reserved, 6);
}

#[test]
fn reservations_can_be_taken_apart_and_put_together() {
    let account = account(10);
    let mut whole = account.acquire(8).expect("reserved");
    let part = whole.split(3).expect("it has three");
    assert_eq!((whole.bytes(), part.bytes()), (5, 3));
    assert!(matches!(whole.split(6), Err(Error::Shape { expected: 5, got: 6, .. })));
    assert!(whole.release(6).is_err());
    whole.merge(part).expect("of one account");
    assert_eq!((whole.bytes(), account.metrics().reserved), (8, 8));
    let foreign = self::account(10).acquire(2).expect("reserved");
    let foreign = whole.merge(foreign).expect_err("of another account");
    assert_eq!((foreign.bytes(), whole.bytes()), (2, 8));
    whole.release(8).expect("it has them");
    assert_eq!((whole.bytes(), account.metrics().reserved), (0, 0));
}

#[test]
fn nobody_waits_for_what_stays() {
    let account = account(10);
    let key = account.acquire(6).expect("reserved").lasting();
    let working = account.acquire(3).expect("reserved");
    assert!(account.try_acquire(4).expect("possible").is_none());
    let error = account.acquire(5).expect_err("only without the key");
    assert!(matches!(error, Error::HostMemory { needed: Some(5), budget: Some(4) }));
    drop(working);
    assert_eq!(account.acquire(4).expect("reserved").bytes(), 4);
    drop(key);
    assert_eq!(account.acquire(10).expect("reserved").bytes(), 10);
}

/// Keeps reservations without needing them.
struct Hoard(Mutex<Vec<Reservation>>);

impl Evictor for Hoard {
    fn evict(&self, wanted: u64) -> u64 {
        let mut freed = 0;
        while freed < wanted {
            // Dropped outside of the lock, as an evictor should.
            let Some(reservation) = self.0.lock().expect("not poisoned").pop() else { break };
            freed += reservation.bytes();
        }
        freed
    }
}

#[test]
fn evictors_are_asked_before_anybody_waits() {
    let account = account(10);
    let kept = (0..5).map(|_| account.acquire(2).expect("reserved")).collect();
    let hoard = Arc::new(Hoard(Mutex::new(kept)));
    let evictor: Arc<dyn Evictor> = hoard.clone();
    account.add_evictor(&evictor);
    let three = account.acquire(3).expect("two are evicted");
    assert_eq!(hoard.0.lock().expect("not poisoned").len(), 3);
    let two = account.try_acquire(2).expect("valid").expect("another one is evicted");
    assert_eq!(account.metrics().evicted, 6);
    assert_eq!(account.metrics().reserved, 3 + 2 + 4);
    drop((evictor, hoard, three, two));
    // Gone with its owner, and its reservations with it.
    assert_eq!(account.acquire(10).expect("reserved").bytes(), 10);
}

#[test]
fn futures_run_on_any_executor() {
    let account = account(10);
    let held = account.acquire(10).expect("reserved");
    let releases = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        drop(held);
    });
    let bytes = futures_executor::block_on(async {
        account.acquire_async(7).await.map(|reservation| reservation.bytes())
    });
    assert_eq!(bytes.expect("reserved"), 7);
    releases.join().expect("no panic");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(async {
        let held = account.acquire_async(10).await.expect("reserved");
        let waits = account.acquire_async(4);
        let gives_up = tokio::time::timeout(Duration::from_millis(5), account.acquire_async(1));
        assert!(gives_up.await.is_err());
        let release = async move { drop(held) };
        let (reservation, ()) = tokio::join!(waits, release);
        assert_eq!(reservation.expect("reserved").bytes(), 4);
        assert!(account.acquire_async(11).await.is_err());
    });
    assert_eq!(account.metrics().reserved, 0);
}

#[test]
fn a_dropped_future_gives_back_what_it_was_granted() {
    let account = account(10);
    let held = account.acquire(10).expect("reserved");
    let mut context = Context::from_waker(Waker::noop());
    let mut granted = Box::pin(account.acquire_async(8));
    let mut behind = Box::pin(account.acquire_async(9));
    assert!(granted.as_mut().poll(&mut context).is_pending());
    assert!(behind.as_mut().poll(&mut context).is_pending());
    drop(held);
    // Reserved for a future that never looks again.
    assert_eq!(account.metrics().reserved, 8);
    drop(granted);
    assert!(matches!(behind.as_mut().poll(&mut context), Poll::Ready(Ok(_))));
    assert_eq!(account.metrics().reserved, 0);
}

#[derive(Clone, Debug)]
enum Step {
    Try(u64),
    Timeout(u64),
    Release(usize, u64),
    Split(usize, u64),
    Merge(usize, usize),
    Drop(usize),
    Forget(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..120u64).prop_map(Step::Try),
        1 => (0..120u64).prop_map(Step::Timeout),
        1 => (any::<usize>(), 0..40u64).prop_map(|(i, n)| Step::Release(i, n)),
        1 => (any::<usize>(), 0..40u64).prop_map(|(i, n)| Step::Split(i, n)),
        1 => (any::<usize>(), any::<usize>()).prop_map(|(i, j)| Step::Merge(i, j)),
        2 => any::<usize>().prop_map(Step::Drop),
        1 => any::<usize>().prop_map(Step::Forget),
    ]
}

proptest! {
    /// Whatever is done, by however many threads, the account has what the reservations say, and
    /// never more than there is.
    #[test]
    fn the_account_is_the_sum_of_its_reservations(
        scripts in prop::collection::vec(prop::collection::vec(step(), 1..60), 1..4),
    ) {
        let account = account(100);
        let leaks: u64 = thread::scope(|scope| {
            let account = &account;
            let spawn = |script| scope.spawn(move || run(account, script));
            let threads: Vec<_> = scripts.iter().map(|script| spawn(script.as_slice())).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        prop_assert_eq!(account.metrics().reserved, leaks);
        prop_assert!(account.metrics().peak <= 100);
        prop_assert_eq!(account.metrics().waiting, 0);
    }
}

/// Returns the bytes leaked on purpose; everything else is dropped.
fn run(account: &Account, script: &[Step]) -> u64 {
    let mut held: Vec<Reservation> = Vec::new();
    let mut leaks = 0;
    for step in script {
        let at = |i: usize| if held.is_empty() { None } else { Some(i % held.len()) };
        match *step {
            Step::Try(bytes) => {
                if let Ok(Some(reservation)) = account.try_acquire(bytes) {
                    assert_eq!(reservation.bytes(), bytes);
                    held.push(reservation);
                }
            }
            Step::Timeout(bytes) => {
                held.extend(
                    account.acquire_timeout(bytes, Duration::from_micros(50)).ok().flatten(),
                );
            }
            Step::Release(i, bytes) => {
                if let Some(i) = at(i) {
                    let before = held[i].bytes();
                    assert_eq!(held[i].release(bytes).is_ok(), bytes <= before);
                }
            }
            Step::Split(i, bytes) => {
                if let Some(i) = at(i) {
                    let part = held[i].split(bytes);
                    held.extend(part);
                }
            }
            Step::Merge(i, j) => {
                if let (Some(i), Some(j)) = (at(i), at(j))
                    && i != j
                {
                    let other =
                        std::mem::replace(&mut held[j], account.acquire(0).expect("nothing"));
                    held[i].merge(other).expect("of one account");
                }
            }
            Step::Drop(i) => {
                if let Some(i) = at(i) {
                    drop(held.swap_remove(i));
                }
            }
            // Rarely more than a few bytes, or soon nobody gets any.
            Step::Forget(i) => {
                if let Some(i) = at(i)
                    && held[i].bytes() < 10
                {
                    leaks += held[i].bytes();
                    std::mem::forget(held.swap_remove(i));
                }
            }
        }
    }
    leaks
}
