"""Reads lines of server logs with regular expressions and `json`, independently of the program.

`Reader().read(line)` is `None` or what a request is made of: when, the peer's address, the target, the
user-agent header. A frame that a collector put around a line is passed over by searching.
"""

import datetime as dt
import ipaddress
import json
import re
from urllib.parse import unquote

UTC = dt.timezone.utc
QUOTED = r'"((?:[^"\\]|\\.|"(?! |$))*)"'


def named(name):
    """A quoted field with a name."""
    return QUOTED.replace("(", f"(?P<{name}>", 1)


TIME = r"\[(?P<time>[^\]]+)\]"
COMBINED = re.compile(
    r"^(?:(?P<host>[A-Za-z0-9.:-]+) (?=[0-9a-fA-F:.]+ ))?(?P<peer>\S+) \S+ \S.*?" + TIME + " "
    + named("line") + r" (?P<status>\d{3}|-)(?: (?P<size>\S+))?(?: " + QUOTED + r"(?: " + named("agent") + ")?)?"
)
# Formats whose own marks tell them from all others, so that they can be searched for in a line.
OTHERS = [re.compile(pattern) for pattern in (
    # AWS: the application load balancer, the classic one, S3.
    r"^(?:\S+ )?(?P<time>\d{4}-\d\d-\d\dT\S+Z) \S+ (?P<peer>[0-9a-fA-F.:\[\]]+:\d+) \S+ \S+ \S+ \S+ (?:\d{3}|-) \S+ \d+ \d+ "
    + named("line") + " " + named("agent"),
    r"^\S+ \S+ " + TIME + r" (?P<peer>\S+) \S+ \S+ [A-Z]+\.\S+ \S+ " + named("line")
    + r" \d{3} \S+ \S+ \S+ \S+ \S+ " + QUOTED + " " + named("agent"),
    # HAProxy.
    r"(?P<peer>\S+):\d+ " + TIME + r" \S+ \S+ [-\d/+]+ -?\d+ \+?\d+ \S+ \S+ \S{4} \S+ \S+"
    r"(?: \{(?P<captures>[^}]*)\})?(?: \{[^}]*\})? " + named("line"),
    # Envoy's text: its peer is not logged, and the rightmost forwarded address stands for it.
    r"\[(?P<time>\d{4}-\d\d-\d\dT[^\]]+)\] " + named("line")
    + r' \d{3} \S+ \d+ \d+ \d+ \S+ "(?:[^"]*, )?(?P<peer>[^", ]*)" ' + named("agent"),
    # The nginx proxy manager.
    TIME + r' .*?(?P<method>[A-Z]+) https?s? \S+ "(?P<target>[^"]*)" \[Client (?P<peer>\S+)\] \[Length \S+\] \[Gzip \S+\]'
    r"(?: \[Sent-to [^\]]+\])? " + named("agent"),
    # nginx as Bitrix and Hestia set it up, Apache as Gandi does.
    r"^(?P<peer>\S+) - \S+ \[(?P<time>[^\]]+? [+-]\d{4}) - \S+\] \d{3} " + named("line") + r" \d+ " + QUOTED + " "
    + named("agent"),
    r"^(?P<peer>\S+) - \S+ " + TIME + r' (?P<method>[A-Z]+) (?P<target>\S+) HTTP/\S+ "\d{3}" \d+ ' + QUOTED + " "
    + named("agent"),
    r"^\S+ (?P<peer>\S+) \S+ \S+ " + TIME + r" \(\d+ s\) " + named("line") + r" \d{3} \S+ " + QUOTED + " "
    + named("agent"),
    # aiohttp behind a collector.
    r" (?P<peer>[0-9a-fA-F.:]{3,}) " + TIME + " " + named("line") + r" \d{3} \S+ " + QUOTED + " " + named("agent"),
)]
REQUEST = re.compile(r"^([A-Za-z_-]+) (.*?)(?: HTTP/\S*)?$")
CLOUDFRONT = ("date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) "
              "cs(User-Agent) cs-uri-query").split()
TIMES = ("EdgeStartTimestamp", "Datetime", "time_iso8601", "StartUTC", "start_time", "ts", "timestamp", "date")
PEERS = ("ClientIP", "remote_addr", "ClientAddr", "downstream_remote_address", "client_ip", "ip")
TARGETS = ("ClientRequestURI", "request_uri", "RequestPath", "x-envoy-origin-path", "url", "ClientRequestPath", "path")
AGENTS = ("ClientRequestUserAgent", "http_user_agent", "request_User-Agent", "request_user_agent", "user-agent",
          "user_agent")


def unescaped(text):
    """A value without the escapes of Apache and nginx."""
    plain = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
    one = lambda found: chr(int(found[1], 16)) if found[1] else plain[found[2]]
    return re.sub(r'\\(?:x([0-9A-Fa-f]{2})|([nrt"\\/]))', one, text)


