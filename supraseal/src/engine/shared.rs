//! What an engine and its pending proofs share, and how a proof is made of it.

use super::EngineBuilder;
use super::pool::PoolSlot;
use super::turn::{Cancellation, NoTurn, Turnstile};
use crate::assignment::Vectors;
use crate::memory::{HintTable, Pool, Promise, Scalars};
use crate::witness::first_unsatisfied;
use crate::{
    Assignment, Deallocator, Error, MemoryBudget, Proof, Randomness, Result, Srs, Timeline,
};
use std::sync::Arc;
use std::time::Instant;
use supraseal_sys::{Backend, Evaluations, Quotient, ThreadPool, Witness};

#[derive(Debug)]
pub(crate) struct Shared {
    pub(super) native: Backend,
    pub(super) pool: PoolSlot,
    pub(super) settings: EngineBuilder,
    pub(super) turnstile: Turnstile,
    pub(super) budget: MemoryBudget,
    pub(super) memory: Arc<Pool>,
    pub(super) deallocator: Arc<Deallocator>,
    pub(super) hints: HintTable,
}

/// One proof to be made.
#[derive(Debug)]
pub(super) struct Job {
    /// The circuit's index in its batch.
    pub(super) circuit: usize,
    pub(super) assignment: Assignment,
    pub(super) randomness: Randomness,
    /// What the timeline counts from.
    pub(super) began: Instant,
}

impl Shared {
    /// Waits for a turn and makes the proof. The evaluations are freed as soon as H is done.
    pub(super) fn prove(
        &self,
        srs: &Srs,
        job: Job,
        cancellation: &Cancellation,
    ) -> Result<(Proof, Timeline)> {
        let _span = tracing::debug_span!("prove", circuit = job.circuit).entered();
        let Job { circuit, assignment, randomness, began } = job;
        let shape = assignment.shape();
        let threads = self.pool.get().size();
        let (mut vectors, promise) = assignment.into_vectors();
        // The right to the working memory comes before the turn, so that nobody waits for memory while
        // others wait for the turn.
        let mut memory = match promise {
            Some(promise) if Arc::ptr_eq(promise.pool(), &self.memory) => {
                OwnMemory { promise, afterwards: shape.memory(threads).of_assignment().1 }
            }
            _ => {
                let (needed, afterwards) = shape.memory(threads).of_scratch();
                OwnMemory { promise: self.memory.promise(needed)?, afterwards }
            }
        };
        let turn = self.turnstile.enter(cancellation).map_err(|refusal| match refusal {
            NoTurn::Closed => Error::Closed,
            NoTurn::Cancelled => Error::Cancelled,
        })?;
        let pool = self.pool.get();
        let mut timeline = Timeline::default();
        let mut at = At { circuit, began, timeline: &mut timeline };
        let proof = if self.settings.verify_proofs {
            self.prove_verified(&pool, srs, &vectors, &randomness, &mut at)?
        } else {
            let quotient = self.quotient(&pool, &vectors, &mut at)?;
            for evaluations in [&mut vectors.a, &mut vectors.b, &mut vectors.c] {
                self.free(std::mem::take(evaluations));
            }
            memory.promise.shrink_to(memory.afterwards);
            self.finish(&pool, srs, &quotient, &vectors, &randomness, &mut at)?
        };
        drop(turn);
        let Vectors { a, b, c, inputs, aux, .. } = vectors;
        for scalars in [a, b, c, inputs, aux] {
            self.free(scalars);
        }
        drop(memory);
        timeline.emit();
        Ok((proof, timeline))
    }

    /// Pooled memory goes back to the pool; other memory is freed where frees stall nobody.
    fn free(&self, scalars: Scalars) {
        const LARGE: usize = 1 << 20;
        let bytes = scalars.memory_bytes();
        if matches!(scalars, Scalars::Owned(_)) && bytes >= LARGE {
            self.deallocator.free(scalars, bytes as u64);
        }
    }

