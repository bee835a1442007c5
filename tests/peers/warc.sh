#!/bin/sh
# Reads a run's evidence with warcio: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
evidence="$1"
. tests/peers/venv.sh
venv="$(environment warcio-1.7.5 warcio==1.7.5)"
"$venv/bin/python" -m warcio.cli check "$evidence"
"$venv/bin/python" tests/peers/check_evidence.py "$evidence"
