# Sourced by the scripts beside it: `environment NAME PACKAGE…` makes a Python environment with pinned
# packages once, in the cache, and prints where it is. One environment a set: some packages exclude
# each other.
environment() {
    home="${XDG_CACHE_HOME:-$HOME/.cache}/scanner-peers"
    venv="$home/$1"
    shift
    if [ ! -x "$venv/bin/python" ]; then
        mkdir -p "$home"
        rm -rf "$venv.partial"
        python3 -m venv "$venv.partial"
        "$venv.partial/bin/python" -m pip install --quiet "$@"
        mv "$venv.partial" "$venv"
    fi
    echo "$venv"
}
