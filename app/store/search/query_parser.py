"""Reads a search line with Gmail's operators as a `SearchExpression`.

Words next to each other must all match, `OR` binds tighter, `-` excludes, parentheses group, braces mean OR. Nothing is refused:
what cannot be understood is left out and noted. For search by meaning the line is split into free words and conditions.
"""

import re
import unicodedata

from app.domain.errors import NotAllowed
from app.domain.protocol.queries import SearchNote, SearchNoteKind
from app.domain.record import Record
from app.store.search.query_tree import (
    EVERYTHING,
    AllOf,
    AnyOf,
    HasLabel,
    Near,
    Not,
    Phrase,
    SearchExpression,
    begins_value,
    knows,
    meaning,
)

MAX_LENGTH = 1000
MAX_DEPTH = 30
_SHORTEST_PREFIX = 2
_END = r"(?![^\s(){}\"])"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)|(?P<quoted>"[^"]*"?)|(?P<open>[({{])|(?P<close>[)}}])
    |(?P<around>AROUND\s*(?:\(\s*)?\d{{1,4}}(?:\s*\))?{_END})|(?P<or>OR{_END}|\|)|(?P<and>AND{_END})
    |(?P<minus>-(?=[^\s\-)}}]))|(?P<dashes>-+)|(?P<operator>[A-Za-z][A-Za-z_0-9]+:(?![:/]))|(?P<word>[^\s(){{}}"]+)""",
    re.VERBOSE,
)
_VALUE = re.compile(r"""\s*(?:(?P<quoted>"[^"]*"?)|(?P<open>[({])|(?P<word>[^\s(){}"]+))""")
_NOT_OPERATORS = frozenset({"re", "fw", "fwd", "aw", "wg", "mailto", "tel", "http", "https", "ftp", "file", "urn"})
"""Words before a colon that stand in mail and are no operators of a search."""


class ParsedQuery(Record):
    """An expression, and what was left out of it."""

    expression: SearchExpression
    notes: tuple[SearchNote, ...] = ()


def parse_query(text: str) -> SearchExpression:
    """Parses a search line. Raises `NotAllowed` with the part that cannot be understood."""
    parser = _Parser(text)
    expression = parser.whole()
    if parser.errors:
        raise parser.errors[0]
    return expression


def read_query(text: str, typing: bool = False) -> ParsedQuery:
    """Parses a search line and notes what it leaves out.

    `typing`: the last word may continue, and an operator that is not finished is passed over in silence.
    """
    parser = _Parser(text, typing)
    return ParsedQuery(parser.whole(), tuple(dict.fromkeys(parser.notes)))


class _Parser:
    """Reads one line from left to right."""

    def __init__(self, text: str, typing: bool = False) -> None:
        self._text = text.replace("\0", " ")[:MAX_LENGTH]
        self._at = 0
        self._depth = 0
        self._typing = typing
        self.notes: list[SearchNote] = []
        self.errors: list[NotAllowed] = []
        if len(text) > MAX_LENGTH:
            self._note(
                SearchNoteKind.TOO_LONG, "", NotAllowed(f"The search has {len(text)} characters.", f"Use at most {MAX_LENGTH}.")
            )

    def whole(self) -> SearchExpression:
        """The line; closing brackets without an opening one are passed over."""
        parts: list[SearchExpression] = []
        while self._at < len(self._text):
            parts += self._parts("")
        return _all_of(parts)

    def _parts(self, closing: str) -> list[SearchExpression]:
        """What stands up to `closing` or the end. Parts joined by OR are one."""
        parts: list[SearchExpression] = []
        joins = False
        while (found := _TOKEN.match(self._text, self._at)) is not None:
            kind = found.lastgroup or ""
            self._at = found.end()
            if kind == "close":
                if found[0] == closing or not closing:
                    break
            elif kind == "or":
                joins = bool(parts)
            elif kind == "around" and parts:
                self._join_near(parts, int(re.sub(r"\D", "", found[0])))
            elif kind not in ("space", "and", "dashes"):
                one = self._one(found)
                if joins:
                    one = AnyOf((*(parts[-1].parts if isinstance(parts[-1], AnyOf) else (parts[-1],)), one))
                    parts.pop()
                joins = False
                parts.append(one)
        return parts

    def _join_near(self, parts: list[SearchExpression], distance: int) -> None:
        """Joins the last part and the next one."""
        found = _TOKEN.match(self._text, self._at)
        while found is not None and found.lastgroup == "space":
            self._at = found.end()
            found = _TOKEN.match(self._text, self._at)
        if found is None or found.lastgroup not in ("word", "quoted"):
            return
        self._at = found.end()
        one, other = parts[-1], self._one(found)
        if isinstance(one, Phrase) and isinstance(other, Phrase) and not one.columns:
            parts[-1] = Near(one, other, distance)
        else:
            parts.append(other)

    def _one(self, found: re.Match[str]) -> SearchExpression:
        match found.lastgroup:
            case "quoted":
                return Phrase(found[0].strip('"'), quoted=True)
            case "open":
                return self._group(found[0])
            case "minus":
                inner = _TOKEN.match(self._text, self._at)
                if inner is None or inner.lastgroup not in ("quoted", "open", "minus", "operator", "word"):
                    return EVERYTHING
                self._at = inner.end()
                excluded = self._one(inner)
                return Not(excluded) if excluded != EVERYTHING else EVERYTHING
            case "operator":
                return self._operator(found[0][:-1], found)
        return self._word(found[0])

    def _group(self, opening: str) -> SearchExpression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            remedy = f"Use at most {MAX_DEPTH}."
            self._note(SearchNoteKind.TOO_DEEP, "", NotAllowed("The search has too many brackets in each other.", remedy))
            self._at = len(self._text)
            return EVERYTHING
        parts = self._parts(")" if opening == "(" else "}")
        self._depth -= 1
        return _all_of(parts) if opening == "(" or not parts else (parts[0] if len(parts) == 1 else AnyOf(tuple(parts)))

    def _operator(self, name: str, found: re.Match[str]) -> SearchExpression:
        value = _VALUE.match(self._text, self._at)
        if not knows(name.lower()):
            if value is None or value.start(value.lastgroup or 0) != self._at or name.lower() in _NOT_OPERATORS:
                return self._word(name)
            self._at = value.end()
            if value.lastgroup == "open":
                self._group(value["open"])
            if not self._unfinished():
                remedy = "Put it in quotes to search for it as text."
                self._note(
                    SearchNoteKind.UNKNOWN_OPERATOR, found[0], NotAllowed(f"{found[0]} is no operator of a search.", remedy)
                )
            return EVERYTHING
        if value is None or self._is_operator(value):
            return EVERYTHING
        self._at = value.end()
        match value.lastgroup:
            case "quoted":
                inner: SearchExpression = Phrase(value["quoted"].strip('"'), quoted=True)
            case "open":
                inner = self._group(value["open"])
            case _:
                inner = self._word(value["word"])
        return self._spread(inner, name.lower())

    def _is_operator(self, value: re.Match[str]) -> bool:
        """Whether after a gap another operator stands where a value should."""
        if value.lastgroup != "word" or value.start("word") == self._at:
            return False
        found = _TOKEN.match(value["word"])
        if found is None:
            return False
        return found.lastgroup == "or" or (found.lastgroup == "operator" and knows(found[0][:-1].lower()))

    def _spread(self, value: SearchExpression, name: str) -> SearchExpression:
        """Applies an operator to each word of its value."""
        match value:
            case Phrase():
                try:
                    return meaning(name, value)
                except NotAllowed as error:
                    if not (self._unfinished() and begins_value(name, value.text)):
                        self._note(SearchNoteKind.UNKNOWN_VALUE, f"{name}:{value.text}", error)
                    return EVERYTHING
            case Not(inner):
                return Not(self._spread(inner, name))
            case AllOf(parts):
                return AllOf(tuple(self._spread(one, name) for one in parts))
            case AnyOf(parts):
                return AnyOf(tuple(self._spread(one, name) for one in parts))
        return value

    def _word(self, word: str) -> Phrase:
        """Free text. A star at the end makes a word a prefix, a plus before it asks for exactly this word."""
        exact = word.startswith("+") and len(word) > 1 and word[1].isalpha()
        if word.endswith("*") and len(word) > _SHORTEST_PREFIX and word[-2].isalnum():
            return Phrase(word.lstrip("+")[:-1], prefix=True, quoted=exact)
        text = (word[1:] if exact else word).rstrip("*")
        typed = self._unfinished() and not exact and len(text) >= _SHORTEST_PREFIX and text[-1:].isalnum()
        return Phrase(text, prefix=typed, quoted=exact)

    def _unfinished(self) -> bool:
        """Whether the line ends here while somebody types it."""
        return self._typing and self._at >= len(self._text)

    def _note(self, kind: SearchNoteKind, text: str, error: NotAllowed) -> None:
        self.notes.append(SearchNote(kind, text))
        self.errors.append(error)


def _all_of(parts: list[SearchExpression]) -> SearchExpression:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def has_word(text: str) -> bool:
    """Whether the full-text index would find a word: a letter, a digit or a private-use character."""
    return any(unicodedata.category(one)[0] in "LN" or unicodedata.category(one) == "Co" for one in text)


def by_meaning(expression: SearchExpression) -> tuple[str, SearchExpression]:
    """Splits an expression into its free words (empty for none) and an expression with the remaining conditions."""
    match expression:
        case Phrase(columns=(), prefix=False, quoted=False):
            return (expression.text if has_word(expression.text) else ""), EVERYTHING
        case AllOf(parts):
            words, kept = _parted(parts)
            rest = tuple(one for one in kept if one != EVERYTHING)
            return words, rest[0] if len(rest) == 1 else AllOf(rest)
        case AnyOf(parts):
            words, kept = _parted(parts)
            return words, EVERYTHING if EVERYTHING in kept else AnyOf(kept)
        case _:
            return "", expression


def _parted(parts: tuple[SearchExpression, ...]) -> tuple[str, tuple[SearchExpression, ...]]:
    found = [by_meaning(one) for one in parts]
    return " ".join(words for words, _ in found if words), tuple(rest for _, rest in found)


def names_hidden(expression: SearchExpression) -> bool:
    """Whether the expression names spam, trash or anywhere."""
    match expression:
        case HasLabel(name):
            return name.strip().casefold() in ("", "spam", "trash")
        case Not(inner):
            return names_hidden(inner)
        case AllOf(parts) | AnyOf(parts):
            return any(names_hidden(one) for one in parts)
        case _:
            return False
