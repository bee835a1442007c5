"""Reads an archive with warcio as the benchmark does, and prints how many captures and octets it held.

The last line is the seconds that reading took, starting the interpreter left out.
"""

import sys
import time

from warcio.archiveiterator import ArchiveIterator

start, captures, octets = time.perf_counter(), 0, 0
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream):
        if record.rec_type in ("response", "resource"):
            octets += len(record.raw_stream.read())
            captures += 1
print(captures, octets)
print(time.perf_counter() - start)
