#!/usr/bin/env bash
# Runs the loom models: every interleaving of a few threads at the locks of the owners of memory. No
# lost wake-up, no byte credited twice, no request starved.
set -euo pipefail
cd "$(dirname "$0")/.."

RUSTFLAGS="${RUSTFLAGS:-} --cfg loom" CARGO_TARGET_DIR=target/loom \
    cargo test --release -p supraseal --lib loom
