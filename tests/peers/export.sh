#!/bin/sh
# Exports the committed run and reads it with other people's tools: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers"
# One environment a validator: cffconvert and frictionless want different versions of one package.
install() {
    venv="$home/$1"
    shift
    [ -x "$venv/bin/python" ] && return
    mkdir -p "$home"
    python3 -m venv "$venv.partial"
    "$venv.partial/bin/python" -m pip install --quiet "$@"
    mv "$venv.partial" "$venv"
}
install export-1 frictionless==5.21.0 mlcroissant==1.1.1 duckdb==2.0.1 pandas==3.1.1 pyarrow==26.0.1
install citation-1 cffconvert==2.0.0
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cargo run --locked --quiet -- export runs/demo-808 --out "$folder/export" \
    --author "Doe, Ada" --licence CC-BY-4.0
"$home/export-1/bin/python" tests/peers/check_export.py "$folder/export"
"$home/citation-1/bin/python" -m cffconvert --validate -i "$folder/export/CITATION.cff"
