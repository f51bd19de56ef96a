//! Compares upstream files with their pins in `upstream.toml`.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The pin file: packages by name.
pub struct Pins(toml::Table);

/// A file that is not as pinned.
#[derive(Debug, PartialEq, Eq)]
pub struct Drift {
    /// The file, relative to its package.
    pub file: String,
    /// The SHA-256 that is pinned.
    pub expected: String,
    /// That of the file, or why it can't be read.
    pub got: String,
}

impl Pins {
    /// Parses the text of `upstream.toml`.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Pins(text.parse::<toml::Table>().map_err(|e| format!("upstream.toml: {e}"))?))
    }

    /// The pinned version of a package.
    pub fn version(&self, package: &str) -> Result<&str, String> {
        self.0
            .get(package)
            .and_then(|entry| entry.get("version")?.as_str())
            .ok_or_else(|| format!("upstream.toml: {package} has no version"))
    }

    fn files(&self, package: &str) -> Result<BTreeMap<&str, &str>, String> {
        let files = self.0.get(package).and_then(|entry| entry.get("files")?.as_table());
        let files = files.ok_or_else(|| format!("upstream.toml: {package} has no files"))?;
        files
            .iter()
            .map(|(file, hash)| {
                let hash = hash.as_str().filter(|hash| hash.len() == 64);
                let hash = hash.ok_or_else(|| format!("upstream.toml: {file}: not a SHA-256"))?;
                Ok((file.as_str(), hash))
            })
            .collect()
    }

    /// Every file of a package, below `root`, that is not as pinned.
    pub fn compare(&self, package: &str, root: &Path) -> Result<Vec<Drift>, String> {
        let mut drifts = Vec::new();
        for (file, expected) in self.files(package)? {
            let got = std::fs::read(root.join(file)).map_or_else(|e| e.to_string(), |b| hex(&b));
            if got != expected {
                drifts.push(Drift { file: file.to_owned(), expected: expected.to_owned(), got });
            }
        }
        Ok(drifts)
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
