#!/bin/sh
# Reads a run's report.html and three comparisons in headless Chromium: see README.md beside this script.
set -eu
cd "$(dirname "$0")/../.."
. tests/peers/browser.sh
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cargo build --locked --quiet
program="${CARGO_TARGET_DIR:-target}/debug/scanner"
scanner() { "$program" "$@" >"$folder/said" 2>&1 || { cat "$folder/said" >&2; exit 1; }; }
twice() { # PAGE ARGUMENTS: the arguments write the page, and the same page again
    page="$1"
    shift
    scanner "$@"
    sum="$(sha256sum "$page")"
    scanner "$@"
    [ "$sum" = "$(sha256sum "$page")" ] || { echo "not the same page twice: $page" >&2; exit 1; }
}

cp -r runs/demo-808 "$folder/run"
twice "$folder/run/report.html" report "$folder/run"

# A sample at three dates, and another sample: every kind of move, and lines that want to be markup.
site() { # DATE DOMAIN TEXT
    mkdir -p "$folder/world-$1/$2"
    printf '%b' "$3" >"$folder/world-$1/$2/robots.txt"
}
open='User-agent: *\nDisallow: /cart\n'
blog='User-agent: *\nDisallow: /blog/\n'
closed='User-agent: *\nDisallow: /\nSitemap: https://elsewhere.test/sitemap.xml\n'
bots='User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /"><script>alert(1)</script>\n'
refused='[[reply]]\npath = "/robots.txt"\nstatus = 403\nbody = "no"\n'
printf 'domain,stratum\n' >"$folder/one.csv"
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo "site-$n.test,$([ "$n" -lt 7 ] && echo shops || echo news)" >>"$folder/one.csv"
    for date in 1 2 3; do
        case "$((n * date % 7)),$n" in
        *,12) [ "$date" = 2 ] && site "$date" "site-$n.test" "$open" ;;
        *,11) site "$date" "site-$n.test" ''
            [ "$date" = 1 ] && printf '%b' "$refused" >"$folder/world-$date/site-$n.test/site.toml" ;;
        0,* | 1,*) site "$date" "site-$n.test" "$closed" ;;
        2,* | 3,*) site "$date" "site-$n.test" "$blog" ;;
        4,*) site "$date" "site-$n.test" "$bots" ;;
        *) site "$date" "site-$n.test" "$open" ;;
        esac || true
    done
done
printf 'domain,stratum\nsite-1.test,shops\nother-1.test,shops\nother-2.test,news\nother-3.test,news\n' \
    >"$folder/other.csv"
site 3 other-1.test "$closed"
site 3 other-2.test "$blog"
for date in 1 2 3; do
    printf 'about = "a date"\ndeadline_ms = 3000\n' >"$folder/world-$date/world.toml"
    scanner run --sample "$folder/one.csv" --seed 1 --quiet --world "$folder/world-$date" --out "$folder/run-$date"
done
scanner run --sample "$folder/other.csv" --seed 1 --quiet --world "$folder/world-3" --out "$folder/other"
twice "$folder/paired.html" compare "$folder/run-1" "$folder/run-2" --html "$folder/paired.html"
twice "$folder/series.html" compare "$folder/run-1" "$folder/run-2" "$folder/run-3" --html "$folder/series.html" \
    --label 2022-07-01 --label 2023-07-01 --label 2026-07-01
twice "$folder/samples.html" compare "$folder/run-3" "$folder/other" --html "$folder/samples.html" \
    --by country --label xa --label xb

for page in run/report paired series samples; do
    echo "$page"
    node tests/peers/check_report.mjs "$folder/$page.html" "$@"
done
