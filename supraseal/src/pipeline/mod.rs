//! Many proofs, with synthesis and proving side by side.

mod queue;
mod worker;

use crate::engine::Shared;
use crate::{Assignment, Engine, Error, Proof, Randomness, Result, Srs, Timeline};
use queue::Queue;
use std::fmt;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use worker::Task;

/// In which order a [`Pipeline`] gives results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// As they come.
    #[default]
    Completed,
    /// As the jobs were submitted; a result waits for those before it.
    Submitted,
}

/// Names a job of its pipeline. Jobs are numbered from 0 in the order of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a job of a [`Pipeline`] ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The job.
    pub id: JobId,
    /// Its proof and what took how long, or what went wrong. A failure is this job's alone.
    pub result: Result<(Proof, Timeline)>,
}

/// Settings of a [`Pipeline`].
#[derive(Clone, Debug)]
#[must_use = "settings do nothing until `start` is called"]
pub struct PipelineBuilder<'a> {
    engine: &'a Engine,
    workers: usize,
    waiting: usize,
    order: Order,
}

impl<'a> PipelineBuilder<'a> {
    pub(crate) fn new(engine: &'a Engine) -> Self {
        PipelineBuilder { engine, workers: 2, waiting: 2, order: Order::default() }
    }

    /// How many jobs are worked on at once, each by a thread of its own: it synthesises the job's
    /// circuit and then has the engine's pool compute the proof, in turn with the others. With 2, as
    /// long as nothing else is set, one job is synthesised while another one is computed; more pay
    /// where synthesis takes longer than proving. So many assignments are in memory at most.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// How many submitted jobs may wait for a worker before [`submit`](Pipeline::submit) does. 2
    /// unless set.
    pub fn waiting(mut self, jobs: usize) -> Self {
        self.waiting = jobs;
        self
    }

    /// The order of results. [`Order::Completed`] unless set.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Starts the workers.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] for no workers or no room for waiting jobs; [`Error::Io`] when the system
    /// refuses a thread.
    pub fn start(self) -> Result<Pipeline> {
        for (what, count) in
            [("pipeline workers, at least", self.workers), ("waiting jobs, at least", self.waiting)]
        {
            if count == 0 {
                return Err(Error::shape(what, 1, 0));
            }
        }
        let mut pipeline = Pipeline {
            engine: self.engine.shared(),
            queue: Arc::new(Queue::new(self.waiting, self.order)),
            workers: Vec::new(),
        };
        for i in 0..self.workers {
            let queue = pipeline.queue.clone();
            let worker = thread::Builder::new()
                .name(format!("supraseal-worker-{i}"))
                .spawn(move || worker::work(&queue))
                .map_err(|source| Error::Io {
                    path: None,
                    operation: "create a pipeline worker".to_owned(),
                    source,
                })?;
            pipeline.workers.push(worker);
        }
        Ok(pipeline)
    }
}

/// A stream of proofs: while one is computed, the next one's circuit is synthesised.
///
/// Jobs may be submitted and results taken on any threads. Dropping the pipeline gives up the jobs
/// that wait, and waits for those that are being worked on.
///
/// ```no_run
/// # use supraseal::{Assignment, Engine, Randomness, Result};
/// # fn circuits() -> Vec<Box<dyn FnOnce() -> Result<Assignment> + Send>> { vec![] }
/// # fn run() -> Result<()> {
/// let engine = Engine::new()?;
/// let srs = engine.load_srs("circuit.params")?;
/// let pipeline = engine.pipeline().workers(2).start()?;
/// std::thread::scope(|scope| -> Result<()> {
///     scope.spawn(|| {
///         for outcome in pipeline.results() {
///             match outcome.result {
///                 Ok((proof, _)) => println!("{}: {:?}", outcome.id, proof.to_bytes()),
///                 Err(error) => eprintln!("{}: {error}", outcome.id),
///             }
///         }
///     });
///     for synthesize in circuits() {
///         pipeline.submit(&srs, Randomness::from_os()?, synthesize)?;
///     }
///     pipeline.close();
///     Ok(())
/// })
/// # }
/// ```
#[derive(Debug)]
pub struct Pipeline {
    engine: Arc<Shared>,
    queue: Arc<Queue>,
    workers: Vec<JoinHandle<()>>,
}

impl Pipeline {
    /// Adds a job: `synthesize` is called on a worker's thread, and its assignment is proved. Waits
    /// while as many jobs wait as [`PipelineBuilder::waiting`] allows.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] after [`close`](Pipeline::close).
    pub fn submit(
        &self,
        srs: &Srs,
        randomness: Randomness,
        synthesize: impl FnOnce() -> Result<Assignment> + Send + 'static,
    ) -> Result<JobId> {
        let task = Task::new(self.engine.clone(), srs.clone(), randomness, Box::new(synthesize));
        self.queue.push(task).map(JobId)
    }

    /// Takes no more jobs. Those submitted are finished.
    pub fn close(&self) {
        self.queue.close();
    }

    /// Gives a job up, unless its proof is being computed or done: its outcome is then
    /// [`Error::Cancelled`]. A synthesis that runs is waited for.
    pub fn cancel(&self, id: JobId) {
        self.queue.cancel(id.0);
    }

    /// Gives up every job that was submitted so far, as [`cancel`](Pipeline::cancel) does.
    pub fn cancel_all(&self) {
        self.queue.cancel_all();
    }

    /// Waits for the next result. `None` when the pipeline is closed and every result was taken.
    pub fn next_outcome(&self) -> Option<Outcome> {
        self.queue.next_outcome().map(|(id, result)| Outcome { id: JobId(id), result })
    }

    /// The results as an iterator, which ends as [`next_outcome`](Pipeline::next_outcome) does.
    pub fn results(&self) -> impl Iterator<Item = Outcome> + '_ {
        std::iter::from_fn(|| self.next_outcome())
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        self.queue.close();
        self.queue.cancel_all();
        for worker in self.workers.drain(..) {
            // A worker contains the panics of circuits; there is nobody left to tell of others.
            let _ = worker.join();
        }
    }
}
