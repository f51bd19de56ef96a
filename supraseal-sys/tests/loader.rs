//! The parameter loader where the safe crate does not reach it: sizes that lie, descriptors of other
//! things, points outside the subgroup, and random damage.

use proptest::prelude::*;
use std::fs::File;
use std::io::Write;
use std::sync::LazyLock;
use supraseal_sys::{Error, PointChecks, Section, Srs, SrsFault, ThreadPool};

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads).expect("threads")
}

const G1: usize = 96;
const G2: usize = 192;

/// A well-formed file with `n` points a query: multiples of the generators.
fn file(n: usize) -> Vec<u8> {
    use blstrs::{G1Affine, G2Affine, Scalar};
    use group::Curve;
    use group::prime::PrimeCurveAffine;
    let g1 = |k: usize| {
        let point = (G1Affine::generator() * Scalar::from(k as u64 + 1)).to_affine();
        point.to_uncompressed().as_ref().to_vec()
    };
    let g2 = |k: usize| {
        let point = (G2Affine::generator() * Scalar::from(k as u64 + 1)).to_affine();
        point.to_uncompressed().as_ref().to_vec()
    };
    let mut bytes = Vec::new();
    for point in [g1(0), g1(1), g2(0), g2(1), g1(2), g2(2)] {
        bytes.extend(point);
    }
    for query in 0..5 {
        bytes.extend((n as u32).to_be_bytes());
        (0..n).for_each(|i| bytes.extend(g1(i + query)));
    }
    bytes.extend((n as u32).to_be_bytes());
    (0..n).for_each(|i| bytes.extend(g2(i)));
    bytes
}

/// Where the points of `ic` begin.
const IC: usize = 3 * G1 + 3 * G2 + 4;

fn fault(result: Result<Srs, Error>) -> (Section, u64, SrsFault) {
    match result {
        Err(Error::Srs { section, index, fault, .. }) => (section, index, fault),
        other => panic!("{other:?}"),
    }
}

fn on_disk(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    file
}

#[test]
fn files_and_bytes_are_the_same() {
    let pool = pool(2);
    let bytes = file(5);
    let disk = on_disk(&bytes);
    let size = bytes.len() as u64;
    let from_file = Srs::from_file(&pool, &disk, size, PointChecks::Subgroup).expect("loaded");
    let from_bytes = Srs::from_bytes(&pool, &bytes, PointChecks::OnCurve).expect("loaded");
    assert_eq!(from_file.counts(), from_bytes.counts());
    assert_eq!(from_file.ic(), from_bytes.ic());
    assert_eq!(from_file.verifying_key(), from_bytes.verifying_key());
    // Bytes behind the last section belong to somebody else.
    let longer = [&bytes[..], b"transcript"].concat();
    Srs::from_bytes(&pool, &longer, PointChecks::OnCurve).expect("loaded");
}

#[test]
fn empty_queries_are_a_key() {
    let counts =
        Srs::from_bytes(&pool(1), &file(0), PointChecks::Subgroup).expect("loaded").counts();
    assert_eq!((counts.ic, counts.h, counts.b_g2), (0, 0, 0));
}

#[test]
fn a_file_shorter_than_it_was_is_truncated() {
    let bytes = file(700);
    for threads in [1, 2, 5] {
        for cut in [0, 100, IC - 2, IC + 1, IC + 699 * G1, bytes.len() / 2, bytes.len() - 1] {
            let disk = on_disk(&bytes[..cut]);
            // The size it had when it was looked at.
            let size = bytes.len() as u64;
            let loaded = Srs::from_file(&pool(threads), &disk, size, PointChecks::OnCurve);
            assert_eq!(fault(loaded).2, SrsFault::Truncated, "cut at {cut}");
        }
    }
}

#[test]
fn what_is_no_readable_file_is_an_io_error() {
    let pool = pool(1);
    let folder = tempfile::tempdir().expect("a folder");
    let directory = File::open(folder.path()).expect("opened");
    let write_only = File::create(folder.path().join("file")).expect("created");
    for descriptor in [&directory, &write_only] {
        let loaded = Srs::from_file(&pool, descriptor, 5000, PointChecks::OnCurve);
        assert!(matches!(loaded, Err(Error::Io { code, .. }) if code != 0), "{loaded:?}");
    }
}

