//! A proof that is being made.

use super::shared::{Job, Shared};
use super::turn::Cancellation;
use crate::{Error, Proof, Result, Srs, Timeline};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};

/// A proof that is being made in the background: [`Engine::start`](crate::Engine::start).
///
/// It owns everything the proof needs, by itself or by reference count, so that the engine and the
/// key may be dropped while it is pending. Dropping it instead of finishing gives the proof up:
/// before its turn at once, later after it has ended. Leaking it leaks this handle; the proof ends
/// and its memory is freed.
#[must_use = "dropping a pending proof gives it up"]
#[derive(Debug)]
pub struct PendingProof {
    // Weak, so that a leaked handle does not leak the engine.
    shared: Weak<Shared>,
    cancellation: Cancellation,
    // None once joined.
    thread: Option<JoinHandle<Result<(Proof, Timeline)>>>,
}

impl PendingProof {
    pub(super) fn start(shared: &Arc<Shared>, srs: Srs, job: Job) -> Result<Self> {
        let cancellation = Cancellation::default();
        let thread = {
            let (shared, cancellation) = (shared.clone(), cancellation.clone());
            thread::Builder::new()
                .name("supraseal-proof".to_owned())
                .spawn(move || shared.prove(&srs, job, &cancellation))
                .map_err(|source| Error::Io {
                    path: None,
                    operation: "create a thread for a proof".to_owned(),
                    source,
                })?
        };
        Ok(PendingProof { shared: Arc::downgrade(shared), cancellation, thread: Some(thread) })
    }

    /// Whether [`finish`](PendingProof::finish) would return at once.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the proof. May be called on any thread.
    ///
    /// # Errors
    ///
    /// As [`Engine::prove`](crate::Engine::prove), and [`Error::Closed`] when the engine was closed
    /// before the proof had its turn.
    pub fn finish(self) -> Result<Proof> {
        Ok(self.finish_timed()?.0)
    }

    /// [`PendingProof::finish`], and what took how long.
    ///
    /// # Errors
    ///
    /// As [`PendingProof::finish`].
    pub fn finish_timed(mut self) -> Result<(Proof, Timeline)> {
        // Taken only here and by drop, which comes after.
        let thread = self.thread.take().ok_or(Error::Closed)?;
        thread.join().unwrap_or_else(|_| {
            Err(Error::Internal {
                phase: "proof thread".to_owned(),
                message: "the thread panicked".to_owned(),
            })
        })
    }
}

impl Drop for PendingProof {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            if let Some(shared) = self.shared.upgrade() {
                shared.cancel(&self.cancellation);
            }
            // Nobody is left to be told how it ended.
            let _ = thread.join();
        }
    }
}
