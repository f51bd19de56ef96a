//! The pool and its promises: what is charged, what is there, who waits.

use super::{Pool, Promise};
use crate::budget::{Account, Evictor, MemoryBudget};
use crate::dealloc::Deallocator;
use crate::{Error, Fr};
use proptest::prelude::*;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use supraseal_sys::HostVec;

const MIB: u64 = 1 << 20;
const SCALARS: usize = (MIB as usize) / size_of::<Fr>();

fn pool(total: u64) -> (Account, Arc<Pool>) {
    let account = MemoryBudget::of_host(total).expect("a budget").host().clone();
    let deallocator = Arc::new(Deallocator::start(total).expect("started"));
    let pool = Pool::new(&account, deallocator).expect("a pool");
    let evictor: Arc<dyn Evictor> = pool.clone();
    account.add_evictor(&evictor);
    (account, pool)
}

fn one_mebibyte(pool: &Pool) -> Result<HostVec<Fr>, supraseal_sys::Error> {
    let mut vector = HostVec::with_capacity(pool.native(), SCALARS)?;
    vector.extend_with(Fr::ONE, SCALARS)?;
    Ok(vector)
}

#[test]
fn nothing_is_had_without_a_promise() {
    let (account, pool) = pool(8 * MIB);
    assert!(matches!(one_mebibyte(&pool), Err(supraseal_sys::Error::Memory { .. })));
    let promise = pool.promise(2 * MIB).expect("room");
    let vectors = [one_mebibyte(&pool).expect("promised"), one_mebibyte(&pool).expect("promised")];
    assert!(one_mebibyte(&pool).is_err());
    let metrics = pool.metrics();
    assert_eq!((metrics.held_bytes, metrics.promised_bytes), (2 * MIB, 2 * MIB));
    assert_eq!(account.metrics().reserved, 2 * MIB);
    drop(vectors);
    drop(promise);
    assert_eq!(pool.metrics().idle_bytes, 2 * MIB);
}

#[test]
fn memory_is_used_again_and_stays_charged() {
    let (account, pool) = pool(8 * MIB);
    for _ in 0..5 {
        let promise = pool.promise(2 * MIB).expect("room");
        drop((one_mebibyte(&pool).expect("promised"), promise));
    }
    let metrics = pool.metrics();
    assert_eq!((metrics.misses, metrics.hits), (1, 4));
    assert_eq!((metrics.held_bytes, metrics.charged_bytes), (MIB, 2 * MIB));
    assert_eq!(account.metrics().reserved, 2 * MIB);
}

#[test]
fn idle_memory_goes_when_others_need_it() {
    let (account, pool) = pool(4 * MIB);
    let promise = pool.promise(3 * MIB).expect("room");
    drop((one_mebibyte(&pool).expect("promised"), promise));
    let other = account.acquire(4 * MIB).expect("idle memory is given up");
    assert_eq!(pool.metrics().held_bytes, 0);
    assert_eq!(pool.metrics().charged_bytes, 0);
    drop(other);

    // And when somebody is waiting already as it becomes idle.
    let promise = pool.promise(3 * MIB).expect("room");
    let vector = one_mebibyte(&pool).expect("promised");
    thread::scope(|scope| {
        let waits = scope.spawn(|| account.acquire(4 * MIB).map(|other| other.bytes()));
        while account.metrics().waiting == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        drop((vector, promise));
        assert_eq!(waits.join().expect("no panic").expect("reserved"), 4 * MIB);
    });
    assert_eq!(account.metrics().reserved, 0);
}

#[test]
fn shrinking_lets_others_in() {
    let (_, pool) = pool(4 * MIB);
    let mut promise = pool.promise(4 * MIB).expect("room");
    thread::scope(|scope| {
        let waits = scope.spawn(|| pool.promise(2 * MIB).map(drop));
        thread::sleep(Duration::from_millis(10));
        assert!(!waits.is_finished());
        promise.shrink_to(2 * MIB);
        waits.join().expect("no panic").expect("room");
    });
    promise.shrink_to(3 * MIB);
    assert_eq!(promise.bytes(), 2 * MIB);
}

#[test]
fn what_never_fits_is_an_error_at_once() {
    let (account, pool) = pool(4 * MIB);
    let error = pool.promise(5 * MIB).expect_err("too much");
    let Error::HostMemory { needed: Some(needed), budget: Some(budget), .. } = error else {
        panic!("{error}")
    };
    assert_eq!((needed, budget), (5 * MIB, 4 * MIB));
    let mut promise = pool.promise(MIB).expect("room");
    promise.grow_to(4 * MIB).expect("room");
    assert!(matches!(promise.grow_to(5 * MIB), Err(Error::HostMemory { .. })));
    assert_eq!(promise.bytes(), 4 * MIB);
    drop(promise);
    let metrics = pool.metrics();
    assert_eq!((metrics.promised_bytes, metrics.growths), (0, 1));
    account.close();
    assert!(matches!(pool.promise(3 * MIB), Err(Error::Closed)));
}

#[test]
fn two_that_grow_do_not_wait_for_each_other() {
    let (_, pool) = pool(4 * MIB);
    let grow = |mut promise: Promise| promise.grow_to(3 * MIB).map(|()| drop(promise));
    let promises = [pool.promise(2 * MIB).expect("room"), pool.promise(2 * MIB).expect("room")];
    let results = thread::scope(|scope| {
        let threads = promises.map(|promise| scope.spawn(|| grow(promise)));
        threads.map(|thread| thread.join().expect("no panic"))
    });
    // The second is refused, which makes room for the first.
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1, "{results:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Threads that promise, take, give, grow and shrink at random: the pool never holds more than
    /// there is, nobody waits for ever, and in the end everything is back.
    #[test]
    fn accounts_are_exact_in_the_end(
        scripts in prop::collection::vec(prop::collection::vec((1..5u64, any::<bool>()), 1..40), 1..9),
    ) {
        let (account, pool) = pool(6 * MIB);
        thread::scope(|scope| {
            for script in &scripts {
                let pool = &pool;
                scope.spawn(move || {
                    for (mebibytes, grows) in script {
                        let mut promise = pool.promise(mebibytes * MIB).expect("fits");
                        let count = if *grows && promise.grow_to((mebibytes + 1) * MIB).is_ok() {
                            mebibytes + 1
                        } else {
                            *mebibytes
                        };
                        let vectors: Vec<_> =
                            (0..count).map(|_| one_mebibyte(pool).expect("promised")).collect();
                        assert!(pool.metrics().held_bytes <= 6 * MIB);
                        assert!(vectors.iter().all(|vector| vector.len() == SCALARS));
                        drop(vectors);
                        promise.shrink_to(MIB);
                    }
                });
            }
        });
        let metrics = pool.metrics();
        prop_assert_eq!(metrics.promised_bytes, 0);
        prop_assert_eq!(account.metrics().reserved, metrics.charged_bytes);
        prop_assert_eq!(metrics.held_bytes, metrics.idle_bytes);
        drop(account.acquire(6 * MIB).expect("idle memory is given up"));
        prop_assert_eq!(pool.metrics().held_bytes, 0);
        prop_assert!(account.metrics().peak <= 6 * MIB);
    }
}
