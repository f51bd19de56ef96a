//! Locates the pinned upstream packages and checks them against `upstream.toml`.

use crate::pins::{Drift, Pins};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const OVERRIDE: &str = "SUPRASEAL_C2_DIR";

/// Headers that are compiled in must be the pinned ones, and so must the sources of supraseal-c2
/// wherever they are unpacked.
pub fn check(manifest: &Path, sppark: &Path, blst: &Path) -> Result<(), String> {
    println!("cargo:rerun-if-changed=upstream.toml");
    println!("cargo:rerun-if-env-changed={OVERRIDE}");
    let path = manifest.join("upstream.toml");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let pins = Pins::parse(&text)?;
    for (package, root) in [("sppark", sppark), ("blst", blst)] {
        refuse(package, root, &pins.compare(package, root)?)?;
    }
    if let Some(folder) = env::var_os(OVERRIDE) {
        let folder = PathBuf::from(folder);
        if !folder.is_dir() {
            return Err(format!("{OVERRIDE}: {} is not a folder", folder.display()));
        }
        for drift in pins.compare("supraseal-c2", &folder)? {
            println!("cargo:warning={OVERRIDE}: {}", describe(&drift));
        }
    } else if let Some(folder) = locate(manifest, sppark, pins.version("supraseal-c2")?) {
        refuse("supraseal-c2", &folder, &pins.compare("supraseal-c2", &folder)?)?;
    } else {
        // Cargo unpacks what a build needs, and this build does not need it: only `cargo fetch` has
        // it for certain. Seen with `cargo build -vv`.
        println!("supraseal-c2 is not unpacked here; `cargo fetch` does that");
    }
    Ok(())
}

fn refuse(package: &str, root: &Path, drifts: &[Drift]) -> Result<(), String> {
    if drifts.is_empty() {
        return Ok(());
    }
    let files: Vec<_> = drifts.iter().map(describe).collect();
    Err(format!(
        "{package} in {} is not the pinned one:\n  {}\n\
         Restore the package (`cargo clean`, `cargo fetch --locked`), or, to move to another version, \
         change upstream.toml with Cargo.toml and run the tests.",
        root.display(),
        files.join("\n  ")
    ))
}

fn describe(drift: &Drift) -> String {
    format!("{}: pinned {}, found {}", drift.file, drift.expected, drift.got)
}

/// Cargo unpacks packages side by side, in its registry as in a vendor folder, so that this one is
/// sppark's neighbour; where it is not, `cargo metadata` knows.
fn locate(manifest: &Path, sppark: &Path, version: &str) -> Option<PathBuf> {
    let packages = sppark.parent()?.parent()?;
    [format!("supraseal-c2-{version}"), "supraseal-c2".to_owned()]
        .iter()
        .map(|name| packages.join(name))
        .chain(from_metadata(manifest))
        .find(|folder| folder.join("cuda").is_dir())
}

fn from_metadata(manifest: &Path) -> Option<PathBuf> {
    let cargo = env::var_os("CARGO")?;
    let arguments = ["metadata", "--locked", "--offline", "--format-version", "1"];
    let output = Command::new(cargo).current_dir(manifest).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    // Of this large document one string is wanted: the manifest path that ends in the package's name.
    let path = text.split("\"manifest_path\":\"").skip(1).find_map(|rest| {
        let path = rest.split('"').next()?;
        let folder = Path::new(path).parent()?;
        let name = folder.file_name()?.to_str()?;
        (name == "supraseal-c2" || name.starts_with("supraseal-c2-")).then(|| folder.to_owned())
    });
    path.filter(|folder| folder.is_dir())
}
