#!/bin/sh
# Compares the robots.txt engine with Protego over the corpus: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/venv.sh
venv="$(environment protego-0.7.0 protego==0.7.0)"
verdicts="$(mktemp)"
trap 'rm -f "$verdicts"' EXIT
SCANNER_VERDICTS="$verdicts" cargo test --locked --quiet --test it verdicts_are_written
if [ ! -s "$verdicts" ]; then
    echo "no corpus: SCANNER_CORPUS names no folder that is there; nothing is compared"
    exit 0
fi
"$venv/bin/python" tests/peers/ask_protego.py "$verdicts"
