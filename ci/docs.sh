#!/usr/bin/env bash
# Shows that the documentation builds without a warning: no missing docs, no broken links.
set -euo pipefail
cd "$(dirname "$0")/.."

export RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -D warnings"
cargo doc --locked --workspace --no-deps --features supraseal/bellman
