#!/bin/sh
# Reads the page of a log audit in headless Chromium: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/browser.sh
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# A log in which every identity, outcome and kind of line occurs, and lines that want to be markup.
mkdir -p "$folder/robots" "$folder/ranges/GPTBot" "$folder/ranges/ChatGPT-User" "$folder/ranges/CCBot"
printf 'User-agent: *\nDisallow: /private/\n' >"$folder/robots/robots.2026-11-01.txt"
printf 'User-agent: *\nDisallow: /private/\nDisallow: /"><script>\n' >"$folder/robots/robots.2026-11-15T120000Z.txt"
for day in 2026-11-01 2026-11-30; do
    echo 198.51.100.0/28 >"$folder/ranges/GPTBot/$day.txt"
    echo 198.51.100.16/28 >"$folder/ranges/ChatGPT-User/$day.txt"
    echo 198.51.100.32/28 >"$folder/ranges/CCBot/$day.txt"
done
printf 'source_id,prefix,valid_from,valid_to,reason\nCCBot,198.51.100.48/28,2026-11-01,2026-11-08,a test\n' \
    >"$folder/ranges/overrides.csv"
printf 'https://a.test/one\nhttps://a.test/private/x\nhttps://a.test/old\n' >"$folder/sitemap.txt"
printf 'url,canonical\n/old,/one\n' >"$folder/canonical.csv"
awk 'BEGIN {
    split("/one /one?sid=1 /two /style.css /private/x /old /\"><script>alert(1)</script> /robots.txt", paths, " ")
    split("200 200 301 404 503 200 200 200", statuses, " ")
    split("GPTBot/1.3 CCBot/2.0 Bytespider <b>Googlebot/2.1</b> Google-Extended/1.0 curl/8", agents, " ")
    for (n = 0; n < 3000; n++) {
        path = paths[n % 8 + 1]; gsub(/"/, "\\\"", path)
        printf "198.51.100.%d - - [%02d/Nov/2026:%02d:%02d:00 +0000] \"GET %s HTTP/1.1\" %s %d \"-\" \"%s\"\n",
            n * 7 % 80, 1 + n / 100, n % 24, n % 60, path, statuses[n % 7 + 1], n % 50, agents[n * 5 % 6 + 1]
    }
    print "<script>alert(2)</script>"
}' >"$folder/access.log"
audit() {
    cargo run --locked --quiet -- logs audit "$folder/access.log" --log-host a.test --quiet -o "$folder/$1" \
        --robots-history "$folder/robots" --ranges "$folder/ranges" --allow-test-ranges \
        --sitemap "$folder/sitemap.txt" --canonical "$folder/canonical.csv" --soft-404-octets 7 \
        --crawl-delay >"$folder/said" 2>&1 || { cat "$folder/said" >&2; exit 1; }
}
audit one
audit two
cmp "$folder/one/report.html" "$folder/two/report.html"
cmp "$folder/one/manifest.json" "$folder/two/manifest.json"
node tests/peers/check_report.mjs "$folder/one/report.html" "$@"
