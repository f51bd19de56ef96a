//! Compiler flags for everything of ours, and blst's choice of assembly.

use std::env;

/// Applies the flags every translation unit shares.
pub fn apply(build: &mut cc::Build) -> Result<(), String> {
    let arch = target("ARCH");
    let width = target("POINTER_WIDTH");
    if width != "64" || target("ENDIAN") != "little" {
        return Err(format!("target {arch} is not supported: 64-bit little-endian only"));
    }
    build.cpp(true).std("c++17").warnings(true).extra_warnings(true);
    // Sections of proving keys are hundreds of megabytes: even a debug build wants optimised code.
    build.opt_level(3);
    build.flag_if_supported("-fvisibility=hidden").flag_if_supported("-fvisibility-inlines-hidden");
    // sppark's field types take static constants as template arguments.
    build.flag_if_supported("-Wno-subobject-linkage");
    match blst_assembly(&arch)? {
        Assembly::Adx => build.define("__ADX__", None),
        Assembly::Portable => build.define("__BLST_PORTABLE__", None),
        Assembly::Plain => build,
    };
    Ok(())
}

enum Assembly {
    Adx,
    Portable,
    Plain,
}

/// Which of blst's entry points exist depends on how blst was compiled, so the rule of its build
/// script is followed: features first, then `-C target-cpu`, then the machine that builds.
fn blst_assembly(arch: &str) -> Result<Assembly, String> {
    let feature = |name: &str| env::var_os(format!("CARGO_FEATURE_{name}")).is_some();
    if feature("PORTABLE") && feature("FORCE_ADX") {
        return Err("the features `portable` and `force-adx` exclude each other".to_owned());
    }
    if arch != "x86_64" {
        return Ok(Assembly::Plain);
    }
    if feature("PORTABLE") {
        return Ok(Assembly::Portable);
    }
    if feature("FORCE_ADX") {
        return Ok(Assembly::Adx);
    }
    if env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("target-cpu=")) {
        let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
        let has = |name: &str| features.split(',').any(|feature| feature == name);
        return Ok(match (has("ssse3"), has("adx")) {
            (false, _) => Assembly::Portable,
            (true, true) => Assembly::Adx,
            (true, false) => Assembly::Plain,
        });
    }
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("adx") {
        return Ok(Assembly::Adx);
    }
    Ok(Assembly::Plain)
}

fn target(what: &str) -> String {
    env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default()
}
