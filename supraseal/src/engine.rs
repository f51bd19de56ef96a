//! The prover and its settings.

use crate::witness::first_unsatisfied;
use crate::{
    Assignment, BatchMismatch, Error, PointChecks, Proof, Randomness, Result, Srs, Timeline,
};
use std::path::Path;
use std::thread;
use std::time::Instant;
use supraseal_sys::{Evaluations, Kernels, ThreadPool, Witness};

/// The most threads a pool may have; more is a mistake in a configuration, not a machine.
pub const MAX_POOL_THREADS: usize = 4096;

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
pub struct EngineBuilder {
    backend: Backend,
    pool_threads: Option<usize>,
    point_checks: PointChecks,
    check_witness: bool,
    verify_proofs: bool,
    portable_kernels: bool,
}

impl EngineBuilder {
    /// What computes the proofs. [`Backend::Auto`] unless set.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Threads of the engine's own pool, 1 to [`MAX_POOL_THREADS`]. Unless set, as many as CPUs that
    /// this process may use: affinity and container quotas count. Set it lower where synthesis runs
    /// beside proving.
    pub fn pool_threads(mut self, threads: usize) -> Self {
        self.pool_threads = Some(threads);
        self
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
    /// of threads out of range; [`Error::Io`] when the system refuses a thread.
    pub fn build(self) -> Result<Engine> {
        let build = supraseal_sys::build_info();
        if build.needs_adx && !build.cpu_has_adx {
            return Err(Error::Build {
                what: "this program was compiled for processors with ADX, which this one lacks",
                remedy: "build it with the feature `portable`, which chooses at run time",
            });
        }
        let threads = self
            .pool_threads
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        if threads == 0 {
            return Err(Error::shape("too few pool threads", 1, 0));
        }
        if threads > MAX_POOL_THREADS {
            return Err(Error::shape("too many pool threads", MAX_POOL_THREADS, threads));
        }
        let pool = ThreadPool::new(threads)?;
        let backend = match self.backend {
            Backend::Auto | Backend::Cpu => Backend::Cpu,
        };
        let kernels = if self.portable_kernels { Kernels::Portable } else { Kernels::Fastest };
        let native = supraseal_sys::Backend::cpu(kernels)?;
        tracing::debug!(?backend, threads, ifma = build.cpu_has_ifma, "engine built");
        Ok(Engine { pool, native, settings: EngineBuilder { backend, ..self } })
    }
}

/// A prover: a thread pool and settings. It may be shared between threads, and there may be several
/// in a process; nothing is global.
///
/// Dropping it joins its threads.
#[derive(Debug)]
pub struct Engine {
    pool: ThreadPool,
    native: supraseal_sys::Backend,
    settings: EngineBuilder,
}

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
        self.settings.backend
    }

    /// Threads of the pool.
    pub fn pool_threads(&self) -> usize {
        self.pool.size()
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
    /// [`Error::HostMemory`]; [`Error::Internal`].
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
    // By value, so that backends may keep working on the buffers, and give them back one by one.
    #[allow(clippy::needless_pass_by_value)]
    pub fn prove_batch_timed(
        &self,
        srs: &Srs,
        assignments: Vec<Assignment>,
        randomness: Vec<Randomness>,
    ) -> Result<(Vec<Proof>, Timeline)> {
        let _span = tracing::debug_span!("prove", circuits = assignments.len()).entered();
        let began = Instant::now();
        check_batch(srs, &assignments, &randomness)?;
        if self.settings.check_witness {
            self.check_witnesses(&assignments)?;
        }
        let mut timeline = Timeline::default();
        let mut proofs = Vec::with_capacity(assignments.len());
        for (index, (assignment, randomness)) in assignments.iter().zip(&randomness).enumerate() {
            let mut attempt =
                || self.prove_one(srs, index, assignment, randomness, &mut timeline, began);
            let proof = attempt()?;
            proofs.push(if self.settings.verify_proofs {
                self.verified(srs, index, assignment, proof, attempt)?
            } else {
                proof
            });
        }
        timeline.emit();
        Ok((proofs, timeline))
    }

    pub(crate) fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    pub(crate) fn checks(&self) -> PointChecks {
        self.settings.point_checks
    }

    fn prove_one(
        &self,
        srs: &Srs,
        circuit: usize,
        assignment: &Assignment,
        randomness: &Randomness,
        timeline: &mut Timeline,
        began: Instant,
    ) -> Result<Proof> {
        let mut phases = Vec::new();
        let offset = began.elapsed();
        let evaluations = evaluations(assignment);
        let quotient = supraseal_sys::quotient(&self.pool, &self.native, evaluations, &mut phases)?;
        timeline.record(&phases, offset, circuit);

        phases.clear();
        let offset = began.elapsed();
        let witness = witness(assignment, randomness);
        let proof = supraseal_sys::prove(
            &self.pool,
            &self.native,
            srs.native(),
            &quotient,
            witness,
            &mut phases,
        )?;
        timeline.record(&phases, offset, circuit);
        Ok(Proof::from(&proof))
    }

    /// `proof` if it verifies, else the result of one more `attempt` if that does.
    fn verified(
        &self,
        srs: &Srs,
        circuit: usize,
        assignment: &Assignment,
        proof: Proof,
        attempt: impl FnOnce() -> Result<Proof>,
    ) -> Result<Proof> {
        let key = srs.verifying_key();
        let inputs = assignment.public_inputs();
        if key.verify(&proof, inputs).is_ok() {
            return Ok(proof);
        }
        // The likelier reason by far, and a second attempt would not help against it.
        self.check_witness(circuit, assignment)?;
        tracing::warn!(circuit, "the proof does not verify, making it once more");
        let second = attempt()?;
        match key.verify(&second, inputs) {
            Ok(()) => Ok(second),
            Err(_) => Err(Error::WrongProof { circuit }),
        }
    }

    fn check_witnesses(&self, assignments: &[Assignment]) -> Result<()> {
        assignments.iter().enumerate().try_for_each(|(i, a)| self.check_witness(i, a))
    }

    fn check_witness(&self, circuit: usize, assignment: &Assignment) -> Result<()> {
        match first_unsatisfied(assignment, self.pool.size()) {
            Some(constraint) => Err(Error::Unsatisfied { circuit, constraint }),
            None => Ok(()),
        }
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

fn evaluations(assignment: &Assignment) -> Evaluations<'_> {
    let parts = assignment.parts();
    Evaluations { a: &parts.a, b: &parts.b, c: &parts.c }
}

fn witness<'a>(assignment: &'a Assignment, randomness: &Randomness) -> Witness<'a> {
    let parts = assignment.parts();
    Witness {
        inputs: &parts.inputs,
        aux: &parts.aux,
        a_aux_density: parts.a_aux_density.words(),
        b_input_density: parts.b_input_density.words(),
        b_aux_density: parts.b_aux_density.words(),
        r: randomness.r(),
        s: randomness.s(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_sized_as_asked() {
        let engine = Engine::builder().pool_threads(3).build().expect("an engine");
        assert_eq!((engine.pool_threads(), engine.backend()), (3, Backend::Cpu));
        let engine = Engine::new().expect("an engine");
        let cpus = thread::available_parallelism().expect("a count").get();
        assert_eq!(engine.pool_threads(), cpus);
    }

    #[test]
    fn senseless_pools_are_refused() {
        for threads in [0, MAX_POOL_THREADS + 1, usize::MAX] {
            let error = Engine::builder().pool_threads(threads).build().expect_err("refused");
            assert!(matches!(error, Error::Shape { got, .. } if got == threads as u64), "{error}");
        }
    }

    #[test]
    fn engines_cross_threads() {
        fn check<T: Send + Sync>() {}
        check::<Engine>();
        check::<Srs>();
        check::<Assignment>();
    }
}
