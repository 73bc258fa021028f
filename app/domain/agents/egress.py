"""Checks what may leave: search terms and page addresses without approval, mail to language models. Lists what left.

Pure functions.
Whoever connects checks the resolved addresses again. A denied call gets the rule it broke.
"""

import csv
import ipaddress
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from io import StringIO
from urllib.parse import urlsplit

from app.domain.agents.provenance import said_in
from app.domain.agents.runs import ModelCall
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.policy.policy import PolicyReason
from app.domain.policy.private_words import WORD
from app.domain.policy.red_flags import credentials
from app.domain.record import Record

PRIVATE_WORDS = 4
"""A search that shares this many words in a row with private text repeats it."""

LONGEST_SEARCH = 200
LONGEST_WORD = 32
LONGEST_URL = 500
DIGITS = re.compile(r"\d(?:[\s\-/.]?\d){5,}")
ADDRESS = re.compile(r"\S@\S|\bhttps?:|\bwww\.", re.IGNORECASE)
HOST = re.compile(r"(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]", re.IGNORECASE)
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv4 addresses as seen from networks without IPv4 (NAT64, RFC 6052)."""
CLOSED = tuple(
    map(ipaddress.ip_network, ("168.63.129.16/32", "192.0.0.0/24", "::/96", "64:ff9b:1::/48", "2001:10::/28", "fec0::/10"))
)
"""Not part of the open internet, though not listed as private: two clouds' own services and obsolete ranges."""

LOCAL_NAMES = (".local", ".localhost", ".internal", ".lan", ".home", ".intranet", ".corp", ".test", ".invalid", ".onion", ".arpa")
"""Suffixes of names that are not in the public DNS."""


KINDS = {
    "health": re.compile(
        r"\b(?:diagnos\w*|patients?|prescription\w*|medication|blood tests?|lab results|biopsy|clinic|hospital"
        r"|surgery|therap(?:y|ist)"
        r"|psychiatr\w*|pacient\w*|lékař\w*|nemocnic\w*|ordinac\w*|vyšetření|erecept\w*|recept na lék\w*|diagnóz\w*|operac[ei]\w*"
        r"|arztpraxis|krankenhaus|befund\w*|rezept|diagnose|patient(?:in|en)|medikament\w*|klinik)\b",
        re.IGNORECASE,
    ),
    "bank": re.compile(
        r"\b(?:bank|banka|account balance|bank statement|account statement|credit card|debit card|mortgage|overdraft"
        r"|loan agreement"
        r"|výpis\w* z účtu|zůstat(?:ek|ku)|platb\w+ kartou|hypoté\w+|půjčk\w+|úvěr\w*|bankovní\w*|kreditní\w* kart\w*"
        r"|kontoauszug|kontostand|kreditkarte|hypothek|darlehen|bankverbindung)\b",
        re.IGNORECASE,
    ),
}
"""Words by which health and bank mail is known. One in sender or subject is enough, two different ones in the text."""
KIND_READ = 4000
"""Characters of a text that are looked at."""


class LocalOnlyRules(Record):
    """The owner's rules for mail that no language model gets.

    `people` are addresses, or domains that count with those below them; `labels` are names, and `label_names` gives those of an
    account by id.
    """

    people: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    label_names: Callable[[AccountId], Mapping[str, str]] = lambda _account_id: {}

    @classmethod
    def of(
        cls, people: str, labels: str, kinds: Iterable[str], label_names: Callable[[AccountId], Mapping[str, str]]
    ) -> "LocalOnlyRules":
        """The rules as the owner typed them, separated by commas or lines."""
        return cls(_parts(people), _parts(labels), frozenset(kinds), label_names)

    def __call__(self, message: Message) -> bool:
        """Whether the message stays: by sender, recipients, labels or what it is about."""
        return self._by_people(message) or self._by_labels(message) or any(_is_about(message, kind) for kind in self.kinds)

    def _by_people(self, message: Message) -> bool:
        for one in (message.sender, *message.to, *message.cc, *message.bcc, *message.reply_to) if self.people else ():
            address, domain = one.email.lower(), one.domain.lower()
            above = {domain[at:] for at in range(len(domain)) if at == 0 or domain[at - 1] == "."}
            if address in self.people or self.people & (above | {f"@{one}" for one in above}):
                return True
        return False

    def _by_labels(self, message: Message) -> bool:
        names = self.label_names(message.account_id) if self.labels else {}
        return any(name.lower() in self.labels for label in message.labels for name in (label, names.get(label, "")))


def _parts(text: str) -> frozenset[str]:
    return frozenset(part.strip().lower() for line in text.splitlines() for part in line.split(",") if part.strip())


