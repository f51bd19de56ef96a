//! What can go wrong, in one type.

use std::io;
use std::path::{Path, PathBuf};
use supraseal_sys::{Section, SrsFault};

/// A shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Every failure of this crate.
///
/// Match on the variant to react; print it, with its [`source`](std::error::Error::source), to tell
/// a person what to do next. Variants and their fields may grow.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The parameters are not acceptable.
    #[error(
        "parameters {}: section {section}, point {index}: {kind}{}; \
         fetch the file again and compare its checksum",
        Origin(path.as_deref()), Detail(detail)
    )]
    #[non_exhaustive]
    Srs {
        /// The file, or `None` for parameters that were given as bytes.
        path: Option<PathBuf>,
        /// The section that the first fault is in.
        section: Section,
        /// The point's index in its section, 0 where the fault is the section's own.
        index: u64,
        /// The kind of fault.
        kind: SrsFault,
        /// Numbers for a person, possibly empty.
        detail: String,
    },
    /// A count is not the one that is needed. Against a key, `expected` is what the key has and
    /// `got` what the circuit has; the usual reason is parameters of another circuit or version.
    #[error("{what}: expected {expected}, got {got}")]
    #[non_exhaustive]
    Shape {
        /// What was counted.
        what: String,
        /// The count that would have been accepted.
        expected: u64,
        /// The count that was given.
        got: u64,
    },
    /// The first value of the inputs is not ONE.
    #[error("input 0 of an assignment must be ONE; put the constant before the public inputs")]
    FirstInputNotOne,
    /// The parts of a batch do not belong together.
    #[error(transparent)]
    BatchMismatch(#[from] BatchMismatch),
    /// The witness does not satisfy the circuit. Looked for only when
    /// [`check_witness`](crate::EngineBuilder::check_witness) or
    /// [`verify_proofs`](crate::EngineBuilder::verify_proofs) is on.
    #[error(
        "circuit {circuit}: the witness does not satisfy constraint {constraint}; \
         look at the values that the circuit was given"
    )]
    #[non_exhaustive]
    Unsatisfied {
        /// The circuit's index in the batch.
        circuit: usize,
        /// The first constraint with `a * b != c`, in the order of synthesis.
        constraint: usize,
    },
    /// The circuit gave up during synthesis.
    #[error("the circuit could not be synthesised; its own error is the source of this one")]
    Synthesis(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A constraint names a variable that this constraint system never allocated.
    #[error(
        "constraint {constraint} uses {kind} variable {index} of {allocated}; \
         use variables of the constraint system that allocated them only"
    )]
    #[non_exhaustive]
    UnknownVariable {
        /// The constraint's index, in the order of synthesis.
        constraint: usize,
        /// `input` or `aux`.
        kind: &'static str,
        /// The index that was used.
        index: usize,
        /// How many variables of the kind there were.
        allocated: usize,
    },
    /// Bytes are not a proof.
    #[error("not a proof: {part}: {fault}")]
    #[non_exhaustive]
    ProofEncoding {
        /// `a`, `b` or `c`, or `proof` where the fault is of the whole.
        part: &'static str,
        /// What is wrong with it.
        fault: EncodingFault,
    },
    /// A proof does not hold for these inputs under this key.
    #[error("the proof does not verify; check the key, the inputs and their order")]
    InvalidProof,
    /// A proof that this machine made does not verify, and a second attempt does not either, though
    /// the witness satisfies the circuit.
    #[error(
        "circuit {circuit}: the proof does not verify and neither does a second one; \
         are these the parameters of this very circuit? If they are, suspect the hardware"
    )]
    #[non_exhaustive]
    WrongProof {
        /// The circuit's index in the batch.
        circuit: usize,
    },
    /// There is not enough host memory: the budget could never hold what is needed, or the system
    /// refused it.
    #[error(
        "not enough host memory{}{}; raise the budget, prove fewer or smaller circuits at once, or \
         add memory",
        Needed(*needed), Budget(*budget)
    )]
    #[non_exhaustive]
    HostMemory {
        /// Bytes that are needed, where known.
        needed: Option<u64>,
        /// The whole budget, where that is the limit.
        budget: Option<u64>,
    },
    /// The budget of a device's memory could never hold what is needed.
    #[error("device {device}: {needed} bytes needed, {free} free; use a device with more memory")]
    #[non_exhaustive]
    DeviceMemory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that were not reserved.
        free: u64,
        /// The device's number.
        device: usize,
    },
    /// The operating system refused something.
    #[error("{operation}{}", OfFile(path.as_deref()))]
    #[non_exhaustive]
    Io {
        /// The file, where there is one.
        path: Option<PathBuf>,
        /// What was attempted.
        operation: String,
        /// Why it failed.
        source: io::Error,
    },
    /// This build cannot run on this machine.
    #[error("{what}; {remedy}")]
    #[non_exhaustive]
    Build {
        /// What does not match.
        what: &'static str,
        /// How to build it so that it does.
        remedy: &'static str,
    },
    /// The engine, or the pipeline, was closed before the proof had its turn.
    #[error("closed: no more work is taken; build another one")]
    Closed,
    /// The proof was given up before it had its turn.
    #[error("the proof was cancelled")]
    Cancelled,
    /// Anything unforeseen, with the phase that it came from. A fault of this library: report it.
    #[error("internal error in {phase}: {message}; please report it")]
    #[non_exhaustive]
    Internal {
        /// The phase of the proof.
        phase: String,
        /// What the native code said.
        message: String,
    },
}

