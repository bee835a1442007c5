"""Holds a run's evidence to what a reader of web archives may expect, and counts its records.

Every record has a digest that holds and an id of its own; every request has one response, revisit or
failure after it; what a record refers to stands before it, under the same domain and attempt.
"""

import json
import sys
from collections import Counter

from warcio.archiveiterator import ArchiveIterator

OF_A_DOMAIN = ("Scanner-Domain", "Scanner-Attempt", "Scanner-Request")


def check(stream):
    """Reads all records; returns how many there are of each type, and yields no fault in silence."""
    counts, faults, seen, open_requests = Counter(), [], {}, {}
    for number, record in enumerate(ArchiveIterator(stream, check_digests=True), 1):
        kind, field = record.rec_type, record.rec_headers.get_header
        body = record.content_stream().read()
        name, whose = field("WARC-Record-ID"), tuple(map(field, OF_A_DOMAIN))
        counts[kind] += 1

        def expect(holds, what):
            if not holds:
                faults.append(f"record {number} ({kind} {name}): {what}")

        expect(record.digest_checker.passed is not False, record.digest_checker.problems)
        expect(name not in seen, "its id stands twice")
        expect((number == 1) == (kind == "warcinfo"), "one warcinfo opens the archive")
        expect(kind == "warcinfo" or all(whose), "it belongs to no domain")
        if kind == "request":
            open_requests[name] = whose
        elif kind in ("response", "revisit"):
            request = field("WARC-Concurrent-To")
            expect(request is None or open_requests.pop(request, None) == whose, "no request of its")
        elif kind == "metadata" and json.loads(body).get("operation") in ("request", "body"):
            request = next((one for one, of in open_requests.items() if of == whose), None)
            expect(open_requests.pop(request, None) == whose, "a failure without its request")
        if kind == "revisit":
            expect(seen.get(field("WARC-Refers-To")) == whose[:2], "it repeats what is not before it")
        seen[name] = whose[:2]
    faults.extend(f"request {name} of {of} has no end" for name, of in open_requests.items())
    return counts, faults


with open(sys.argv[1], "rb") as stream:
    found, wrong = check(stream)
for fault in wrong[:40]:
    print(fault)
print(", ".join(f"{kind} {count}" for kind, count in sorted(found.items())), "; faults", len(wrong))
sys.exit(bool(wrong) or sum(found.values()) < 2)
