//! Errors of the C++ side, and the only parser of their wire form (`cpp/core/error.h`).

use std::fmt;

/// A section of the parameter file, in the file's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // the names are the field's
pub enum Section {
    AlphaG1,
    BetaG1,
    BetaG2,
    GammaG2,
    DeltaG1,
    DeltaG2,
    Ic,
    H,
    L,
    A,
    BG1,
    BG2,
}

impl Section {
    const ALL: [(Section, &'static str); 12] = [
        (Section::AlphaG1, "alpha_g1"),
        (Section::BetaG1, "beta_g1"),
        (Section::BetaG2, "beta_g2"),
        (Section::GammaG2, "gamma_g2"),
        (Section::DeltaG1, "delta_g1"),
        (Section::DeltaG2, "delta_g2"),
        (Section::Ic, "ic"),
        (Section::H, "h"),
        (Section::L, "l"),
        (Section::A, "a"),
        (Section::BG1, "b_g1"),
        (Section::BG2, "b_g2"),
    ];
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Section::ALL.iter().find(|(section, _)| section == self).map_or("?", |e| e.1);
        f.write_str(name)
    }
}

/// What is wrong with a parameter file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SrsFault {
    /// The file ends before the section does.
    Truncated,
    /// The flag bits of a point's first byte are not those of an uncompressed finite point.
    Flags,
    /// A coordinate is not below the field's modulus.
    Encoding,
    /// The point is not on the curve.
    NotOnCurve,
    /// The point is on the curve but outside the prime-order subgroup.
    NotInSubgroup,
    /// The point at infinity, which no section may hold.
    Infinity,
    /// Two sections that must have equal length do not.
    LengthMismatch,
}

impl SrsFault {
    const ALL: [(SrsFault, &'static str); 7] = [
        (SrsFault::Truncated, "truncated"),
        (SrsFault::Flags, "flags"),
        (SrsFault::Encoding, "encoding"),
        (SrsFault::NotOnCurve, "not_on_curve"),
        (SrsFault::NotInSubgroup, "not_in_subgroup"),
        (SrsFault::Infinity, "infinity"),
        (SrsFault::LengthMismatch, "length_mismatch"),
    ];
}

impl fmt::Display for SrsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SrsFault::Truncated => "the file ends inside the section",
            SrsFault::Flags => "flag bits of a point that is not an uncompressed finite one",
            SrsFault::Encoding => "a coordinate is not below the field modulus",
            SrsFault::NotOnCurve => "the point is not on the curve",
            SrsFault::NotInSubgroup => "the point is not in the prime-order subgroup",
            SrsFault::Infinity => "the point at infinity",
            SrsFault::LengthMismatch => "two sections differ in length",
        })
    }
}

/// An error of the C++ side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter file is not acceptable.
    #[error("section {section}, point {index}: {fault} ({detail})")]
    Srs {
        /// The section the fault is in.
        section: Section,
        /// The point's index in the section; 0 where the fault is the section's own.
        index: u64,
        /// The kind of fault.
        fault: SrsFault,
        /// Numbers and bytes, for a person.
        detail: String,
    },
    /// A count does not fit: a slice of the circuit against the key, or a pool of no threads.
    #[error("{what}: expected {expected}, got {got}")]
    Shape {
        /// What was counted.
        what: String,
        /// The count that would have been accepted.
        expected: u64,
        /// The count that was given.
        got: u64,
    },
    /// An allocation was refused. `bytes` is 0 where the size is not known.
    #[error("host memory exhausted while allocating {bytes} bytes")]
    Memory {
        /// The size asked for.
        bytes: u64,
    },
    /// The operating system refused something.
    #[error("{operation}: {}", std::io::Error::from_raw_os_error(*code))]
    Io {
        /// The `errno` value.
        code: i32,
        /// What was attempted.
        operation: String,
    },
    /// Anything else that was thrown, with the phase it was thrown in.
    #[error("internal error in {phase}: {message}")]
    Internal {
        /// The phase of the proof, or `bridge`.
        phase: String,
        /// What the exception said.
        message: String,
    },
}

impl Error {
    /// Parses the wire form. Total: what does not parse becomes [`Error::Internal`] with the text.
    pub(crate) fn from_wire(wire: &str) -> Error {
        parse(wire).unwrap_or_else(|| Error::Internal {
            phase: "bridge".to_owned(),
            message: wire.to_owned(),
        })
    }
}

impl From<cxx::Exception> for Error {
    fn from(exception: cxx::Exception) -> Self {
        Error::from_wire(exception.what())
    }
}

fn parse(wire: &str) -> Option<Error> {
    let mut fields = wire.split('\x1f');
    let kind = fields.next()?;
    let mut next = || fields.next();
    let error = match kind {
        "srs" => {
            let section = next()?;
            let index = next()?.parse().ok()?;
            let fault = next()?;
            Error::Srs {
                section: Section::ALL.iter().find(|e| e.1 == section)?.0,
                index,
                fault: SrsFault::ALL.iter().find(|e| e.1 == fault)?.0,
                detail: next()?.to_owned(),
            }
        }
        "shape" => Error::Shape {
            what: next()?.to_owned(),
            expected: next()?.parse().ok()?,
            got: next()?.parse().ok()?,
        },
        "memory" => Error::Memory { bytes: next()?.parse().ok()? },
        "io" => Error::Io { code: next()?.parse().ok()?, operation: next()?.to_owned() },
        "internal" => Error::Internal { phase: next()?.to_owned(), message: next()?.to_owned() },
        _ => return None,
    };
    if next().is_some() { None } else { Some(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_parses() {
        for (section, section_name) in Section::ALL {
            for (fault, fault_name) in SrsFault::ALL {
                let wire = format!("srs\x1f{section_name}\x1f17\x1f{fault_name}\x1fdetail");
                let expected =
                    Error::Srs { section, index: 17, fault, detail: "detail".to_owned() };
                assert_eq!(Error::from_wire(&wire), expected);
            }
        }
        assert_eq!(Error::from_wire("memory\x1f9"), Error::Memory { bytes: 9 });
        assert_eq!(
            Error::from_wire("io\x1f11\x1fx"),
            Error::Io { code: 11, operation: "x".to_owned() }
        );
        assert_eq!(
            Error::from_wire("shape\x1fh\x1f1\x1f2"),
            Error::Shape { what: "h".to_owned(), expected: 1, got: 2 }
        );
    }

    #[test]
    fn what_does_not_parse_keeps_its_text() {
        for wire in ["", "srs", "srs\x1fh\x1f-1\x1fflags\x1f", "memory\x1f1\x1f2", "what is this"] {
            assert_eq!(
                Error::from_wire(wire),
                Error::Internal { phase: "bridge".to_owned(), message: wire.to_owned() }
            );
        }
    }
}
