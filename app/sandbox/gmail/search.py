"""Gmail's search language and the search in a mailbox, with the lag of Gmail's index.

Like Gmail the parser accepts any text: what is no operator is a word. Conditions on headers are checked before those on the body.
"""

import re
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from typing import TypeAlias

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


class Term(Record):
    """One condition: an operator (`text` for free words) and its value."""

    operator: str
    value: str


class Negation(Record):
    item: "Node"


class AllTerms(Record):
    """All conditions must hold; without conditions it holds."""

    items: tuple["Node", ...]


class AnyTerm(Record):
    """One condition must hold."""

    items: tuple["Node", ...]


Node: TypeAlias = Term | Negation | AllTerms | AnyTerm


def parse_query(text: str) -> Node:
    """Parses a query; never raises."""
    return _Reader(text).sequence(closing="", operator="", depth=0)


def terms_of(node: Node) -> list[Term]:
    """Every condition in the tree, in order."""
    if isinstance(node, Term):
        return [node]
    if isinstance(node, Negation):
        return terms_of(node.item)
    return [term for item in node.items for term in terms_of(item)]


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [(str(found.lastgroup), found.group().strip()) for found in TOKEN.finditer(text)]
        self._at = 0

    def sequence(self, closing: str, operator: str, depth: int) -> Node:
        """Conditions up to a closing mark. OR binds tighter than the space, as in Gmail."""
        groups: list[list[Node]] = []
        joining = False
        while self._at < len(self._tokens):
            kind, text = self._tokens[self._at]
            self._at += 1
            if kind == "mark" and text in ")}":
                if text == closing:
                    break
                continue
            if kind == "word" and text in {"OR", "|"} and groups:
                joining = True
                continue
            if kind == "word" and text == "AND":
                continue
            node = self._condition(kind, text, operator, depth)
            if joining:
                groups[-1].append(node)
            else:
                groups.append([node])
            joining = False
        items = tuple(group[0] if len(group) == 1 else AnyTerm(tuple(group)) for group in groups)
        if closing == "}":
            return AnyTerm(items) if items else AllTerms(())
        return items[0] if len(items) == 1 else AllTerms(items)

    def _condition(self, kind: str, text: str, operator: str, depth: int) -> Node:
        if kind == "minus":
            return self._negated(operator, depth)
        if kind == "mark":
            return self._group(text, operator, depth)
        if kind == "quoted":
            return Term(operator or "text", text.strip('"'))
        return self._word(text, operator, depth)

    def _negated(self, operator: str, depth: int) -> Node:
        if self._at >= len(self._tokens) or self._tokens[self._at][1] in {")", "}"} or depth > DEEPEST:
            return AllTerms(())
        kind, text = self._tokens[self._at]
        self._at += 1
        return Negation(self._condition(kind, text, operator, depth + 1))

    def _group(self, mark: str, operator: str, depth: int) -> Node:
        if depth > DEEPEST:
            return AllTerms(())
        return self.sequence({"(": ")", "{": "}"}[mark], operator, depth + 1)

    def _word(self, text: str, operator: str, depth: int) -> Node:
        name, colon, value = text.partition(":")
        if not colon or name.lower() not in OPERATORS:
            return Term(operator or "text", text.lstrip("+"))
        if value:
            return Term(name.lower(), value)
        if self._at < len(self._tokens):
            kind, following = self._tokens[self._at]
            if kind == "quoted" or (kind == "mark" and following in "({"):
                self._at += 1
                return self._condition(kind, following, name.lower(), depth)
        return Term(name.lower(), "")


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
        node = parse_query(wanted.query) if wanted.query else AllTerms(())
        places = {f"{term.operator}:{term.value.lower()}" for term in terms_of(node)}
        open_ = wanted.hidden_too or bool(HIDDEN & set(wanted.labels)) or bool(OPEN_PLACES & places)
        labels = frozenset(wanted.labels)
        indexed_by_s = self._mailbox.clock.now_s() - self.lag_s

        def accept(row: StoredMessage) -> bool:
            if not labels <= row.labels or (not open_ and row.labels & HIDDEN):
                return False
            if self.lag_s and row.written_s > indexed_by_s:
                return False
            return self.matches(node, row)

        return accept

    def matches(self, node: Node, row: StoredMessage) -> bool:
        if isinstance(node, Term):
            return self._term(node.operator, node.value, row)
        if isinstance(node, Negation):
            return not self.matches(node.item, row)
        if isinstance(node, AnyTerm):
            return any(self.matches(item, row) for item in _cheap_first(node.items))
        return all(self.matches(item, row) for item in _cheap_first(node.items))

    def _term(self, operator: str, value: str, row: StoredMessage) -> bool:
        if operator in {"from", "to", "cc", "bcc", "subject", "deliveredto", "list"}:
            return _header_matches(operator, value, row.facts)
        if operator in {"label", "in", "is", "category"}:
            return self._label_condition(operator, value.lower(), row)
        if operator in {"after", "newer", "before", "older", "newer_than", "older_than"}:
            return _matches_date(operator, value, row.internal_ms / 1000, self._mailbox.clock.now_s())
        if operator in {"larger", "smaller", "size"}:
            return _matches_size(operator, value, row.place.size)
        if operator == "rfc822msgid":
            return row.facts.message_id.strip("<>") == value.strip("<>") != ""
        if operator == "filename":
            return any(value.lower() in name.lower() for name in self._content.file_names(row))
        if operator == "has":
            return self._has(value.lower(), row)
        facts = row.facts
        heads = (facts.subject, facts.sender, facts.to, facts.cc)
        return any(has_words(text, value) for text in heads) or has_words(self._content.words(row), value)

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

    def _has(self, value: str, row: StoredMessage) -> bool:
        if value == "attachment":
            return bool(self._content.file_names(row))
        if value in {"userlabels", "nouserlabels"}:
            own = any(label.startswith("Label_") for label in row.labels)
            return own == (value == "userlabels")
        return False


def has_words(text: str, wanted: str) -> bool:
    """Whether the whole words of `wanted` occur in `text` in sequence, ignoring case."""
    needle = " ".join(WORD.findall(wanted.casefold()))
    return bool(needle) and f" {needle} " in f" {' '.join(WORD.findall(text.casefold()))} "


def _cheap_first(items: tuple[Node, ...]) -> list[Node]:
    return sorted(items, key=_reads_body)


def _reads_body(node: Node) -> bool:
    return any(term.operator in {"text", "has", "filename"} for term in terms_of(node))


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
    if operator in {"newer_than", "older_than"}:
        found = re.fullmatch(r"(\d+)([hdmy])", value.lower())
        if found is None:
            return False
        edge_s = now_s - int(found.group(1)) * AGE_S[found.group(2)]
        return moment_s >= edge_s if operator == "newer_than" else moment_s < edge_s
    edge = _day_or_epoch_s(value)
    if edge is None:
        return False
    return moment_s >= edge if operator in {"after", "newer"} else moment_s < edge


def _day_or_epoch_s(value: str) -> float | None:
    if re.fullmatch(r"\d{9,12}", value):
        return float(value)
    found = re.fullmatch(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", value)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _matches_size(operator: str, value: str, size: int) -> bool:
    found = re.fullmatch(r"(\d+)([kmg]?)b?", value.lower())
    if found is None:
        return False
    edge = int(found.group(1)) * SIZE_FACTORS[found.group(2)]
    return size < edge if operator == "smaller" else size > edge
