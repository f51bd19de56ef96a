//! The prover and its settings.

mod pending;
mod pool;
mod shared;
mod turn;

pub use pending::PendingProof;
pub use pool::{MAX_POOL_THREADS, PoolSize};

use crate::memory::{HintTable, Pool};
#[cfg(any(feature = "bellpepper", feature = "bellman"))]
use crate::synth::Synthesis;
use crate::{
    Assignment, BatchMismatch, Deallocator, Error, Evictor, MemoryBudget, Metrics, PipelineBuilder,
    PointChecks, Proof, Randomness, Result, Shape, Srs, Throttle, Timeline,
};
use pool::PoolSlot;
use shared::Job;
pub(crate) use shared::Shared;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use supraseal_sys::{Kernels, ThreadPool};
pub(crate) use turn::Cancellation;
use turn::Turnstile;

/// Bytes that may wait to be freed.
const DEALLOCATION_QUEUE: u64 = 4 << 30;

/// What computes the proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The fastest that this build and this machine have.
    #[default]
    Auto,
    /// The CPU. It chooses kernels for the processor it runs on.
    Cpu,
}

/// Settings of an [`Engine`].
#[derive(Clone, Debug, Default)]
#[must_use = "settings do nothing until `build` is called"]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub struct EngineBuilder {
    backend: Backend,
    pool: PoolSize,
    point_checks: PointChecks,
    check_witness: bool,
    verify_proofs: bool,
    portable_kernels: bool,
    throttle_synthesis: bool,
    free_in_place: bool,
    memory: Option<MemoryBudget>,
}

impl EngineBuilder {
    /// What computes the proofs. [`Backend::Auto`] unless set.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The size of the engine's own pool. [`PoolSize::Auto`] unless set.
    pub fn pool(mut self, size: PoolSize) -> Self {
        self.pool = size;
        self
    }

    /// [`pool`](EngineBuilder::pool) of [`PoolSize::Threads`].
    pub fn pool_threads(self, threads: usize) -> Self {
        self.pool(PoolSize::Threads(threads))
    }

    /// How much of each point of a parameter file is checked. [`PointChecks::OnCurve`] unless set;
    /// for parameters that came from somebody you do not trust, use [`PointChecks::Subgroup`].
    pub fn point_checks(mut self, checks: PointChecks) -> Self {
        self.point_checks = checks;
        self
    }

    /// Whether each witness is checked before proving. Off unless set: it costs less than a hundredth of
    /// a proof. Without it, a witness that does not satisfy its circuit gives a proof that does not
    /// verify.
    pub fn check_witness(mut self, check: bool) -> Self {
        self.check_witness = check;
        self
    }

    /// Whether each proof is verified before it is returned, some milliseconds each. Off unless set.
    /// A proof that does not verify is made once more before it is reported: against hardware that
    /// miscalculates now and then.
    pub fn verify_proofs(mut self, verify: bool) -> Self {
        self.verify_proofs = verify;
        self
    }

    /// How much memory the engine may use for keys, for assignments that are synthesised on it, and for
    /// proving. Engines may share a budget. [`MemoryBudget::auto`] unless set, or no limit on systems
    /// that do not tell how much memory there is. Vectors that are handed over with
    /// [`Assignment::from_parts`] or made by a plain `synthesize` are their maker's, and not counted.
    pub fn memory(mut self, budget: MemoryBudget) -> Self {
        self.memory = Some(budget);
        self
    }

    /// Whether synthesis on this engine pauses while the sums of a proof are computed:
    /// [`Throttle`]. Off unless set: it pays where the two fight for memory bandwidth, and costs
    /// the overlap elsewhere.
    pub fn throttle_synthesis(mut self, throttle: bool) -> Self {
        self.throttle_synthesis = throttle;
        self
    }

    /// Whether vectors that are not the engine's own are freed by the thread that proved, instead of
    /// the deallocation thread. Off unless set: for comparisons.
    pub fn free_in_place(mut self, in_place: bool) -> Self {
        self.free_in_place = in_place;
        self
    }

    /// Whether to do without the processor's vector instructions. Off unless set: for tests and
    /// comparisons; proofs are the same.
    pub fn portable_kernels(mut self, portable: bool) -> Self {
        self.portable_kernels = portable;
        self
    }

