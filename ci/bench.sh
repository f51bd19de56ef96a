#!/usr/bin/env bash
# Runs the bench against the other provers; arguments are passed on (--help lists them). On x86-64
# arkworks' assembly is used only when the program is compiled for ADX and BMI2, so that it is, where
# this machine has them; a target folder of its own keeps that from rebuilding everything else.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -m)" = x86_64 ] && grep -qw adx /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then
    export RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+adx,+bmi2"
fi
CARGO_TARGET_DIR=target/bench exec cargo bench -p supraseal-tests --bench prove -- "$@"
