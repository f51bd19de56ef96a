//! What a worker does with a job.

use super::queue::{JobResult, Queue};
use crate::engine::{Cancellation, Shared};
use crate::{Assignment, Error, Randomness, Result, Srs};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

type Synthesize = Box<dyn FnOnce() -> Result<Assignment> + Send>;

/// A submitted job.
pub(super) struct Task {
    engine: Arc<Shared>,
    srs: Srs,
    cancellation: Cancellation,
    // Taken by the worker.
    work: Mutex<Option<(Synthesize, Randomness)>>,
}

impl Task {
    pub(super) fn new(
        engine: Arc<Shared>,
        srs: Srs,
        randomness: Randomness,
        synthesize: Synthesize,
    ) -> Self {
        let work = Mutex::new(Some((synthesize, randomness)));
        Task { engine, srs, cancellation: Cancellation::default(), work }
    }

    pub(super) fn cancel(&self) {
        self.engine.cancel(&self.cancellation);
    }

    fn run(&self) -> JobResult {
        let began = Instant::now();
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (synthesize, randomness) = work.ok_or(Error::Cancelled)?;
        // The closure is consumed: what it has left inconsistent is gone with it.
        let assignment = catch_unwind(AssertUnwindSafe(synthesize))
            .unwrap_or_else(|payload| Err(Error::Synthesis(Box::new(Panicked::new(&*payload)))))?;
        self.engine.prove_new(&self.srs, assignment, randomness, began, &self.cancellation)
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("srs", &self.srs).finish_non_exhaustive()
    }
}

/// Works until the queue is closed and empty.
pub(super) fn work(queue: &Queue) {
    while let Some((id, task)) = queue.next_task() {
        let result = task.run();
        drop(task);
        queue.finish(id, result);
    }
}

/// A panic of a circuit, as an error.
#[derive(Debug, thiserror::Error)]
#[error("the circuit panicked: {0}")]
struct Panicked(String);

impl Panicked {
    fn new(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Panicked(text.unwrap_or_else(|| "without a message".to_owned()))
    }
}
