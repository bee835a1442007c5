"""Asks Protego what the engine was asked, and traces every difference to its cause.

Reads the lines that the test `verdicts_are_written_for_peers_in_other_languages` writes. Each line is
a robots.txt with its questions, as it is and after each rewriting of `differences.toml`: a difference
belongs to the first rewriting after which Protego and the engine agree.
"""

import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

from protego import Protego

TABLE = Path(__file__).parent.parent.parent / "fixtures/robots/differences.toml"


def decisions(stage, number, places):
    """What Protego decides for one token at some places of the paths; text is decoded as by Scrapy."""
    text = stage["document"].encode("latin-1").decode("utf-8-sig", errors="ignore")
    robots = Protego.parse(text)
    site, token = "https://example.com", stage["tokens"][number]
    return {place: robots.can_fetch(site + stage["paths"][place], token) for place in places}


def trace(row, counts):
    """Counts the differences of one row, and yields those that nothing explains."""
    stages = row["stages"]
    asked = 0
    for number, token in enumerate(stages[0]["tokens"]):
        open_places = list(range(len(stages[0]["paths"])))
        asked += len(open_places)
        for stage in stages:
            theirs = decisions(stage, number, open_places)
            left = [p for p in open_places if theirs[p] != stage["allowed"][number][p]]
            if stage["id"]:
                counts[stage["id"]] += len(open_places) - len(left)
            open_places = left
            if not open_places:
                break
        for place in open_places:
            yield f"{row['name']} {token} {stages[0]['paths'][place]}"
    counts["asked"] += asked


def report(kind, counts, unexplained, expected):
    """Prints what was found about rows of a kind; whether it is what the table says."""
    asked = counts.pop("asked")
    found = {name: count for name, count in counts.items() if count}
    print(f"{kind}: {asked} decisions, {sum(found.values())} differ and are explained")
    for name in sorted(found | expected):
        print(f"  {name}: {found.get(name, 0)}, expected {expected.get(name, 0)}")
    print(f"  unexplained: {len(unexplained)}")
    for text in unexplained[:40]:
        print(f"    {text}")
    return found == expected and not unexplained


def main():
    kinds = ("files", "cases")
    counts, unexplained = {kind: Counter() for kind in kinds}, {kind: [] for kind in kinds}
    with open(sys.argv[1], encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            unexplained[row["kind"]] += trace(row, counts[row["kind"]])
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))["difference"]
    holds = []
    for kind in kinds:
        tables = {entry["id"]: entry.get(kind, {}) for entry in table}
        expected = {name: of["protego"] for name, of in tables.items() if "protego" in of}
        holds.append(report(kind, counts[kind], unexplained[kind], expected))
    sys.exit(not all(holds))


main()
