//! The process's own figures, from Linux's /proc.
//!
//! # Panics
//!
//! Everything here does, on systems without it.

#![allow(clippy::missing_panics_doc)] // said once, above

use std::fs;

fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("readable");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("a known field");
    let number = line.trim_start_matches(':').trim().trim_end_matches("kB").trim();
    number.parse::<u64>().expect("a number") * 1024
}

/// Resident bytes now.
pub fn resident() -> u64 {
    status("VmRSS")
}

/// The most resident bytes since [`reset_peak`].
pub fn peak_resident() -> u64 {
    status("VmHWM")
}

/// Makes [`peak_resident`] start from now.
pub fn reset_peak() {
    fs::write("/proc/self/clear_refs", "5").expect("writable");
}

/// Pages that were brought in without reading from disk.
pub fn minor_faults() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("readable");
    // The name before may contain anything but this.
    let rest = stat.rsplit_once(')').expect("a name").1;
    rest.split_whitespace().nth(7).expect("a field").parse().expect("a number")
}
