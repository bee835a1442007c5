#!/bin/sh
# Exports the committed run and reads it with other people's tools: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/venv.sh
readers="$(environment export-1 frictionless==5.21.0 mlcroissant==1.1.1 duckdb==2.0.1 pandas==3.1.1 \
    pyarrow==26.0.1)"
citation="$(environment citation-1 cffconvert==2.0.0)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cargo run --locked --quiet -- export runs/demo-808 --out "$folder/export" \
    --author "Doe, Ada" --licence CC-BY-4.0
"$readers/bin/python" tests/peers/check_export.py "$folder/export"
"$citation/bin/python" -c "from cffconvert.cli.cli import cli; cli()" --validate -i "$folder/export/CITATION.cff"
