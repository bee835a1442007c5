#!/bin/sh
# Measures the log audit beside its peers on one generated log: see benches/README.md.
#
# usage: benches/logs.sh LOG ROBOTS RANGES [SCANNER]
#
# CPU seconds count (user and system), not the clock's: other work on the machine does not forge them.
set -eu
log="$1" robots="$2" ranges="$3" scanner="${4:-scanner}"
# The least of so many rounds counts; the peers, which take minutes, have one.
rounds="${ROUNDS:-5}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Peers that take an hour for the whole log are given its first lines.
head -n 1000000 "$log" >"$scratch/million.log"
head -n 200000 "$log" >"$scratch/fifth.log"

# usage: measure NAME ROUNDS LINES COMMAND...
measure() {
    HOME="$scratch" TERM=dumb /usr/bin/env python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
name, rounds, lines, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
each, before = [], 0.0
for _ in range(rounds):
    # Into a pipe: grep stops at its first hit where nobody reads.
    done = subprocess.run(command, capture_output=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    each.append(used.ru_utime + used.ru_stime - before)
    before += each[-1]
least, median = min(each), sorted(each)[len(each) // 2]
memory = used.ru_maxrss / 1024
rate = lambda cpu: f"{lines / cpu / 1e6:.3f}"
print(f"| {name} | {lines} | {least:.2f} | {rate(least)} | {rate(median)} | {memory:.0f} | {done.returncode} |")
PYTHON
}

lines=$(wc -l <"$log")
audit() {
    what="$1" threads="$2" file="$3"
    measure "$what" "$rounds" "$lines" "$scanner" logs audit "$file" --robots-history "$robots" \
        --ranges "$ranges" --allow-test-ranges --threads "$threads" --json --quiet
}
has() { command -v "$1" >/dev/null; }

echo "| what | lines | CPU s | M lines per CPU s | the same, median | MB at most | status |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
audit "scanner, plain, 1 thread" 1 "$log"
audit "scanner, plain, 2 threads" 2 "$log"
for packed in "$log.gz" "$log.zst"; do
    if [ -f "$packed" ]; then audit "scanner, ${packed##*.}, 1 thread" 1 "$packed"; fi
done
measure "grep -c GPTBot/" 1 "$lines" grep -c GPTBot/ "$log"
if has agrind; then
    measure "angle-grinder, one count" 1 1000000 agrind -f "$scratch/million.log" '* | apache | count'
fi
if has lnav; then
    count=";SELECT count(*) FROM access_log WHERE cs_user_agent LIKE '%GPTBot/%'"
    measure "lnav, one count" 1 1000000 lnav -n -c "$count" "$scratch/million.log"
fi
if has goaccess; then
    measure "GoAccess" 1 "$lines" goaccess "$log" --log-format=COMBINED -o "$scratch/goaccess.json" \
        --no-progress
fi
if has ai-crawler-logs; then
    measure "ai-crawler-logs" 1 200000 ai-crawler-logs "$scratch/fifth.log" --verify --json
fi
if has agentlog; then
    measure "agentlog" 1 200000 agentlog analyze "$scratch/fifth.log"
fi