def address_of(text):
    """An address out of what stands around it."""
    text = (text or "").strip(' "+')
    text = re.sub(r"^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$", r"\1\2", text)
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def moment_of(text):
    """A moment as logs write it; one without an offset is UTC."""
    if isinstance(text, (int, float)):
        while text > 1e11:
            text = text // 1000
        return dt.datetime.fromtimestamp(int(text), UTC)
    if re.match(r"\d\d?/[A-Z]", text):
        clock, _, offset = re.sub(r"\.\d+", "", text).partition(" ")
        at = dt.datetime.strptime(clock + (offset or "+0000"), "%d/%b/%Y:%H:%M:%S%z")
    else:
        text = re.sub(r"(\.\d+)", "", text).replace("Z", "+00:00")
        at = dt.datetime.fromisoformat(text)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


class Reader:
    """Reads the lines of one log in order."""

    def __init__(self):
        self.columns = None

    def read(self, line):
        """A request, or `None`."""
        if line.startswith("#"):
            if line.startswith("#Fields:"):
                self.columns = line[len("#Fields:"):].split()
            return None
        if not line.strip():
            return None
        try:
            for read in (self.of_json, self.of_columns, self.of_combined, self.of_others):
                found = read(line)
                if found:
                    return found
        except ValueError:
            pass
        return None

    def of_json(self, line):
        """A JSON object, wherever it begins."""
        if "{" not in line:
            return None
        try:
            record = json.loads(line[line.index("{"):])
        except ValueError:
            return None
        first = lambda names, of: next((of[name] for name in names if of.get(name) not in (None, "", "-")), None)
        http, caddy = record.get("httpRequest", {}), record.get("request")
        target, agent = first(TARGETS, record), first(AGENTS, record)
        peer = first(PEERS, record)
        if http:
            peer, agent, target = http.get("remoteIp"), http.get("userAgent"), http.get("requestUrl")
        elif isinstance(caddy, dict):
            peer, target = caddy.get("client_ip") or caddy.get("remote_ip") or caddy.get("remote_addr"), caddy.get("uri")
            agent = ", ".join(caddy.get("headers", {}).get("User-Agent", []))
        when = first(TIMES, record)
        if target is None or when is None:
            return None
        if record.get("ClientRequestQuery") and "ClientRequestURI" not in record:
            target += "?" + record["ClientRequestQuery"].removeprefix("?")
        return moment_of(when), address_of(peer), target, agent or ""

    def of_columns(self, line):
        """A line under a `#Fields` line, or CloudFront's without one."""
        columns = self.columns
        if columns is None and line.count("\t") > 20:
            columns = CLOUDFRONT
        if columns is None:
            return None
        is_cloudfront = any(name.startswith("x-edge-") for name in columns)
        if is_cloudfront:
            values = line.split("\t")
        else:
            values = [a.replace('""', '"') if a else b for a, b in re.findall(r'"((?:[^"]|"")*)"|(\S+)', line)]
        found = dict(zip((name.lower() for name in columns), values))
        date = found.get("date") or found.get("date-local")
        clock = found.get("time") or found.get("time-local")
        if not date or not clock:
            return None
        agent = found.get("cs(user-agent)", "-")
        if is_cloudfront:
            agent = unquote(unquote(agent, "latin-1"), "latin-1") if "%25" in agent else unquote(agent, "latin-1")
        else:
            agent = re.sub(r"\+(\+?)", r" \1", agent)
        query = found.get("cs-uri-query", "-")
        target = found.get("cs-uri-stem") or found.get("cs-uri") or ""
        target += "?" + query if query not in ("-", "") else ""
        return moment_of(f"{date}T{clock}"), address_of(found.get("c-ip")), target, "" if agent == "-" else agent

    def of_combined(self, line):
        """Apache's and nginx's own formats, common and combined."""
        found = COMBINED.match(line)
        if not found or (address_of(found["peer"]) is None and any(other.search(line) for other in OTHERS)):
            return None
        return self.of_match(found)

    def of_others(self, line):
        """The formats of others."""
        found = next(filter(None, (pattern.search(line) for pattern in OTHERS)), None)
        return self.of_match(found) if found else None

    def of_match(self, found):
        """What a regular expression found."""
        groups = found.groupdict()
        target = groups.get("target")
        if target is None:
            request = REQUEST.match(groups["line"])
            target = request[2] if request else ""
        agent = groups.get("agent")
        if groups.get("captures"):
            agent = max(groups["captures"].split("|"), key=len)
        agent = agent or ""
        return (moment_of(groups["time"]), address_of(groups["peer"]), unescaped(target),
                unescaped("" if agent == "-" else agent))
