#!/usr/bin/env bash
# Shows that after `cargo fetch` the crates build without the network, and that neither nvcc nor a GPU
# is looked for: a stand-in nvcc that fails is first on the path.
set -euo pipefail
cd "$(dirname "$0")/.."

trap_folder=$(mktemp -d)
trap 'rm -rf "$trap_folder"' EXIT
for compiler in nvcc hipcc; do
    printf '#!/bin/sh\necho "%s was called" >&2\nexit 1\n' "$compiler" >"$trap_folder/$compiler"
    chmod +x "$trap_folder/$compiler"
done

cargo fetch --locked
PATH="$trap_folder:$PATH" CUDA_VISIBLE_DEVICES="" CARGO_TARGET_DIR=target/offline \
    cargo build --locked --offline -p supraseal -p supraseal-sys