def _is_about(message: Message, kind: str) -> bool:
    """Whether sender and subject, or two words of the text, are of a kind."""
    words = KINDS[kind]
    head = f"{message.subject}\n{message.sender.name}\n{re.sub(r'[@._-]', ' ', message.sender.email)}"
    return bool(words.search(head)) or len({found.group().lower() for found in words.finditer(message.body_text[:KIND_READ])}) > 1


def search_denial(words: str, private: Iterable[str]) -> PolicyReason | None:
    """Returns the rule a search breaks, None if it may leave. `private` are texts that must not leave."""
    plain = unicodedata.normalize("NFKC", words)
    tokens = plain.split()
    if len(plain) > LONGEST_SEARCH or any(len(token) > LONGEST_WORD for token in tokens):
        return PolicyReason.NET_TOO_LONG
    if ADDRESS.search(plain) or DIGITS.search(plain) or credentials(plain):
        return PolicyReason.NET_PRIVATE_WORDS
    runs = word_runs(plain)
    return PolicyReason.NET_PRIVATE_WORDS if any(runs & word_runs(text) for text in private) else None


def word_runs(text: str) -> set[tuple[str, ...]]:
    """Every run of `PRIVATE_WORDS` words of a text, case folded."""
    words = [word.group().casefold() for word in WORD.finditer(text)]
    return {tuple(words[at : at + PRIVATE_WORDS]) for at in range(len(words) - PRIVATE_WORDS + 1)}


def fetch_denial(url: str, request: str, hosts: Collection[str], seen: Iterable[str] | None = None) -> PolicyReason | None:
    """Returns the rule a page address breaks, None if it may be fetched.

    `request` is what the user typed; `hosts` (lower case) are allowed for good. On any other host that the user named, the path
    must occur in a text that was read (`seen`; None skips this), because an invented path could carry data out.
    """
    host = plain_host(url)
    if host is None:
        return PolicyReason.NET_BAD_ADDRESS
    alone = r"(?<![\w.\-@])" + re.escape(host) + r"(?![\w\-]|\.[\w])"
    if host not in hosts and re.search(alone, request, re.IGNORECASE) is None:
        return PolicyReason.NET_HOST_NOT_ALLOWED
    parts = urlsplit(url)
    whole = url.split("#", 1)[0]
    # Very long parts or many digits could carry a secret.
    may_carry = any(len(part) > LONGEST_WORD * 2 for part in parts.path.split("/")) or DIGITS.search(parts.path) is not None
    if (parts.query or parts.fragment or may_carry) and not said_in(whole, request):
        return PolicyReason.NET_QUERY_NOT_TYPED
    made_up = seen is not None and host not in hosts and parts.path not in ("", "/")
    if made_up and not any(said_in(whole, text) for text in (request, *(seen or ()))):
        return PolicyReason.NET_QUERY_NOT_TYPED
    return None


def plain_host(url: str) -> str | None:
    """The host of an https address, None for any other address. None also for a port, a user or an IP address."""
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    userless = parts.netloc.lower() == host and port is None
    named = HOST.fullmatch(host) is not None and not host.endswith(LOCAL_NAMES)
    return host if parts.scheme == "https" and userless and named else None


def public_address(text: str) -> bool:
    """Whether an IP address (without brackets) belongs to the open internet.

    An address that embeds another, as with IPv6 transition, is public only if both are.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if not address.is_global or address.is_multicast or any(address in network for network in CLOSED):
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return True
    translated = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in TRANSLATED else None
    inside = (address.ipv4_mapped, address.sixtofour, translated, *(address.teredo or ()))
    return all(public_address(str(embedded)) for embedded in inside if embedded is not None)


EXPORTED = ("at", "host", "model", "call_type", "run_id", "sent_bytes", "got_bytes", "sent_sha256", "prompt_tokens",
            "completion_tokens", "cost_usd", "error", "mails", "people")  # fmt: skip


def sent_lines(calls: Iterable[ModelCall], form: str) -> Iterator[str]:
    """Lines of the list of what left, as `json` (one object a line) or `csv` (with a head)."""
    if form == "csv":
        yield ",".join(EXPORTED)
    for call in calls:
        fields = {name: getattr(call, name) for name in EXPORTED} | {"at": call.at.isoformat()}
        if form == "json":
            yield json.dumps(fields, ensure_ascii=False)
            continue
        line = StringIO()
        values = [" ".join(map(str, one)) if isinstance(one, tuple) else one for one in fields.values()]
        csv.writer(line, lineterminator="").writerow(["'" + one if str(one)[:1] in "=+@" else one for one in values])
        yield line.getvalue()
