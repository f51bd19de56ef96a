#!/usr/bin/env bash
# Shows that clippy has nothing to say: the whole workspace with all its targets, then the safe crate
# with each front-end alone and with neither.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo clippy --locked --workspace --all-targets -- -D warnings
for features in "" bellpepper bellman; do
    cargo clippy --locked -p supraseal --lib --no-default-features --features "$features" -- -D warnings
done