#[test]
fn the_subgroup_is_checked_when_asked() {
    // On the curve: 0^3 + 4 = 2^2.
    let mut outside = [0; G1];
    outside[G1 - 1] = 2;
    let mut bytes = file(3);
    bytes[IC + G1..IC + 2 * G1].copy_from_slice(&outside);
    Srs::from_bytes(&pool(1), &bytes, PointChecks::OnCurve).expect("on the curve");
    let refused = fault(Srs::from_bytes(&pool(1), &bytes, PointChecks::Subgroup));
    assert_eq!(refused, (Section::Ic, 1, SrsFault::NotInSubgroup));
}

#[test]
fn pools_are_what_was_asked_for() {
    assert_eq!(pool(3).size(), 3);
    assert!(matches!(ThreadPool::new(0), Err(Error::Shape { expected: 1, got: 0, .. })));
    assert!(matches!(ThreadPool::on_cpus(&[]), Err(Error::Shape { .. })));
    #[cfg(target_os = "linux")]
    assert!(matches!(ThreadPool::on_cpus(&[u32::MAX]), Err(Error::Io { .. })));
}

/// A way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Repeat(prop::sample::Index, usize),
    Remove(prop::sample::Index, usize),
    Count(usize, u32),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        (index(), any::<u8>()).prop_map(|(at, value)| Damage::Set(at, value)),
        (index(), 0..8u8).prop_map(|(at, bit)| Damage::Flip(at, 1 << bit)),
        index().prop_map(Damage::Cut),
        (index(), 1..300usize).prop_map(|(at, n)| Damage::Repeat(at, n)),
        (index(), 1..300usize).prop_map(|(at, n)| Damage::Remove(at, n)),
        (0..6usize, any::<u32>()).prop_map(|(query, count)| Damage::Count(query, count)),
    ]
}

fn apply(bytes: &mut Vec<u8>, points: usize, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Set(at, value) => bytes[at.index(length)] = *value,
        Damage::Flip(at, mask) => bytes[at.index(length)] ^= mask,
        Damage::Cut(at) => bytes.truncate(at.index(length)),
        Damage::Repeat(at, n) => {
            let at = at.index(length);
            let part = bytes[at..length.min(at + n)].to_vec();
            bytes.splice(at..at, part);
        }
        Damage::Remove(at, n) => {
            let at = at.index(length);
            bytes.drain(at..length.min(at + n));
        }
        Damage::Count(query, count) => {
            let at = IC - 4 + query * (4 + points * G1);
            if let Some(field) = bytes.get_mut(at..at + 4) {
                field.copy_from_slice(&count.to_be_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Damaged files give a key or an error, the same on any number of threads, from memory and from
    /// disk.
    #[test]
    fn damaged_files(damages in prop::collection::vec(damage(), 1..4)) {
        const POINTS: usize = 3;
        static INTACT: LazyLock<Vec<u8>> = LazyLock::new(|| file(POINTS));
        let mut bytes = INTACT.clone();
        for damage in &damages {
            apply(&mut bytes, POINTS, damage);
        }
        let outcome = |result: Result<Srs, Error>| result.map(|srs| (srs.counts(), srs.verifying_key()));
        let one = outcome(Srs::from_bytes(&pool(1), &bytes, PointChecks::OnCurve));
        let many = outcome(Srs::from_bytes(&pool(4), &bytes, PointChecks::OnCurve));
        prop_assert_eq!(&one, &many);
        let disk = on_disk(&bytes);
        let size = bytes.len() as u64;
        let disk = outcome(Srs::from_file(&pool(2), &disk, size, PointChecks::OnCurve));
        prop_assert_eq!(&one, &disk);
        if let Err(error) = one {
            let loader_error = matches!(error, Error::Srs { .. });
            prop_assert!(loader_error, "{}", error);
        }
    }
}
