#!/bin/sh
# Measures the log audit beside its peers on one generated log: see benches/README.md.
#
# usage: benches/logs.sh LOG ROBOTS RANGES [SCANNER]
#
# CPU seconds count (user and system), not the clock's: other work on the machine does not forge them.
set -eu
log="$1" robots="$2" ranges="$3" scanner="${4:-scanner}"
lines=$(wc -l <"$log")
# The least of so many rounds counts; the slow peers have one.
rounds="${ROUNDS:-5}"
measure() {
    name="$1"
    shift
    case "$name" in scanner*) times="$rounds" ;; *) times=1 ;; esac
    /usr/bin/env python3 - "$name" "$lines" "$times" "$@" <<'PYTHON'
import resource, subprocess, sys
name, lines, times, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
cpu, before = float("inf"), 0.0
for _ in range(times):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, before = min(cpu, used.ru_utime + used.ru_stime - before), used.ru_utime + used.ru_stime
print(f"| {name} | {cpu:.2f} | {lines / cpu / 1e6:.3f} | {used.ru_maxrss / 1024:.0f} | {done.returncode} |")
PYTHON
}
echo "| what | CPU s | M lines per CPU s | MB at most | status |"
echo "| --- | --- | --- | --- | --- |"
for threads in 1 2; do
    measure "scanner, plain, $threads threads" "$scanner" logs audit "$log" --robots-history "$robots" \
        --ranges "$ranges" --allow-test-ranges --threads "$threads" --json --quiet
done
for packed in "$log.gz" "$log.zst"; do
    if [ -f "$packed" ]; then
        measure "scanner, ${packed##*.}" "$scanner" logs audit "$packed" --robots-history "$robots" \
            --ranges "$ranges" --allow-test-ranges --threads 1 --json --quiet
    fi
done
if command -v goaccess >/dev/null; then
    measure "GoAccess" goaccess "$log" --log-format=COMBINED -o json --no-progress
fi
if command -v lnav >/dev/null; then
    measure "lnav, one count" lnav -n -c ";SELECT count(*) FROM access_log WHERE cs_user_agent LIKE '%GPTBot/%'" "$log"
fi
if command -v agrind >/dev/null; then
    measure "angle-grinder, one count" agrind -f "$log" '* | apache | count'
fi
if command -v ai-crawler-logs >/dev/null; then
    measure "ai-crawler-logs" ai-crawler-logs "$log" --verify --json
fi
if command -v agentlog >/dev/null; then
    measure "agentlog" agentlog analyze "$log"
fi
measure "grep -c GPTBot/" grep -c GPTBot/ "$log"
