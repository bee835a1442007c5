#!/bin/sh
# Reads pages of `scanner audit --html` in headless Chromium: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/browser.sh
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
printf 'User-agent: *\nDisallow:\n\nSitemap: https://a.test/s.xml\n' >"$folder/sound.txt"
# Findings of every grade, text from outside that is no text, and lines as long as they come.
{
    printf 'User-agent: GPT-Bot, CCBot\nUser-agent: anthropic-ai\nDisallow: /\n\n'
    printf 'User-agent: *\nCrawl-delay: 10\n\nUser-agent: <script>alert(1)</script>\n'
    printf 'Disalow: /backup/ # old\nDisallow: admin/\nNoindex: /x\nDisallow: /s.xml\nAllow: /caf\303\251/\n'
    printf 'Disallow: /%s\nDisallow: /a\342\200\216\n' "$(printf 'a%.0s' $(seq 400))"
    printf 'Content-Signal: search=yes, ai-train=no\nSitemap: https://a.test/s.xml\n\033[2J an evil line\n'
} >"$folder/faulty.txt"
printf '<!doctype html><title>x</title>\n' >"$folder/other.txt"
for name in sound faulty other; do
    cargo run --locked --quiet -- audit "$folder/$name.txt" --for-url https://a.test/ --html >"$folder/$name.html"
done
SCREENSHOTS="${1:-}" node tests/peers/check_audit.mjs "$folder/sound.html" "$folder/faulty.html" "$folder/other.html"
