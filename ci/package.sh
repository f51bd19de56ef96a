#!/usr/bin/env bash
# Shows that what would be published builds: packs both crates, unpacks the tarballs into a scratch
# folder, looks for the files a user needs, and builds each crate from its tarball, the safe one with
# the other's tarball in place of the registry's.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
export CARGO_TARGET_DIR=$PWD/target/package-check
rm -rf "$CARGO_TARGET_DIR/package"
cargo package --locked --no-verify --allow-dirty -p supraseal-sys -p supraseal

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for crate in supraseal-sys supraseal; do
    tar -xf "$CARGO_TARGET_DIR/package/$crate-$version.crate" -C "$scratch"
    for file in LICENSE NOTICE README.md; do
        [ -f "$scratch/$crate-$version/$file" ] || { echo "$crate lacks $file" >&2; exit 1; }
    done
done
if [ -n "$(find "$scratch" -type l)" ]; then
    echo "links in a tarball:" >&2
    find "$scratch" -type l >&2
    exit 1
fi
for file in upstream.toml cpp/bridge/bridge.h cpp/backend/cpu/ifma/kernels.cc; do
    [ -f "$scratch/supraseal-sys-$version/$file" ] || { echo "supraseal-sys lacks $file" >&2; exit 1; }
done

sys=$scratch/supraseal-sys-$version
cargo build --manifest-path "$sys/Cargo.toml"
cargo build --manifest-path "$scratch/supraseal-$version/Cargo.toml" --features bellman \
    --config "patch.crates-io.supraseal-sys.path='$sys'"
echo "both crates build from their tarballs"
