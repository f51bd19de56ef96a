//! Compiles `cpp/` and the cxx bridge; checks the pinned upstream sources.
//!
//! Inputs: the headers of sppark and blst (`DEP_SPPARK_ROOT`, `DEP_BLST_C_SRC`), the pinned
//! supraseal-c2 package (found by Cargo, or `SUPRASEAL_C2_DIR`), the features `portable` and
//! `force-adx`. Nothing is downloaded and no CUDA compiler is needed.

#[path = "build/flags.rs"]
mod flags;
#[path = "build/pins.rs"]
mod pins;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/upstream.rs"]
mod upstream;

use std::path::PathBuf;

fn main() {
    if let Err(message) = run() {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")?);
    let cpp = root.join("cpp");
    let sppark = PathBuf::from(env("DEP_SPPARK_ROOT")?);
    let blst = PathBuf::from(env("DEP_BLST_C_SRC")?);
    upstream::check(&root, &sppark, &blst)?;

    let mut bridge = cxx_build::bridge("src/bridge.rs");
    flags::apply(&mut bridge)?;
    bridge.include(&cpp).include(&sppark).include(&blst);
    bridge.files(sources::list(&cpp)?);
    bridge.try_compile("supraseal").map_err(|e| e.to_string())?;
    sources::compile_ifma(&cpp, &sppark, &blst)?;

    println!("cargo:rerun-if-changed=src/bridge.rs");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:include={}", cpp.display());
    Ok(())
}

fn env(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set; is this run by Cargo?"))
}
