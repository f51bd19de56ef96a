//! The primitives that the owners of memory synchronise with: std's, or loom's when its models run.

#[cfg(loom)]
pub(crate) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use std::sync::PoisonError;

// Nothing panics while it holds one of the owners' locks, and no state is left half changed, so that
// a poisoned lock is as good as any other.

/// Locks a mutex whatever happened to its last holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on a condition variable, likewise.
pub(crate) fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Waits until notified, or until `timeout` has passed. Models have no clock: they wait.
#[cfg(loom)]
pub(crate) fn wait_timeout<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    _: std::time::Duration,
) -> MutexGuard<'a, T> {
    wait(condition, guard)
}

/// Waits until notified, or until `timeout` has passed.
#[cfg(not(loom))]
pub(crate) fn wait_timeout<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    timeout: std::time::Duration,
) -> MutexGuard<'a, T> {
    condition.wait_timeout(guard, timeout).unwrap_or_else(PoisonError::into_inner).0
}
