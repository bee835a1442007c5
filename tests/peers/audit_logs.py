"""Audits a log line by line, independently of the program, and compares each verdict with its own.

usage: audit_logs.py VERDICTS LOG REGISTRY ROBOTS [RANGES]

VERDICTS is what `scanner logs explain LOG --every-line` printed with the same evidence. The log is read by
`log_formats.py`, addresses are judged with `ipaddress`, rules with Protego.
"""

import bz2
import csv
import datetime as dt
import gzip
import ipaddress
import json
import re
import sys
from collections import Counter
from pathlib import Path

from log_formats import UTC, Reader
from protego import Protego

NEAR, IN_FORCE = dt.timedelta(days=7), dt.timedelta(days=30)
EVER = dt.datetime(1970, 1, 1, tzinfo=UTC), dt.datetime(9999, 1, 1, tzinfo=UTC)

def moment(text):
    """A moment as files write it."""
    text = text if "T" in text else text + "T00:00:00Z"
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def table(path):
    """The rows of a table of the registry."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


class Registry:
    """Crawlers, and lists of their addresses."""

    def __init__(self, folder, ranges):
        self.crawlers = {}
        names = []
        for row in table(folder / "crawlers.csv"):
            self.crawlers[row["token"]] = row
            headers = [name.strip() for name in row["headers"].split(";") if name.strip()]
            names += [(name, row["token"]) for name in headers or [row["token"]]]
        self.names = {name.lower(): token for name, token in names}
        ordered = sorted(self.names, key=len, reverse=True)
        self.pattern = re.compile(
            r"(?:^|(?<=[ \t(;,]))(" + "|".join(map(re.escape, ordered)) + r")(?=[/ \t;),]|$)", re.I
        )
        self.lists = []
        for row in table(folder / "lists.csv"):
            row["tokens"] = row["crawlers"].split()
            row["from"], row["until"] = moment(row["known_from"]), moment(row["known_until"])
            row["ranges"] = []
            self.lists.append(row)
        by_id = {row["id"]: row for row in self.lists}
        for row in table(folder / "ranges.csv"):
            end = moment(row["valid_to"]) if row["valid_to"] else EVER[1]
            network = ipaddress.ip_network(row["cidr"])
            by_id[row["list"]]["ranges"].append((network, moment(row["valid_from"]), end))
        if ranges:
            self.replace(ranges)
        self.seen = {}

    def replace(self, folder):
        """Takes the lists of a folder in the place of those for the same crawlers."""
        tokens = {path.name for path in folder.iterdir()}
        for row in self.lists:
            row["tokens"] = [token for token in row["tokens"] if token not in tokens]
        self.lists = [row for row in self.lists if row["tokens"] or row["kind"] == "proxy"]
        for path in sorted(folder.iterdir()):
            days = sorted(path.iterdir())
            networks = {ipaddress.ip_network(line) for day in days for line in day.read_text().split()}
            self.lists.append({
                "id": path.name, "operator": self.crawlers[path.name]["operator"], "kind": "crawlers",
                "tokens": [path.name], "from": moment(days[0].stem), "until": moment(days[-1].stem),
                "ranges": [(network, moment(days[0].stem), EVER[1]) for network in networks],
            })

    def claim(self, agent):
        """The crawler that a header names first, outside of URLs."""
        bare = re.sub(r"[^ \t(;,]*://[^ \t;)]*", lambda url: "\0" * len(url[0]), agent)
        found = self.pattern.search(bare)
        return self.names[found[1].lower()] if found else None

    def identity(self, token, address, at):
        """What a claim is worth."""
        crawler = self.crawlers[token]
        if crawler["purpose"] == "control_only":
            return "impersonated"
        if address is None:
            return "unverifiable"
        key = token, address
        if key not in self.seen:
            self.seen[key] = [
                (row, [r for r in row["ranges"] if r[0].version == address.version and address in r[0]])
                for row in self.lists
                if row["operator"] == crawler["operator"] and row["kind"] != "proxy"
            ]
        force = [
            (row, ranges) for row, ranges in self.seen[key]
            if row["from"] - IN_FORCE <= at <= row["until"] + IN_FORCE
        ]

        def holds(row, ranges):
            then = min(max(at, row["from"]), row["until"])
            return any(start <= then < end for _, start, end in ranges)

        def near(row, ranges):
            return any(start <= at + NEAR and end > at - NEAR for _, start, end in ranges)

        own = [(row, ranges) for row, ranges in force if token in row["tokens"]]
        exact = [pair for pair in own if pair[0]["kind"] == "crawlers"]
        merged = any(holds(*pair) for pair in own if pair[0]["kind"] == "operator")
        if any(holds(*pair) for pair in exact) or (merged and not exact):
            return "genuine"
        if any(not holds(*pair) and near(*pair) for pair in exact or own):
            return "adjacent"
        if merged or any(holds(*pair) for pair in force if token not in pair[0]["tokens"]):
            return "sibling"
        if any(holds(*pair) for pair in own if pair[0]["kind"] == "network"):
            return "genuine"
        return "impersonated" if own else "unverifiable"


class Rules:
    """The versions of one robots.txt."""

    def __init__(self, path):
        self.versions = []
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            stamp = file.name.split(".")[1]
            when = EVER[0] if file == path else moment(re.sub(r"T(\d\d)(\d\d)(\d\d)", r"T\1:\2:\3", stamp))
            text = file.read_text(encoding="utf-8")
            groups = {line.split(":")[1].strip().lower() for line in text.splitlines() if line.lower().startswith("user-agent:")}
            self.versions.append((when, None if file == path else when, Protego.parse(text), groups))

    def verdict(self, registry, token, target, at):
        """What the version in force says, and from when it was in force."""
        if not target.startswith("/") and "://" not in target:
            return "no_target", None
        found = [version for version in self.versions if version[0] <= at]
        if not found:
            return "no_version", None
        _, since, rules, groups = found[-1]
        while token.lower() not in groups:
            other = registry.crawlers.get(token, {}).get("falls_back_to")
            if not other:
                break
            token = other
        path = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?]*", "", target).split("#")[0]
        path = path if path.startswith("/") else "/" + path
        allowed = path == "/robots.txt" or rules.can_fetch("https://example.com" + path, token)
        return "allowed" if allowed else "disallowed", since


def main():
    verdicts, log, registry, rules = (Path(argument) for argument in sys.argv[1:5])
    ranges = Path(sys.argv[5]) if len(sys.argv) > 5 else None
    registry, rules = Registry(registry, ranges), Rules(rules)
    counts, differences = Counter(), []
    unpacked = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress}
    octets = log.read_bytes()
    lines = unpacked.get(octets[:2], bytes)(octets).decode("latin-1").split("\n")
    reader = Reader()
    for text in verdicts.read_text(encoding="utf-8").splitlines():
        theirs = json.loads(text)
        line = lines[theirs["line"] - 1].rstrip("\r")
        ours = reader.read(line)
        counts["lines"] += 1
        if (ours is None) != (theirs["kind"] != "request"):
            differences.append(("kind", theirs, line))
            continue
        if ours is None:
            continue
        at, address, target, agent = ours
        token = registry.claim(agent)
        expected = {"at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "token": token}
        if token:
            verdict, since = rules.verdict(registry, token, target, at)
            expected["client"] = str(address) if address else None
            expected["identity"] = registry.identity(token, address, at)
            expected["verdict"] = verdict
            expected["version_from"] = since and since.strftime("%Y-%m-%dT%H:%M:%SZ")
            counts["claims"] += 1
        wrong = {name: value for name, value in expected.items() if theirs[name] != value}
        if wrong:
            differences.append((wrong, theirs, line))
    print(f"{log.name}: {counts['lines']} lines, {counts['claims']} claims, {len(differences)} differ")
    for difference in differences[:10]:
        print("  ", *difference)
    sys.exit(bool(differences))


main()
