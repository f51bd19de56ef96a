//! Jobs on their way in, outcomes on their way out.

use super::Order;
use super::worker::Task;
use crate::{Error, Proof, Result, Timeline};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub(super) type JobResult = Result<(Proof, Timeline)>;

/// What submitters, workers and takers of results share.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    room: Condvar,
    work: Condvar,
    done: Condvar,
    capacity: usize,
    order: Order,
}

#[derive(Debug, Default)]
struct State {
    next_id: u64,
    closed: bool,
    waiting: VecDeque<(u64, Task)>,
    running: BTreeMap<u64, Arc<Task>>,
    outcomes: BTreeMap<u64, JobResult>,
    // In the order of completion.
    completed: VecDeque<u64>,
    next_in_order: u64,
}

impl State {
    fn complete(&mut self, id: u64, result: JobResult) {
        self.outcomes.insert(id, result);
        self.completed.push_back(id);
    }

    fn take(&mut self, order: Order) -> Option<(u64, JobResult)> {
        let id = match order {
            Order::Completed => self.completed.pop_front()?,
            Order::Submitted => self.next_in_order,
        };
        let result = self.outcomes.remove(&id)?;
        if order == Order::Submitted {
            self.next_in_order += 1;
        }
        Some((id, result))
    }
}

impl Queue {
    pub(super) fn new(capacity: usize, order: Order) -> Self {
        Queue {
            state: Mutex::default(),
            room: Condvar::new(),
            work: Condvar::new(),
            done: Condvar::new(),
            capacity,
            order,
        }
    }

    /// Waits for room.
    pub(super) fn push(&self, task: Task) -> Result<u64> {
        let mut state = self.lock();
        while !state.closed && state.waiting.len() >= self.capacity {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return Err(Error::Closed);
        }
        let id = state.next_id;
        state.next_id += 1;
        state.waiting.push_back((id, task));
        self.work.notify_one();
        Ok(id)
    }

    /// Waits for a job. `None` when there will be no more.
    pub(super) fn next_task(&self) -> Option<(u64, Arc<Task>)> {
        let mut state = self.lock();
        loop {
            if let Some((id, task)) = state.waiting.pop_front() {
                let task = Arc::new(task);
                state.running.insert(id, task.clone());
                self.room.notify_one();
                return Some((id, task));
            }
            if state.closed {
                return None;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn finish(&self, id: u64, result: JobResult) {
        let mut state = self.lock();
        let task = state.running.remove(&id);
        state.complete(id, result);
        drop(state);
        self.done.notify_all();
        // Its key may be the last reference.
        drop(task);
    }

    /// Waits for an outcome. `None` when there will be no more.
    pub(super) fn next_outcome(&self) -> Option<(u64, JobResult)> {
        let mut state = self.lock();
        loop {
            if let Some(outcome) = state.take(self.order) {
                return Some(outcome);
            }
            let idle = state.waiting.is_empty() && state.running.is_empty();
            if state.closed && idle && state.outcomes.is_empty() {
                return None;
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
        self.work.notify_all();
        self.done.notify_all();
    }

    pub(super) fn cancel(&self, id: u64) {
        self.cancel_where(|candidate| candidate == id);
    }

    pub(super) fn cancel_all(&self) {
        self.cancel_where(|_| true);
    }

    fn cancel_where(&self, matches: impl Fn(u64) -> bool) {
        let mut state = self.lock();
        let (given_up, kept): (Vec<_>, Vec<_>) =
            state.waiting.drain(..).partition(|(id, _)| matches(*id));
        state.waiting.extend(kept);
        for (id, _) in &given_up {
            state.complete(*id, Err(Error::Cancelled));
        }
        let running: Vec<_> = state.running.iter().filter(|(id, _)| matches(**id)).collect();
        let running: Vec<Arc<Task>> = running.into_iter().map(|(_, task)| task.clone()).collect();
        drop(state);
        for task in running {
            task.cancel();
        }
        self.room.notify_all();
        self.done.notify_all();
    }

    // Nothing panics while it holds the lock, and no state is left half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
