#!/usr/bin/env bash
# Shows that Rust and C++ are formatted as rustfmt.toml and .clang-format say. `ci/fmt.sh --fix`
# formats instead. clang-format comes from PyPI, pinned, into target/.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format_version=20.1.8
tools=target/tools/clang-format-$clang_format_version
if [ ! -x "$tools/bin/clang-format" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "clang-format==$clang_format_version"
fi

rust_mode=(--check) cpp_mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then
    rust_mode=() cpp_mode=(-i)
fi
cargo fmt --all -- "${rust_mode[@]}"
find cpp -name '*.h' -o -name '*.cc' | sort | xargs "$tools/bin/clang-format" "${cpp_mode[@]}"
