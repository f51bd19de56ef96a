//! Which C++ files are compiled, and how.

use crate::flags;
use std::path::{Path, PathBuf};

/// Every `.cc` below `cpp`, sorted so that builds are reproducible, without those that need flags of
/// their own.
pub fn list(cpp: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    collect(cpp, &mut found).map_err(|e| format!("reading {}: {e}", cpp.display()))?;
    found.retain(|path| !IFMA.iter().any(|kernels| path.ends_with(kernels)));
    found.sort();
    Ok(found)
}

const IFMA: [&str; 2] = ["backend/cpu/ifma/kernels.cc", "backend/cpu/ifma/fr_kernels.cc"];

/// The AVX-512 kernels are compiled apart: only they may contain such instructions, and they run only
/// where the processor has them.
pub fn compile_ifma(cpp: &Path, sppark: &Path, blst: &Path) -> Result<(), String> {
    let mut build = cc::Build::new();
    flags::apply(&mut build)?;
    build.include(cpp).include(sppark).include(blst);
    build.files(IFMA.iter().map(|kernels| cpp.join(kernels)));
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64") {
        // GCC 12 takes the undefined registers of its own intrinsics for ours (GCC bug 105593).
        build.flag_if_supported("-Wno-uninitialized");
        for flag in ["-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512ifma", "-mbmi2"] {
            build.flag(flag);
        }
    }
    build.try_compile("supraseal_ifma").map_err(|e| e.to_string())
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "cc") {
            found.push(path);
        }
    }
    Ok(())
}
