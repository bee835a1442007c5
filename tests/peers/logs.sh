#!/bin/sh
# Compares the log audit line by line with an independent one in Python: see README.md beside this script.
#
# usage: tests/peers/logs.sh LOG ROBOTS [RANGES]
set -eu
cd "$(dirname "$0")/../.."
home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers"
venv="$home/protego-0.7.0"
if [ ! -x "$venv/bin/python" ]; then
    mkdir -p "$home"
    python3 -m venv "$venv.partial"
    "$venv.partial/bin/python" -m pip install --quiet protego==0.7.0
    mv "$venv.partial" "$venv"
fi
log="$1" robots="$2" ranges="${3:-}"
verdicts="$(mktemp)"
trap 'rm -f "$verdicts"' EXIT
scanner="${SCANNER:-cargo run --locked --quiet --}"
$scanner logs explain "$log" --every-line --robots-history "$robots" \
    ${ranges:+--ranges "$ranges" --allow-test-ranges} >"$verdicts"
"$venv/bin/python" tests/peers/audit_logs.py "$verdicts" "$log" pattern-library/registry "$robots" $ranges
