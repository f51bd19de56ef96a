#!/usr/bin/env bash
# Runs a bench; arguments are passed on (--help lists them). Without a name it is `prove`, ours
# against the other provers; `ci/bench.sh owners` shows what the owners of memory and threads buy. On
# x86-64 arkworks' assembly is used only when the program is compiled for ADX and BMI2, so that it is,
# where this machine has them; a target folder of its own keeps that from rebuilding everything else.
set -euo pipefail
cd "$(dirname "$0")/.."

bench=prove
case "${1:-}" in
prove | owners)
    bench=$1
    shift
    ;;
esac
if [ "$(uname -m)" = x86_64 ] && grep -qw adx /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then
    export RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+adx,+bmi2"
fi
CARGO_TARGET_DIR=target/bench exec cargo bench -p supraseal-tests --bench "$bench" -- "$@"
