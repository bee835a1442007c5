#!/bin/sh
# Compares the log audit line by line with an independent one in Python: see README.md beside this script.
#
# usage: tests/peers/logs.sh LOG ROBOTS [RANGES]
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/venv.sh
venv="$(environment protego-0.7.0 protego==0.7.0)"
log="$1" robots="$2" ranges="${3:-}"
verdicts="$(mktemp)"
trap 'rm -f "$verdicts"' EXIT
scanner="${SCANNER:-cargo run --locked --quiet --}"
$scanner logs explain "$log" --every-line --robots-history "$robots" \
    ${ranges:+--ranges "$ranges" --allow-test-ranges} >"$verdicts"
"$venv/bin/python" tests/peers/audit_logs.py "$verdicts" "$log" pattern-library/registry "$robots" $ranges
