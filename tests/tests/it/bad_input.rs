//! What is wrong gets its own error, and does no harm to what comes after.

use crate::parameter_file::{Place, places};
use blstrs::Scalar;
use std::io;
use supraseal::{
    Assignment, BatchMismatch, Engine, Error, Randomness, Section, Srs, SrsFault, bellpepper,
};
use supraseal_tests::circuits::{Generated, Spec, Values};
use supraseal_tests::oracle;

struct Fixture {
    engine: Engine,
    file: Vec<u8>,
    circuit: Generated,
    expected: Vec<u8>,
}

fn spec(constraints: usize, seed: u64) -> Spec {
    Spec { constraints, inputs: 3, aux: 40, values: Values::Dense, unused: 5, seed }
}

fn randomness() -> Randomness {
    Randomness::given(Scalar::from(2), Scalar::from(3))
}

impl Fixture {
    fn new() -> Self {
        let circuit = Generated::new(spec(60, 1));
        let parameters = oracle::parameters(circuit.clone(), 1).expect("parameters");
        let expected =
            oracle::proof(circuit.clone(), &parameters, Scalar::from(2), Scalar::from(3));
        Fixture {
            engine: Engine::builder().check_witness(true).build().expect("built"),
            file: oracle::encoded(&parameters),
            circuit,
            expected: expected.expect("proved"),
        }
    }

    fn srs(&self) -> Srs {
        Srs::from_bytes(&self.engine, &self.file).expect("loaded")
    }

    fn assignment(&self) -> Assignment {
        bellpepper::synthesize(self.circuit.clone()).expect("synthesised")
    }

    /// What went before has left nothing behind.
    fn check_usable(&self) {
        let proof =
            self.engine.prove(&self.srs(), self.assignment(), randomness()).expect("proved");
        assert_eq!(proof.to_bytes()[..], self.expected[..]);
    }

    fn refused(&self, file: &[u8]) -> (Section, u64, SrsFault) {
        match Srs::from_bytes(&self.engine, file) {
            Err(Error::Srs { section, index, kind, path: None, .. }) => (section, index, kind),
            other => panic!("{other:?}"),
        }
    }

    fn refused_after(&self, change: impl FnOnce(&mut [u8])) -> (Section, u64, SrsFault) {
        let mut file = self.file.clone();
        change(&mut file);
        self.refused(&file)
    }

    /// Each section with an index worth a look: the first, the last, one between.
    fn points(&self) -> Vec<(Place, usize)> {
        let indices = |place: &Place| {
            let mut indices = vec![0, place.points / 2, place.points - 1];
            indices.dedup();
            indices
        };
        let places = places(&self.file);
        places.iter().flat_map(|p| indices(p).into_iter().map(|i| (*p, i))).collect()
    }
}

#[test]
fn parameters_of_another_circuit() {
    let fixture = Fixture::new();
    let other = oracle::parameters(Generated::new(spec(90, 2)), 1).expect("parameters");
    let other = Srs::from_bytes(&fixture.engine, &oracle::encoded(&other)).expect("loaded");
    let error = fixture.engine.prove(&other, fixture.assignment(), randomness());
    assert!(matches!(error, Err(Error::Shape { .. })), "{error:?}");
    let error = fixture.engine.start(&other, fixture.assignment(), randomness());
    assert!(matches!(error, Err(Error::Shape { .. })), "{error:?}");
    fixture.check_usable();
}

#[test]
fn truncated_files() {
    let fixture = Fixture::new();
    for place in places(&fixture.file) {
        let mut cuts = vec![place.end() - 1, place.end() - place.point / 2, place.start];
        if place.counted {
            cuts.extend([place.start - 1, place.start - 4]);
        }
        for cut in cuts {
            let (section, _, kind) = fixture.refused(&fixture.file[..cut]);
            assert_eq!((section, kind), (place.section, SrsFault::Truncated), "cut at {cut}");
        }
    }
    let (section, index, kind) = fixture.refused(&[]);
    assert_eq!((section, index, kind), (Section::AlphaG1, 0, SrsFault::Truncated));
    fixture.check_usable();
}