    /// Starts the engine's threads.
    ///
    /// # Errors
    ///
    /// [`Error::Build`] when this build cannot run on this processor; [`Error::Shape`] for a number
    /// of threads or CPUs out of range; [`Error::Io`] when the system refuses a thread or the CPUs.
    pub fn build(self) -> Result<Engine> {
        let build = supraseal_sys::build_info();
        if build.needs_adx && !build.cpu_has_adx {
            return Err(Error::Build {
                what: "this program was compiled for processors with ADX, which this one lacks",
                remedy: "build it with the feature `portable`, which chooses at run time",
            });
        }
        let pool = self.pool.start()?;
        let backend = match self.backend {
            Backend::Auto | Backend::Cpu => Backend::Cpu,
        };
        let kernels = if self.portable_kernels { Kernels::Portable } else { Kernels::Fastest };
        let native = supraseal_sys::Backend::cpu(kernels)?;
        tracing::debug!(?backend, threads = pool.size(), ifma = build.cpu_has_ifma, "engine built");
        let budget = match &self.memory {
            Some(budget) => budget.clone(),
            None => MemoryBudget::auto().or_else(|_| MemoryBudget::of_host(u64::MAX))?,
        };
        let deallocator = Arc::new(Deallocator::start(DEALLOCATION_QUEUE)?);
        let memory = Pool::new(budget.host(), deallocator.clone())?;
        let evictor: Arc<dyn Evictor> = memory.clone();
        budget.host().add_evictor(&evictor);
        Ok(Engine(Arc::new(Shared {
            native,
            budget,
            memory,
            deallocator,
            hints: HintTable::default(),
            pool: PoolSlot::new(pool),
            settings: EngineBuilder { backend, ..self },
            turnstile: Turnstile::default(),
            throttle: Arc::default(),
        })))
    }
}

/// A prover: a thread pool and settings. It may be shared between threads, and there may be several
/// in a process; nothing is global.
///
/// Its threads end when it and its pending proofs are gone.
///
/// Cloning shares it.
#[derive(Clone, Debug)]
pub struct Engine(Arc<Shared>);

impl Engine {
    /// Default settings, to be changed.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// An engine with default settings.
    ///
    /// # Errors
    ///
    /// As [`EngineBuilder::build`].
    pub fn new() -> Result<Self> {
        Engine::builder().build()
    }

    /// What computes the proofs; never [`Backend::Auto`].
    pub fn backend(&self) -> Backend {
        self.0.settings.backend
    }

    /// Threads of the pool.
    pub fn pool_threads(&self) -> usize {
        self.0.pool.get().size()
    }

    /// Changes the pool's size. Proofs that are being computed keep the pool that they began with;
    /// those that begin later use the new one.
    ///
    /// # Errors
    ///
    /// As for the pool in [`EngineBuilder::build`]; the pool is then as it was.
    pub fn resize_pool(&self, size: &PoolSize) -> Result<()> {
        self.0.pool.replace(size.start()?);
        Ok(())
    }

    /// Takes no more work. Proofs whose turn has not come fail with [`Error::Closed`]; those being
    /// computed end as usual.
    pub fn close(&self) {
        self.0.turnstile.close();
    }

    /// Proofs that were started and wait for their turn to be computed.
    pub fn queued_proofs(&self) -> usize {
        self.0.turnstile.waiting()
    }

    /// [`Srs::load`] on this engine.
    ///
    /// # Errors
    ///
    /// As [`Srs::load`].
    pub fn load_srs(&self, path: impl AsRef<Path>) -> Result<Srs> {
        Srs::load(self, path)
    }

    /// Proves one circuit. Blocks until done.
    ///
    /// With the same `randomness` the proof is, byte for byte, that of bellperson and bellman.
    ///
    /// # Errors
    ///
    /// As [`Engine::prove_batch`].
    pub fn prove(
        &self,
        srs: &Srs,
        assignment: Assignment,
        randomness: Randomness,
    ) -> Result<Proof> {
        Ok(self.prove_timed(srs, assignment, randomness)?.0)
    }

    /// [`Engine::prove`], and what took how long.
    ///
    /// # Errors
    ///
    /// As [`Engine::prove_batch`].
    pub fn prove_timed(
        &self,
        srs: &Srs,
        assignment: Assignment,
        randomness: Randomness,
    ) -> Result<(Proof, Timeline)> {
        let (proofs, timeline) = self.prove_batch_timed(srs, vec![assignment], vec![randomness])?;
        // A batch gives as many proofs as it has circuits.
        let proof = proofs.into_iter().next().ok_or(BatchMismatch::Empty)?;
        Ok((proof, timeline))
    }

    /// Proves circuits of one shape against one key, in their order. Blocks until done.
    ///
    /// The whole batch is checked before any work begins.
    ///
    /// # Errors
    ///
    /// [`Error::BatchMismatch`] for an empty batch, a wrong number of randomness, or a circuit that
    /// is not like the first; [`Error::Shape`] when the circuits do not fit the key;
    /// [`Error::Unsatisfied`] when [`check_witness`](EngineBuilder::check_witness) is on;
    /// [`Error::WrongProof`] when [`verify_proofs`](EngineBuilder::verify_proofs) is on;
    /// [`Error::Closed`]; [`Error::HostMemory`]; [`Error::Internal`].
    pub fn prove_batch(
        &self,
        srs: &Srs,
        assignments: Vec<Assignment>,
        randomness: Vec<Randomness>,
    ) -> Result<Vec<Proof>> {
        Ok(self.prove_batch_timed(srs, assignments, randomness)?.0)
    }

