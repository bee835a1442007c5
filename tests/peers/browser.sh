# Sourced by scripts that read pages in a browser: finds Chromium and gets the packages that drive it, or
# says that there is none and ends the script. Exports what `browser.mjs` reads.
CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
if [ -z "$CHROMIUM" ] || ! command -v npm >/dev/null; then
    echo "no Chromium or no npm: no page is read in a browser (CHROMIUM names one)"
    exit 0
fi
browser_home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers/browser-1"
if [ ! -d "$browser_home/node_modules/axe-core" ]; then
    mkdir -p "$browser_home"
    (cd "$browser_home" && npm install --silent --no-audit --no-fund playwright-core@1.64.1 axe-core@4.14.1)
fi
PEERS_MODULES="$browser_home/node_modules"
export CHROMIUM PEERS_MODULES
