#!/bin/sh
# Reads the committed run's report.html in headless Chromium: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
chromium="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
if [ -z "$chromium" ] || ! command -v npm >/dev/null; then
    echo "no Chromium or no npm: report.html is not read in a browser (CHROMIUM names one)"
    exit 0
fi
home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers/browser-1"
if [ ! -d "$home/node_modules/axe-core" ]; then
    mkdir -p "$home"
    (cd "$home" && npm install --silent --no-audit --no-fund playwright-core@1.64.1 axe-core@4.14.1)
fi
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cp -r runs/demo-808 "$folder/run"
cargo run --locked --quiet -- report "$folder/run" >"$folder/said" 2>&1
sum="$(sha256sum "$folder/run/report.html")"
cargo run --locked --quiet -- report "$folder/run" >"$folder/said" 2>&1
[ "$sum" = "$(sha256sum "$folder/run/report.html")" ] || { echo "not the same page twice" >&2; exit 1; }
PEERS_MODULES="$home/node_modules" CHROMIUM="$chromium" \
    node tests/peers/check_report.mjs "$folder/run/report.html" "$@"