    /// [`Engine::prove_batch`], and what took how long.
    ///
    /// # Errors
    ///
    /// As [`Engine::prove_batch`].
    pub fn prove_batch_timed(
        &self,
        srs: &Srs,
        assignments: Vec<Assignment>,
        randomness: Vec<Randomness>,
    ) -> Result<(Vec<Proof>, Timeline)> {
        let began = Instant::now();
        check_batch(srs, &assignments, &randomness)?;
        self.0.check_witnesses(&assignments)?;
        let jobs = assignments.into_iter().zip(randomness).enumerate();
        let jobs = jobs.map(|(circuit, (assignment, randomness))| Job {
            circuit,
            assignment,
            randomness,
            began,
        });
        self.0.prove_all(srs, jobs.collect())
    }

    /// Starts a proof in the background and returns at once. Proofs are computed one at a time, in
    /// the order in which they were started.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] when the circuit does not fit the key; [`Error::Unsatisfied`] when
    /// [`check_witness`](EngineBuilder::check_witness) is on; [`Error::Closed`]; [`Error::Io`] when
    /// the system refuses a thread. What happens later is an error of
    /// [`finish`](PendingProof::finish).
    pub fn start(
        &self,
        srs: &Srs,
        assignment: Assignment,
        randomness: Randomness,
    ) -> Result<PendingProof> {
        let began = Instant::now();
        self.0.check_new(srs, &assignment)?;
        let job = Job { circuit: 0, assignment, randomness, began };
        PendingProof::start(&self.0, srs.clone(), job)
    }

    /// Settings of a [`Pipeline`](crate::Pipeline) on this engine.
    pub fn pipeline(&self) -> PipelineBuilder<'_> {
        PipelineBuilder::new(self)
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        self.0.clone()
    }

    /// Bytes of the budget that a proof of this shape takes, on the pool as it is: the assignment's
    /// vectors and everything proving needs beside the key, at its peak. An upper bound, known before
    /// any work; the key takes the size of its file.
    pub fn memory_needed(&self, shape: &Shape) -> u64 {
        shape.memory(self.pool_threads()).of_assignment().0
    }

    /// The engine's figures now.
    pub fn metrics(&self) -> Metrics {
        Metrics {
            host: self.0.budget.host().metrics(),
            pool: self.0.memory.metrics(),
            deallocator: self.0.deallocator.metrics(),
            throttle: self.0.throttle.metrics(),
            pool_threads: self.pool_threads(),
            queued_proofs: self.queued_proofs(),
        }
    }

    /// The gate that synthesis on this engine polls.
    pub fn throttle(&self) -> &Throttle {
        &self.0.throttle
    }

    /// Waits until everything is freed that was handed to the deallocation thread before.
    pub fn flush(&self) {
        self.0.deallocator.flush();
    }

    #[cfg(any(feature = "bellpepper", feature = "bellman"))]
    pub(crate) fn synthesize_in_memory(
        &self,
        circuit: &'static str,
        run: impl FnOnce(Synthesis) -> Result<Synthesis>,
    ) -> Result<Assignment> {
        if self.0.turnstile.is_closed() {
            return Err(Error::Closed);
        }
        let threads = self.pool_threads();
        let hint = self.0.hints.get(circuit);
        let throttle = self.0.throttle.clone();
        let synthesis = Synthesis::in_memory(&self.0.memory, throttle, hint, threads)?;
        let assignment = run(synthesis)?.finish_in_memory(threads)?;
        self.0.hints.learn(circuit, assignment.shape());
        Ok(assignment)
    }

    pub(crate) fn budget(&self) -> &MemoryBudget {
        &self.0.budget
    }

    pub(crate) fn deallocator(&self) -> &Arc<Deallocator> {
        &self.0.deallocator
    }

    pub(crate) fn pool(&self) -> Arc<ThreadPool> {
        self.0.pool.get()
    }

    pub(crate) fn checks(&self) -> PointChecks {
        self.0.settings.point_checks
    }
}

fn check_batch(srs: &Srs, assignments: &[Assignment], randomness: &[Randomness]) -> Result<()> {
    let (circuits, randomness) = (assignments.len(), randomness.len());
    let first = assignments.first().ok_or(BatchMismatch::Empty)?;
    if circuits != randomness {
        return Err(BatchMismatch::Randomness { circuits, randomness }.into());
    }
    for (index, other) in assignments.iter().enumerate().skip(1) {
        first.check_same_circuit(other, index)?;
    }
    first.shape().check_key(&srs.counts())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_sized_as_asked() {
        let engine = Engine::builder().pool_threads(3).build().expect("an engine");
        assert_eq!((engine.pool_threads(), engine.backend()), (3, Backend::Cpu));
        let engine = Engine::new().expect("an engine");
        engine.resize_pool(&PoolSize::Threads(1)).expect("resized");
        assert_eq!(engine.pool_threads(), 1);
        engine.resize_pool(&PoolSize::Threads(0)).expect_err("refused");
        assert_eq!(engine.pool_threads(), 1);
    }

    #[test]
    fn engines_cross_threads() {
        fn check<T: Send + Sync>() {}
        check::<Engine>();
        check::<PendingProof>();
        check::<Srs>();
        check::<Assignment>();
    }
}
