#!/usr/bin/env bash
# Runs README's test command: unit, integration, property and documentation tests.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --release --workspace
