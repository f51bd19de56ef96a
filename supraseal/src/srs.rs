//! Proving keys.

use crate::{Engine, Error, Reservation, Result, SrsCounts, VerifyingKey};
use scopeguard::{ScopeGuard, guard};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A proving key (the "parameters" of bellman and bellperson), loaded and checked. Cloning shares
/// it; it is freed with its last clone, and outlives the engine that loaded it.
#[derive(Clone, Debug)]
pub struct Srs(Arc<ScopeGuard<Loaded, Free>>);

#[derive(Debug)]
struct Loaded {
    native: supraseal_sys::Srs,
    // Behind the memory that it stands for.
    reservation: Reservation,
}

type Free = Box<dyn FnOnce(Loaded) + Send + Sync>;

impl Srs {
    /// Loads a file that `Parameters::write` of bellman or bellperson wrote, or one of Zcash's: bytes
    /// after the last section are ignored. Points are checked as
    /// [`EngineBuilder::point_checks`](crate::EngineBuilder::point_checks) says, on the threads of
    /// `engine`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when `path` cannot be opened or is not a regular file; [`Error::Srs`] with the
    /// first fault in its content; [`Error::HostMemory`].
    pub fn load(engine: &Engine, path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let _span = tracing::debug_span!("load_srs", path = %path.display()).entered();
        // Before opening: to open a named pipe is to wait for its writer.
        let before = fs::metadata(path).map_err(|e| Error::io("find parameters", path, e))?;
        require_regular(path, &before)?;
        let file = File::open(path).map_err(|e| Error::io("open parameters", path, e))?;
        let opened = file.metadata().map_err(|e| Error::io("look at parameters", path, e))?;
        require_regular(path, &opened)?;
        let reservation = reserve(engine, opened.len())?;
        supraseal_sys::Srs::from_file(&engine.pool(), &file, opened.len(), engine.checks())
            .map(|native| Srs::new(engine, native, reservation))
            .map_err(|error| Error::from_native(error, Some(path)))
    }

    /// As [`Srs::load`], from a file's content in memory. The bytes are not needed afterwards.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`] with the first fault; [`Error::HostMemory`].
    pub fn from_bytes(engine: &Engine, bytes: &[u8]) -> Result<Self> {
        let _span = tracing::debug_span!("load_srs", bytes = bytes.len()).entered();
        let reservation = reserve(engine, bytes.len() as u64)?;
        let native = supraseal_sys::Srs::from_bytes(&engine.pool(), bytes, engine.checks())?;
        Ok(Srs::new(engine, native, reservation))
    }

    // With its last clone the key goes to the deallocation thread.
    fn new(engine: &Engine, native: supraseal_sys::Srs, reservation: Reservation) -> Self {
        let deallocator = engine.deallocator().clone();
        let free: Free = Box::new(move |loaded: Loaded| {
            let bytes = loaded.reservation.bytes();
            deallocator.free(loaded, bytes);
        });
        Srs(Arc::new(guard(Loaded { native, reservation }, free)))
    }

    /// Points in each section.
    pub fn counts(&self) -> SrsCounts {
        self.native().counts()
    }

    /// The part of the key that verifiers need.
    pub fn verifying_key(&self) -> VerifyingKey {
        let points = self.native().verifying_key();
        VerifyingKey {
            alpha_g1: points.alpha_g1.into(),
            beta_g1: points.beta_g1.into(),
            beta_g2: points.beta_g2.into(),
            gamma_g2: points.gamma_g2.into(),
            delta_g1: points.delta_g1.into(),
            delta_g2: points.delta_g2.into(),
            ic: self.native().ic().iter().map(|point| (*point).into()).collect(),
        }
    }

    pub(crate) fn native(&self) -> &supraseal_sys::Srs {
        &self.0.native
    }
}

/// A key takes as much memory as its file.
fn reserve(engine: &Engine, bytes: u64) -> Result<Reservation> {
    Ok(engine.budget().host().acquire(bytes)?.lasting())
}

fn require_regular(path: &Path, metadata: &fs::Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind =
        if metadata.is_dir() { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
    let why = io::Error::new(kind, "not a regular file; give the parameter file itself");
    Err(Error::io("open parameters", path, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        Engine::builder().pool_threads(1).build().expect("an engine")
    }

    #[test]
    fn missing_files_and_directories_are_io_errors() {
        let engine = engine();
        let directory = std::env::temp_dir();
        let missing = directory.join("supraseal-no-such-file.params");
        for (path, kind) in [
            (missing.as_path(), io::ErrorKind::NotFound),
            (directory.as_path(), io::ErrorKind::IsADirectory),
            (Path::new("/dev/null"), io::ErrorKind::InvalidInput),
        ] {
            match Srs::load(&engine, path) {
                Err(Error::Io { path: Some(named), source, .. }) => {
                    assert_eq!((named.as_path(), source.kind()), (path, kind));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
