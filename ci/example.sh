#!/usr/bin/env bash
# Runs README's main command: a Sapling transaction on Zcash's parameters. It fails by itself when a
# proof does not verify.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo run --release --example sapling