/// How the parts of a batch fail to belong together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchMismatch {
    /// There is nothing to prove.
    #[error("the batch has no circuits; give at least one")]
    Empty,
    /// Each circuit needs its own randomness.
    #[error("{circuits} circuits but randomness for {randomness}; give one for each circuit")]
    Randomness {
        /// Circuits in the batch.
        circuits: usize,
        /// Values of randomness.
        randomness: usize,
    },
    /// All circuits of a batch are proved against one key, so they have one shape.
    #[error(
        "circuit {index} differs from circuit 0 in {what}: expected {expected}, got {got}; \
         prove different circuits in different batches"
    )]
    Shape {
        /// The first circuit that differs from circuit 0.
        index: usize,
        /// What was counted.
        what: &'static str,
        /// Circuit 0's count.
        expected: u64,
        /// This circuit's count.
        got: u64,
    },
    /// The counts agree, but a query has points for other variables.
    #[error(
        "circuit {index} uses other variables than circuit 0 in {what}; \
         a circuit's structure may not depend on its witness"
    )]
    Density {
        /// The first circuit that differs from circuit 0.
        index: usize,
        /// Which density.
        what: &'static str,
    },
}

/// What is wrong with the bytes of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingFault {
    /// There are not [`Proof::SIZE`](crate::Proof::SIZE) bytes.
    #[error("192 bytes are needed, {got} were given")]
    Length {
        /// Bytes given.
        got: usize,
    },
    /// Wrong flag bits, a coordinate beyond the field's modulus, or no point with this coordinate.
    #[error("not the compressed encoding of a point on the curve")]
    NotAPoint,
    /// The point is outside the prime-order subgroup.
    #[error("not in the prime-order subgroup")]
    NotInSubgroup,
    /// The point at infinity, which no proof may hold.
    #[error("the point at infinity")]
    Infinity,
}

impl Error {
    pub(crate) fn shape(what: impl Into<String>, expected: usize, got: usize) -> Self {
        Error::Shape { what: what.into(), expected: expected as u64, got: got as u64 }
    }

    pub(crate) fn io(operation: &str, path: &Path, source: io::Error) -> Self {
        Error::Io { path: Some(path.to_owned()), operation: operation.to_owned(), source }
    }

    /// Names the file that a native error is about.
    pub(crate) fn from_native(error: supraseal_sys::Error, file: Option<&Path>) -> Self {
        use supraseal_sys::Error as Native;
        let path = file.map(Path::to_owned);
        match error {
            Native::Srs { section, index, fault, detail } => {
                Error::Srs { path, section, index, kind: fault, detail }
            }
            Native::Shape { what, expected, got } => Error::Shape { what, expected, got },
            Native::Memory { bytes } => {
                Error::HostMemory { needed: (bytes != 0).then_some(bytes), budget: None }
            }
            Native::Io { code, operation } => {
                Error::Io { path, operation, source: io::Error::from_raw_os_error(code) }
            }
            Native::Internal { phase, message } => Error::Internal { phase, message },
            other => Error::Internal { phase: "bridge".to_owned(), message: other.to_string() },
        }
    }
}

impl From<supraseal_sys::Error> for Error {
    fn from(error: supraseal_sys::Error) -> Self {
        Error::from_native(error, None)
    }
}

struct Origin<'a>(Option<&'a Path>);

impl std::fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(path) => path.display().fmt(f),
            None => f.write_str("in memory"),
        }
    }
}

struct OfFile<'a>(Option<&'a Path>);

impl std::fmt::Display for OfFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |path| write!(f, " {}", path.display()))
    }
}

struct Detail<'a>(&'a str);

impl std::fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0) }
    }
}

struct Needed(Option<u64>);

impl std::fmt::Display for Needed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |bytes| write!(f, ": {bytes} bytes needed"))
    }
}

struct Budget(Option<u64>);

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |bytes| write!(f, ", the budget is {bytes}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crosses_threads() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }

    #[test]
    fn native_errors_keep_their_fields() {
        let native = supraseal_sys::Error::Srs {
            section: Section::H,
            index: 7,
            fault: SrsFault::NotOnCurve,
            detail: String::new(),
        };
        let error = Error::from_native(native, Some(Path::new("spend.params")));
        assert_eq!(
            error.to_string(),
            "parameters spend.params: section h, point 7: the point is not on the curve; \
             fetch the file again and compare its checksum"
        );
        let error = Error::from(supraseal_sys::Error::Memory { bytes: 0 });
        assert!(matches!(error, Error::HostMemory { needed: None, budget: None }));
        let error = Error::from(supraseal_sys::Error::Memory { bytes: 64 });
        assert!(matches!(error, Error::HostMemory { needed: Some(64), budget: None }));
        let error = Error::from(supraseal_sys::Error::Io { code: 2, operation: "open".into() });
        let source = std::error::Error::source(&error).expect("an io error has a source");
        assert!(source.to_string().contains("os error 2"));
    }
}
