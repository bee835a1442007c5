#!/bin/sh
# Reads a run's evidence with warcio: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
evidence="$1"
home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers"
venv="$home/warcio-1.7.5"
if [ ! -x "$venv/bin/python" ]; then
    mkdir -p "$home"
    rm -rf "$venv.partial"
    python3 -m venv "$venv.partial"
    "$venv.partial/bin/python" -m pip install --quiet warcio==1.7.5
    mv "$venv.partial" "$venv"
fi
"$venv/bin/python" -m warcio.cli check "$evidence"
"$venv/bin/python" tests/peers/check_evidence.py "$evidence"
