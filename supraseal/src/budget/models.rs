//! Every interleaving of a few threads at the account's lock: `ci/loom.sh`.

use super::{Account, MemoryBudget};
use crate::Error;
use loom::thread;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn account(total: u64) -> Account {
    MemoryBudget::of_host(total).expect("a budget").host().clone()
}

/// With three threads, only interleavings of up to three preemptions are tried: all of them take
/// hours, and more find nothing new in practice.
fn model_of_three(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

fn spawn(account: &Account, bytes: u64) -> thread::JoinHandle<()> {
    let account = account.clone();
    thread::spawn(move || drop(account.acquire(bytes).expect("reserved")))
}

#[test]
fn loom_no_wake_up_is_lost() {
    model_of_three(|| {
        let account = account(2);
        let held = account.acquire(2).expect("reserved");
        let waiters = [spawn(&account, 2), spawn(&account, 1)];
        drop(held);
        for waiter in waiters {
            waiter.join().expect("no panic");
        }
        assert_eq!(account.metrics().reserved, 0);
    });
}

#[test]
fn loom_partial_releases_add_up() {
    loom::model(|| {
        let account = account(3);
        let mut one = account.acquire(2).expect("reserved");
        let other = one.split(1).expect("it has one");
        let releases = thread::spawn(move || drop(other));
        let waits = spawn(&account, 3);
        one.release(1).expect("it has one");
        releases.join().expect("no panic");
        waits.join().expect("no panic");
        assert_eq!(account.metrics().reserved, 0);
        assert!(account.metrics().peak <= 3);
    });
}

#[test]
fn loom_large_requests_get_their_turn() {
    model_of_three(|| {
        let account = account(2);
        let large = spawn(&account, 2);
        // A small one that comes again and again cannot keep the large one away.
        let small = {
            let account = account.clone();
            thread::spawn(move || {
                for _ in 0..2 {
                    drop(account.acquire(1).expect("reserved"));
                }
            })
        };
        large.join().expect("no panic");
        small.join().expect("no panic");
    });
}

#[test]
fn loom_a_dropped_future_passes_its_turn_on() {
    loom::model(|| {
        let account = account(1);
        let held = account.acquire(1).expect("reserved");
        let releases = thread::spawn(move || drop(held));
        {
            let mut future = pin!(account.acquire_async(1));
            let mut context = Context::from_waker(Waker::noop());
            let _ = future.as_mut().poll(&mut context);
        }
        spawn(&account, 1).join().expect("no panic");
        releases.join().expect("no panic");
        assert_eq!(account.metrics().reserved, 0);
    });
}

#[test]
fn loom_closing_leaves_nobody_waiting() {
    loom::model(|| {
        let account = account(1);
        let held = account.acquire(1).expect("reserved");
        let waits = {
            let account = account.clone();
            thread::spawn(move || account.acquire(1).map(drop))
        };
        account.close();
        assert!(matches!(waits.join().expect("no panic"), Err(Error::Closed)));
        drop(held);
        let mut context = Context::from_waker(Waker::noop());
        let polled = pin!(account.acquire_async(1)).poll(&mut context);
        assert!(matches!(polled, Poll::Ready(Err(Error::Closed))));
        assert_eq!(account.metrics().reserved, 0);
    });
}
