//! The check of upstream's files: what is pinned is what is on disk, and what is not is told.

#[path = "../build/pins.rs"]
mod pins;

use pins::{Drift, Pins};
use std::fs;

const HELLO: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

fn pins() -> Pins {
    let text = format!("[up]\nversion = \"1.2\"\n[up.files]\n\"a/b.h\" = \"{HELLO}\"\n");
    Pins::parse(&text).expect("well-formed")
}

#[test]
fn files_as_pinned_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("a")).expect("created");
    fs::write(folder.path().join("a/b.h"), "hello").expect("written");
    fs::write(folder.path().join("unrelated.h"), "whatever").expect("written");
    assert_eq!(pins().compare("up", folder.path()), Ok(vec![]));
    assert_eq!(pins().version("up"), Ok("1.2"));
}

#[test]
fn changed_and_missing_files_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let drifts = pins().compare("up", folder.path()).expect("compared");
    let [Drift { file, expected, .. }] = drifts.as_slice() else { panic!("{drifts:?}") };
    assert_eq!((file.as_str(), expected.as_str()), ("a/b.h", HELLO));

    fs::create_dir(folder.path().join("a")).expect("created");
    fs::write(folder.path().join("a/b.h"), "hello!").expect("written");
    let drifts = pins().compare("up", folder.path()).expect("compared");
    let [Drift { got, .. }] = drifts.as_slice() else { panic!("{drifts:?}") };
    assert_eq!(got.len(), 64);
    assert_ne!(got, HELLO);
}

#[test]
fn faults_of_the_pin_file_are_errors() {
    assert!(Pins::parse("[up").is_err());
    assert!(pins().compare("down", std::path::Path::new(".")).is_err());
    assert!(pins().version("down").is_err());
    let short = Pins::parse("[up.files]\n\"a.h\" = \"2cf2\"\n").expect("well-formed");
    assert!(short.compare("up", std::path::Path::new(".")).is_err());
}

#[test]
fn the_committed_pins_name_what_the_code_relies_on() {
    let pins = Pins::parse(include_str!("../upstream.toml")).expect("well-formed");
    for (package, version) in [("supraseal-c2", "0.1.2"), ("sppark", "0.1.16"), ("blst", "0.3.17")]
    {
        assert_eq!(pins.version(package), Ok(version));
        // A folder with nothing in it misses every file.
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!pins.compare(package, folder.path()).expect("compared").is_empty());
    }
}
