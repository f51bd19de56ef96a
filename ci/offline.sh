#!/usr/bin/env bash
# Shows that after `cargo fetch` the crates build without the network, without a CUDA compiler and
# without a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fetch --locked

# sppark's build script uses nvcc or hipcc where it finds one: here it must not.
path=
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    if [ ! -x "$folder/nvcc" ] && [ ! -x "$folder/hipcc" ]; then
        path+=${path:+:}$folder
    fi
done
PATH=$path CUDA_VISIBLE_DEVICES="" CARGO_TARGET_DIR=target/offline \
    cargo build --locked --offline -p supraseal -p supraseal-sys
