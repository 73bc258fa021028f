"""Gmail's search language and the search in a mailbox, with the lag of Gmail's index.

Like Gmail the parser accepts any text: what is no operator is a word. Conditions on headers are checked before those on the body.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from app.domain.record import Record
from app.sandbox.gmail.content import Content
from app.sandbox.gmail.headers import Facts, addresses_in
from app.sandbox.gmail.mailbox import Key, MailboxStore, StoredMessage

OPERATORS = frozenset(
    {
        "from", "to", "cc", "bcc", "subject", "label", "in", "is", "has", "after", "before", "newer", "older",
        "newer_than", "older_than", "rfc822msgid", "larger", "smaller", "size", "filename", "deliveredto", "list",
        "category",
    }
)  # fmt: skip
TOKEN = re.compile(r'\s*(?:(?P<quoted>"[^"]*"?)|(?P<mark>[(){}])|(?P<minus>-)(?=[^\s])|(?P<word>[^\s(){}"]+))')
DEEPEST = 40


class Condition(NamedTuple):
    """What a message must fulfil. Conditions that read the body are checked after the others."""

    holds: Callable[[StoredMessage], bool]
    reads_body: bool = False


EVERYTHING = Condition(lambda _: True)


def _joined(parts: Sequence[Condition], every: bool) -> Condition:
    """All of the conditions, or any of them."""
    if len(parts) == 1:
        return parts[0]
    ordered, joint = sorted(parts, key=lambda part: part.reads_body), all if every else any
    return Condition(lambda row: joint(part.holds(row) for part in ordered), any(part.reads_body for part in parts))


class QueryReader:
    """Reads a query and never raises. `term` makes a condition of an operator (`text` for free words) and its value."""

    def __init__(self, text: str, term: Callable[[str, str], Condition]) -> None:
        self._tokens = [(str(found.lastgroup), found.group().strip()) for found in TOKEN.finditer(text)]
        self._term = term
        self._at = 0

    def sequence(self, closing: str = "", operator: str = "text", depth: int = 0) -> Condition:
        """Conditions up to a closing mark. OR binds tighter than the space, as in Gmail."""
        groups: list[list[Condition]] = []
        joining = False
        while self._at < len(self._tokens):
            kind, text = self._tokens[self._at]
            self._at += 1
            if kind == "mark" and text in ")}":
                if text == closing:
                    break
            elif kind == "word" and text in {"OR", "|"} and groups:
                joining = True
            elif (kind, text) != ("word", "AND"):
                condition = self._condition(kind, text, operator, depth)
                if joining:
                    groups[-1].append(condition)
                else:
                    groups.append([condition])
                joining = False
        return _joined([_joined(group, every=False) for group in groups], every=closing != "}" or not groups)

    def _condition(self, kind: str, text: str, operator: str, depth: int) -> Condition:
        if depth > DEEPEST:
            return EVERYTHING
        following = self._tokens[self._at] if self._at < len(self._tokens) else ("mark", ")")
        if kind == "minus":
            if following[1] in {")", "}"}:
                return EVERYTHING
            self._at += 1
            inner = self._condition(*following, operator, depth + 1)
            return Condition(lambda row: not inner.holds(row), inner.reads_body)
        if kind == "mark":
            return self.sequence(")" if text == "(" else "}", operator, depth + 1)
        if kind == "quoted":
            return self._term(operator, text.strip('"'))
        name, colon, value = text.partition(":")
        if not colon or name.lower() not in OPERATORS:
            return self._term(operator, text.lstrip("+"))
        if not value and (following[0] == "quoted" or following[1] in {"(", "{"}):
            self._at += 1
            return self._condition(*following, name.lower(), depth)
        return self._term(name.lower(), value)


AGE_S = {"h": 3_600, "d": 86_400, "m": 30 * 86_400, "y": 365 * 86_400}
SIZE_FACTORS = {"": 1, "k": 1_024, "m": 1_024 * 1_024, "g": 1_024**3}
HIDDEN = frozenset({"SPAM", "TRASH"})
OPEN_PLACES = {"in:anywhere", "in:trash", "in:spam", "label:trash", "label:spam", "is:trash", "is:spam"}
WORD = re.compile(r"\w+")


class ListQuery(Record):
    """What a list request asks for. `hidden_too` includes spam and trash."""

    query: str = ""
    labels: Collection[str] = ()
    hidden_too: bool = False


class MessageSearch:
    """Finds messages of one mailbox. `lag_s` is how long a new message stays out of every list."""

    def __init__(self, mailbox: MailboxStore, content: Content) -> None:
        self._mailbox, self._content = mailbox, content
        self.lag_s = 0.0

    def rows(self, wanted: ListQuery, before: Key | None = None) -> Iterator[StoredMessage]:
        """Matching messages, newest first, starting below `before`."""
        return filter(self.accepts(wanted), self._mailbox.newest_first(before))

    def accepts(self, wanted: ListQuery) -> Callable[[StoredMessage], bool]:
        places: set[str] = set()

        def term(operator: str, value: str) -> Condition:
            places.add(f"{operator}:{value.lower()}")
            return Condition(partial(self._fulfils, operator, value), operator in {"text", "has", "filename"})

        condition = QueryReader(wanted.query, term).sequence()
        open_ = wanted.hidden_too or bool(HIDDEN & set(wanted.labels)) or bool(OPEN_PLACES & places)
        labels = frozenset(wanted.labels)
        indexed_by_s = self._mailbox.clock.now_s() - self.lag_s

        def accept(row: StoredMessage) -> bool:
            shown = labels <= row.labels and (open_ or not row.labels & HIDDEN)
            return shown and not (self.lag_s and row.written_s > indexed_by_s) and condition.holds(row)

        return accept

    def _fulfils(self, operator: str, value: str, row: StoredMessage) -> bool:
        facts, files = row.facts, self._content.file_names
        match operator:
            case "from" | "to" | "cc" | "bcc" | "subject" | "deliveredto" | "list":
                return _header_matches(operator, value, facts)
            case "label" | "in" | "is" | "category":
                return self._label_condition(operator, value.lower(), row)
            case "after" | "newer" | "before" | "older" | "newer_than" | "older_than":
                return _matches_date(operator, value, row.internal_ms / 1000, self._mailbox.clock.now_s())
            case "larger" | "smaller" | "size":
                found = re.fullmatch(r"(\d+)([kmg]?)b?", value.lower())
                if found is None:
                    return False
                edge = int(found[1]) * SIZE_FACTORS[found[2]]
                return row.place.size < edge if operator == "smaller" else row.place.size > edge
            case "rfc822msgid":
                return facts.message_id.strip("<>") == value.strip("<>") != ""
            case "filename":
                return any(value.lower() in name.lower() for name in files(row.id))
            case "has":
                own = any(label.startswith("Label_") for label in row.labels)
                known = {"attachment": bool(files(row.id)), "userlabels": own, "nouserlabels": not own}
                return known.get(value.lower(), False)
        heads = (facts.subject, facts.sender, facts.to, facts.cc)
        return any(has_words(text, value) for text in heads) or has_words(self._content.words(row.id), value)

    def _label_condition(self, operator: str, value: str, row: StoredMessage) -> bool:
        if operator == "in" and value == "anywhere":
            return True
        if value == "read":
            return "UNREAD" not in row.labels
        if value in {"draft", "drafts"}:
            return "DRAFT" in row.labels
        if value == "archive":
            return not row.labels & {"INBOX", "SENT", "DRAFT", "TRASH", "SPAM"}
        name = f"category_{value}" if operator == "category" else value
        if value == "primary":
            name = "category_personal"
        label_id = self._mailbox.labels.id_for_name(name)
        return label_id is not None and label_id in row.labels


def has_words(text: str, wanted: str) -> bool:
    """Whether the whole words of `wanted` occur in `text` in sequence, ignoring case."""
    needle = " ".join(WORD.findall(wanted.casefold()))
    return bool(needle) and f" {needle} " in f" {' '.join(WORD.findall(text.casefold()))} "


def _header_matches(operator: str, value: str, facts: Facts) -> bool:
    if operator == "subject":
        return has_words(facts.subject, value)
    texts = {
        "from": (facts.sender,),
        "to": (facts.to, facts.cc, facts.bcc),
        "cc": (facts.cc,),
        "bcc": (facts.bcc,),
        "deliveredto": (facts.to,),
        "list": (facts.to, facts.cc),
    }[operator]
    wanted = value.strip("<>").lower()
    if "@" in wanted and not wanted.startswith("@"):
        return wanted in addresses_in(*texts)
    return any(has_words(text, value) for text in texts)


def _matches_date(operator: str, value: str, moment_s: float, now_s: float) -> bool:
    age = re.fullmatch(r"(\d+)([hdmy])", value.lower()) if operator.endswith("_than") else None
    day = re.fullmatch(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", value)
    try:
        if operator.endswith("_than"):
            edge_s = now_s - int(age[1]) * AGE_S[age[2]] if age else None
        elif day:
            edge_s = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC).timestamp()
        else:
            edge_s = float(value) if re.fullmatch(r"\d{9,12}", value) else None
    except ValueError:
        return False
    return edge_s is not None and (moment_s >= edge_s) == (operator in {"after", "newer", "newer_than"})