    /// Keeps the evaluations, for a second attempt if the first proof does not verify.
    fn prove_verified(
        &self,
        pool: &ThreadPool,
        srs: &Srs,
        vectors: &Vectors,
        randomness: &Randomness,
        at: &mut At<'_>,
    ) -> Result<Proof> {
        let circuit = at.circuit;
        let key = srs.verifying_key();
        let inputs = vectors.inputs.get(1..).unwrap_or_default();
        let mut attempt = || {
            let quotient = self.quotient(pool, vectors, at)?;
            self.finish(pool, srs, &quotient, vectors, randomness, at)
        };
        let first = attempt()?;
        if key.verify(&first, inputs).is_ok() {
            return Ok(first);
        }
        // The likelier reason by far, and a second attempt would not help against it.
        check_witness(circuit, vectors, pool.size())?;
        tracing::warn!(circuit, "the proof does not verify, making it once more");
        let second = attempt()?;
        match key.verify(&second, inputs) {
            Ok(()) => Ok(second),
            Err(_) => Err(Error::WrongProof { circuit }),
        }
    }

    fn quotient(&self, pool: &ThreadPool, parts: &Vectors, at: &mut At<'_>) -> Result<Quotient> {
        let evaluations = Evaluations { a: &parts.a, b: &parts.b, c: &parts.c };
        at.record(|phases| {
            let memory = self.memory.native();
            supraseal_sys::quotient(pool, memory, &self.native, evaluations, phases)
        })
    }

    fn finish(
        &self,
        pool: &ThreadPool,
        srs: &Srs,
        quotient: &Quotient,
        parts: &Vectors,
        randomness: &Randomness,
        at: &mut At<'_>,
    ) -> Result<Proof> {
        let witness = Witness {
            inputs: &parts.inputs,
            aux: &parts.aux,
            a_aux_density: parts.a_aux_density.words(),
            b_input_density: parts.b_input_density.words(),
            b_aux_density: parts.b_aux_density.words(),
            r: randomness.r(),
            s: randomness.s(),
        };
        let proof = at.record(|phases| {
            let memory = self.memory.native();
            let srs = srs.native();
            supraseal_sys::prove(pool, memory, &self.native, srs, quotient, witness, phases)
        })?;
        Ok(Proof::from(&proof))
    }

    /// Refuses what [`Shared::prove`] would fail on later.
    pub(super) fn check_new(&self, srs: &Srs, assignment: &Assignment) -> Result<()> {
        if self.turnstile.is_closed() {
            return Err(Error::Closed);
        }
        assignment.shape().check_key(&srs.counts())?;
        self.check_witnesses(std::slice::from_ref(assignment))
    }

    pub(super) fn check_witnesses(&self, assignments: &[Assignment]) -> Result<()> {
        if !self.settings.check_witness {
            return Ok(());
        }
        let threads = self.pool.get().size();
        assignments.iter().enumerate().try_for_each(|(i, a)| check_witness(i, a.vectors(), threads))
    }

    /// [`Shared::check_new`], then [`Shared::prove`].
    pub(crate) fn prove_new(
        &self,
        srs: &Srs,
        assignment: Assignment,
        randomness: Randomness,
        began: Instant,
        cancellation: &Cancellation,
    ) -> Result<(Proof, Timeline)> {
        self.check_new(srs, &assignment)?;
        self.prove(srs, Job { circuit: 0, assignment, randomness, began }, cancellation)
    }

    /// Makes a proof that waits give up.
    pub(crate) fn cancel(&self, cancellation: &Cancellation) {
        self.turnstile.cancel(cancellation);
    }
}

/// A proof's right to memory, and what it needs once the evaluations are gone.
struct OwnMemory {
    promise: Promise,
    afterwards: u64,
}

/// Where in a batch, and in time, phases are recorded.
struct At<'a> {
    circuit: usize,
    began: Instant,
    timeline: &'a mut Timeline,
}

impl At<'_> {
    fn record<T>(
        &mut self,
        call: impl FnOnce(&mut Vec<supraseal_sys::Phase>) -> Result<T, supraseal_sys::Error>,
    ) -> Result<T> {
        let offset = self.began.elapsed();
        let mut phases = Vec::new();
        let result = call(&mut phases);
        self.timeline.record(&phases, offset, self.circuit);
        Ok(result?)
    }
}

fn check_witness(circuit: usize, vectors: &Vectors, threads: usize) -> Result<()> {
    match first_unsatisfied(vectors, threads) {
        Some(constraint) => Err(Error::Unsatisfied { circuit, constraint }),
        None => Ok(()),
    }
}