#[test]
fn truncated_files_on_disk() {
    let fixture = Fixture::new();
    let folder = tempfile::tempdir().expect("a folder");
    for place in places(&fixture.file) {
        let path = folder.path().join("cut.params");
        std::fs::write(&path, &fixture.file[..place.end() - 1]).expect("written");
        match fixture.engine.load_srs(&path) {
            Err(Error::Srs { section, kind, path: Some(named), .. }) => {
                assert_eq!((section, kind), (place.section, SrsFault::Truncated));
                assert_eq!(named, path);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn counts_that_overflow() {
    let fixture = Fixture::new();
    for place in places(&fixture.file).into_iter().filter(|place| place.counted) {
        for count in [u32::MAX, u32::MAX / 96 + 1, 1 << 31] {
            let (section, _, kind) = fixture.refused_after(|file| {
                file[place.start - 4..place.start].copy_from_slice(&count.to_be_bytes());
            });
            assert_eq!((section, kind), (place.section, SrsFault::Truncated));
        }
    }
    fixture.check_usable();
}

#[test]
fn queries_of_different_length() {
    let fixture = Fixture::new();
    let last = *places(&fixture.file).last().expect("sections");
    let (section, _, kind) = fixture.refused_after(|file| {
        let count = u32::try_from(last.points).expect("few") - 1;
        file[last.start - 4..last.start].copy_from_slice(&count.to_be_bytes());
    });
    assert_eq!((section, kind), (Section::BG2, SrsFault::LengthMismatch));
}

#[test]
fn bad_points() {
    let fixture = Fixture::new();
    for (place, index) in fixture.points() {
        let at = place.start + index * place.point;
        let end = at + place.point;
        let expect = |kind, change: &dyn Fn(&mut [u8])| {
            let refused = fixture.refused_after(|file| change(&mut file[at..end]));
            assert_eq!(refused, (place.section, index as u64, kind));
        };
        expect(SrsFault::NotOnCurve, &|point| point[place.point - 1] ^= 1);
        for flag in [0x80, 0x20, 0xa0, 0xc0, 0xe0] {
            expect(SrsFault::Flags, &|point| point[0] |= flag);
        }
        expect(SrsFault::Infinity, &|point| {
            point.fill(0);
            point[0] = 0x40;
        });
        expect(SrsFault::Encoding, &|point| point[..48].copy_from_slice(&modulus()));
        expect(SrsFault::Encoding, &|point| point[place.point - 48..].copy_from_slice(&modulus()));
        // Neither flags nor a curve point: what a hole in a downloaded file reads as.
        expect(SrsFault::NotOnCurve, &|point| point.fill(0));
    }
    fixture.check_usable();
}

/// The base field's modulus, the smallest number that is no coordinate.
fn modulus() -> [u8; 48] {
    const DIGITS: &str = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf\
                          6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    std::array::from_fn(|i| u8::from_str_radix(&DIGITS[2 * i..2 * i + 2], 16).expect("hex digits"))
}

#[test]
fn the_first_of_several_faults_is_reported() {
    let fixture = Fixture::new();
    let places = places(&fixture.file);
    let (l, b) = (places[8], places[11]);
    for threads in [1, 2, 7] {
        let engine = Engine::builder().pool_threads(threads).build().expect("built");
        let mut file = fixture.file.clone();
        for place in [b, l] {
            for index in [2, 7] {
                file[place.start + index * place.point + 90] ^= 1;
            }
        }
        match Srs::from_bytes(&engine, &file) {
            Err(Error::Srs { section, index, .. }) => assert_eq!((section, index), (l.section, 2)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn batches_that_do_not_fit() {
    let fixture = Fixture::new();
    let srs = fixture.srs();
    let prove = |circuits, randomness| fixture.engine.prove_batch(&srs, circuits, randomness);
    let error = prove(vec![], vec![]);
    assert!(matches!(error, Err(Error::BatchMismatch(BatchMismatch::Empty))), "{error:?}");
    for count in [0, 1, 3] {
        let circuits = vec![fixture.assignment(), fixture.assignment()];
        let error = prove(circuits, vec![randomness(); count]);
        let Err(Error::BatchMismatch(mismatch)) = error else { panic!("{error:?}") };
        assert_eq!(mismatch, BatchMismatch::Randomness { circuits: 2, randomness: count });
    }
    let other = bellpepper::synthesize(Generated::new(spec(61, 1))).expect("synthesised");
    let error = prove(vec![fixture.assignment(), other], vec![randomness(), randomness()]);
    let Err(Error::BatchMismatch(BatchMismatch::Shape { index: 1, .. })) = error else {
        panic!("{error:?}")
    };
    fixture.check_usable();
}

#[test]
fn unsatisfied_witnesses() {
    let fixture = Fixture::new();
    let wrong = fixture.circuit.clone().with_wrong_witness();
    let wrong = || bellpepper::synthesize(wrong.clone()).expect("synthesised");
    let error = fixture.engine.prove(&fixture.srs(), wrong(), randomness());
    assert!(matches!(error, Err(Error::Unsatisfied { circuit: 0, .. })), "{error:?}");
    let circuits = vec![fixture.assignment(), wrong()];
    let error =
        fixture.engine.prove_batch(&fixture.srs(), circuits, vec![randomness(), randomness()]);
    assert!(matches!(error, Err(Error::Unsatisfied { circuit: 1, .. })), "{error:?}");
    fixture.check_usable();
}

#[test]
fn files_that_are_not_there() {
    let fixture = Fixture::new();
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.params");
    for (path, kind) in
        [(missing.as_path(), io::ErrorKind::NotFound), (folder.path(), io::ErrorKind::IsADirectory)]
    {
        match fixture.engine.load_srs(path) {
            Err(Error::Io { source, path: Some(named), .. }) => {
                assert_eq!(source.kind(), kind);
                assert_eq!(named, path);
            }
            other => panic!("{other:?}"),
        }
    }
    fixture.check_usable();
}
