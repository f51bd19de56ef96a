//! How much memory this process can have.

use crate::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The least of the machine's memory and the cgroups' limits, in bytes.
pub(super) fn available() -> Result<u64> {
    below(Path::new("/")).map_err(|source| Error::Io {
        path: Some(PathBuf::from("/proc/meminfo")),
        operation: "find out how much memory there is; give a budget in bytes".to_owned(),
        source,
    })
}

/// Leaves room for what is not accounted for: the program itself, stacks, small allocations.
pub(super) fn less_margin(bytes: u64) -> u64 {
    const LARGEST: u64 = 4 << 30;
    (bytes - (bytes / 8).min(LARGEST)).max(1)
}

/// As seen in the file system below `root`.
fn below(root: &Path) -> io::Result<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo"))?;
    let total = total_memory(&meminfo)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no MemTotal"))?;
    let cgroups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = cgroups.lines().flat_map(|line| limits_of(root, line));
    Ok(limits.fold(total, u64::min))
}

fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limits of one of the process's cgroups (`hierarchy:controllers:path`) and those above it.
fn limits_of(root: &Path, line: &str) -> Vec<u64> {
    let mut fields = line.splitn(3, ':');
    let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next())
    else {
        return Vec::new();
    };
    let (mount, files): (_, &[&str]) = if controllers.is_empty() {
        ("sys/fs/cgroup", &["memory.max", "memory.high"])
    } else if controllers.split(',').any(|controller| controller == "memory") {
        ("sys/fs/cgroup/memory", &["memory.limit_in_bytes"])
    } else {
        return Vec::new();
    };
    let mount = root.join(mount);
    let group = mount.join(path.trim_start_matches('/'));
    // In a container the path may be the host's, which is not there: the mount is then its own root.
    group
        .ancestors()
        .take_while(|folder| folder.starts_with(&mount))
        .flat_map(|folder| files.iter().filter_map(|file| limit(&folder.join(file))))
        .collect()
}

fn limit(file: &Path) -> Option<u64> {
    // "max", and version 1's number near 2^63, are no limit; the latter is above any machine's memory.
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, content) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, content).expect("written");
        }
        root
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");

    #[test]
    fn without_cgroups_the_machine_decides() {
        assert_eq!(below(tree(&[MEMINFO]).path()).expect("known"), 16 * GIB);
        let unlimited = tree(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/user.slice\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "max\n"),
        ]);
        assert_eq!(below(unlimited.path()).expect("known"), 16 * GIB);
    }

    #[test]
    fn version_2_limits_count_at_every_level() {
        for (group, limits) in [
            ("/a/b", [("a/b/memory.max", "3221225472"), ("a/memory.max", "8589934592")]),
            ("/a/b", [("a/b/memory.max", "max"), ("a/memory.high", "3221225472")]),
            ("/", [("memory.max", "3221225472"), ("a/memory.max", "1")]),
            ("/not/here", [("memory.max", "3221225472"), ("a/memory.max", "1")]),
        ] {
            let cgroup = format!("0::{group}\n");
            let paths = limits.map(|(path, limit)| (format!("sys/fs/cgroup/{path}"), limit));
            let mut files = vec![MEMINFO, ("proc/self/cgroup", cgroup.as_str())];
            files.extend(paths.iter().map(|(path, limit)| (path.as_str(), *limit)));
            assert_eq!(below(tree(&files).path()).expect("known"), 3 * GIB, "{files:?}");
        }
    }

    #[test]
    fn version_1_limits_count_too() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1\n0::/ignored\n"),
            ("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "2147483648\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        assert_eq!(below(tree(&files).path()).expect("known"), 2 * GIB);
    }

    #[test]
    fn what_is_not_there_or_not_understood() {
        let nonsense = tree(&[("proc/meminfo", "MemTotal: lots\n")]);
        assert!(below(nonsense.path()).is_err());
        assert!(below(tree(&[]).path()).is_err());
        let odd = tree(&[MEMINFO, ("proc/self/cgroup", "what:\n::\n\n")]);
        assert_eq!(below(odd.path()).expect("known"), 16 * GIB);
    }

    #[test]
    fn the_margin_is_an_eighth_up_to_four_gibibytes() {
        assert_eq!(less_margin(16 * GIB), 14 * GIB);
        assert_eq!(less_margin(256 * GIB), 252 * GIB);
        assert_eq!(less_margin(0), 1);
    }
}
