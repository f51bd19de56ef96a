//! What an engine and its pending proofs share, and how a proof is made of it.

use super::EngineBuilder;
use super::pool::PoolSlot;
use super::turn::{Cancellation, NoTurn, Turnstile};
use crate::assignment::Vectors;
use crate::memory::{HintTable, Pool, Promise, Scalars};
use crate::witness::first_unsatisfied;
use crate::{
    Assignment, Deallocator, Error, MemoryBudget, Proof, Randomness, Result, Srs, Throttle,
    Timeline,
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
    // Shared with the syntheses that poll it.
    pub(super) throttle: Arc<Throttle>,
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
    /// Makes the proofs of a batch, in turn. An assignment that was synthesised on this engine has the
    /// right to the memory that its proof needs; the others are proved before it with the same right,
    /// instead of waiting for more while it is held.
    pub(super) fn prove_all(&self, srs: &Srs, jobs: Vec<Job>) -> Result<(Vec<Proof>, Timeline)> {
        let (own, others): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.assignment.promise_of(&self.memory).is_some());
        let mut done = Vec::with_capacity(own.len() + others.len());
        let never = Cancellation::default();
        let lent = own.first().and_then(|job| job.assignment.promise_of(&self.memory));
        for job in others {
            done.push((job.circuit, self.prove_in(srs, job, lent, &never)?));
        }
        for job in own {
            done.push((job.circuit, self.prove(srs, job, &never)?));
        }
        done.sort_by_key(|(circuit, _)| *circuit);
        let mut timeline = Timeline::default();
        let mut proofs = Vec::with_capacity(done.len());
        for (_, (proof, phases)) in done {
            proofs.push(proof);
            timeline.append(phases);
        }
        Ok((proofs, timeline))
    }

    /// Waits for a turn and makes the proof. The evaluations are freed as soon as H is done.
    pub(super) fn prove(
        &self,
        srs: &Srs,
        job: Job,
        cancellation: &Cancellation,
    ) -> Result<(Proof, Timeline)> {
        self.prove_in(srs, job, None, cancellation)
    }

    /// [`Shared::prove`], with the right to memory of somebody else's proof of this shape if the
    /// assignment has none.
    fn prove_in(
        &self,
        srs: &Srs,
        job: Job,
        lent: Option<&Promise>,
        cancellation: &Cancellation,
    ) -> Result<(Proof, Timeline)> {
        let _span = tracing::debug_span!("prove", circuit = job.circuit).entered();
        let Job { circuit, assignment, randomness, began } = job;
        let shape = assignment.shape();
        // The need of memory follows from the pool's size: this pool it is, whatever becomes of it.
        let pool = self.pool.get();
        let threads = pool.size();
        let (mut vectors, promise) = assignment.into_vectors();
        // The right to the working memory comes before the turn, so that nobody waits for memory while
        // others wait for the turn.
        let mut memory = match promise {
            Some(mut promise) if Arc::ptr_eq(promise.pool(), &self.memory) => {
                let (needed, afterwards) = shape.memory(threads).of_assignment();
                promise.grow_to(needed)?;
                Some(OwnMemory { promise, afterwards })
            }
            _ if lent.is_some() => None,
            _ => {
                let (needed, afterwards) = shape.memory(threads).of_scratch();
                Some(OwnMemory { promise: self.memory.promise(needed)?, afterwards })
            }
        };
        let turn = match self.turnstile.enter(cancellation) {
            Ok(turn) => turn,
            Err(refusal) => {
                // Before the right to it.
                drop(vectors);
                return Err(match refusal {
                    NoTurn::Closed => Error::Closed,
                    NoTurn::Cancelled => Error::Cancelled,
                });
            }
        };
        let mut timeline = Timeline::default();
        let mut at = At { circuit, began, timeline: &mut timeline };
        let proof = if self.settings.verify_proofs {
            self.prove_verified(&pool, srs, &vectors, &randomness, &mut at)?
        } else {
            let quotient = self.quotient(&pool, &vectors, &mut at)?;
            for evaluations in [&mut vectors.a, &mut vectors.b, &mut vectors.c] {
                self.free(std::mem::take(evaluations));
            }
            if let Some(memory) = &mut memory {
                memory.promise.shrink_to(memory.afterwards);
            }
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
        let elsewhere = matches!(scalars, Scalars::Owned(_)) && !self.settings.free_in_place;
        if elsewhere && bytes >= LARGE {
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
        let _hold = self.settings.throttle_synthesis.then(|| self.throttle.hold());
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
