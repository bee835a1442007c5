#!/bin/sh
# Compares the log audit line by line with an independent one in Python: see README.md beside this script.
#
# usage: tests/peers/logs.sh LOG|FOLDER ROBOTS [RANGES]
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/venv.sh
venv="$(environment protego-0.7.0 protego==0.7.0)"
log="$1" robots="$2" ranges="${3:-}"
verdicts="$(mktemp)"
trap 'rm -f "$verdicts"' EXIT
scanner="${SCANNER:-cargo run --locked --quiet --}"
status=0
compare() {
    $scanner logs explain "$1" --every-line --robots-history "$robots" \
        ${ranges:+--ranges "$ranges" --allow-test-ranges} >"$verdicts"
    "$venv/bin/python" tests/peers/audit_logs.py "$verdicts" "$1" pattern-library/registry "$robots" $ranges || status=1
}
if [ -d "$log" ]; then
    for one in "$log"/*; do
        case "$one" in *README* | */index.json) ;; *) [ ! -f "$one" ] || compare "$one" ;; esac
    done
else
    compare "$log"
fi
exit "$status"
