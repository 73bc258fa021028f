"""Parses a search line with Gmail's operators into a `SearchExpression`.

Words next to each other must all match, `OR` binds tighter, `-` excludes, parentheses group, braces mean OR. For search by
meaning the line is split into free words and conditions: operators, quotes, a star and exclusions stay conditions.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError, VisitError

from app.domain.errors import ExpectedError, NotAllowed
from app.store.search.query_sql import has_word
from app.store.search.query_tree import (
    AllOf,
    AnyOf,
    DateCondition,
    Filename,
    HasAttachment,
    HasLabel,
    Not,
    OfAccount,
    Phrase,
    SearchExpression,
)

MAX_LENGTH = 1000
MAX_DEPTH = 30

_GRAMMAR = r"""
    start: all?
    all: any+
    any: one (OR one)*
    ?one: MINUS one -> exclude
        | "(" all? ")" -> group
        | "{" one* "}" -> braces
        | OPERATOR value? -> operator
        | PHRASE -> text
        | WORD -> text
    ?value: PHRASE -> phrase
        | WORD -> word
        | "(" all? ")" -> listed
        | "{" one* "}" -> braces
    OPERATOR.4: /(from|to|cc|bcc|subject|label|in|is|has|before|after|newer|older|newer_than|older_than|filename|account):/i
    OR.3: /(OR(?![^\s(){}"])|\|)/
    AND.3: /AND(?![^\s(){}"])/
    MINUS.3: /-(?=[^\s\-){}])/
    DASHES.2: /-+/
    PHRASE: /"[^"]*"/
    WORD: /[^\s(){}"\-|][^\s(){}"]*/
    %ignore /\s+/
    %ignore AND
    %ignore DASHES
"""

EVERYTHING = AllOf(())

COLUMNS: dict[str, tuple[str, ...]] = {
    "from": ("sender",),
    "to": ("recipients", "copies", "blind_copies"),
    "cc": ("copies",),
    "bcc": ("blind_copies",),
    "subject": ("subject",),
}
"""The index columns of each operator. As in Gmail, `to:` also searches Cc and Bcc."""

IS_VALUES = ("unread", "read", "starred", "important")
_SHORTEST_PREFIX = 3


def parse_query(text: str) -> SearchExpression:
    """Parses a search line. Raises `NotAllowed` with the part that cannot be understood."""
    if len(text) > MAX_LENGTH:
        raise NotAllowed(f"The search has {len(text)} characters.", f"Use at most {MAX_LENGTH}.")
    closed = _closed(text.replace("\0", " "))
    try:
        # With an embedded transformer lark returns the result of `start`, which its annotation cannot express.
        return cast(SearchExpression, _parser().parse(closed))
    except VisitError as error:
        if isinstance(error.orig_exc, ExpectedError):
            raise error.orig_exc from None
        raise
    except LarkError as error:
        column = getattr(error, "column", -1)
        raise NotAllowed(f"The search cannot be understood near character {column}.", "Put the words in quotes.") from error


@cache
def _parser() -> Lark:
    """Builds the parser at the first search, which takes about 10 ms."""
    return Lark(_GRAMMAR, parser="lalr", transformer=_Tree(), maybe_placeholders=False)


def _closed(text: str) -> str:
    """Closes open quotes and brackets and removes unmatched closing ones. Raises `NotAllowed` for too deep nesting."""
    kept: list[str] = []
    open_brackets: list[str] = []
    quoted = False
    for character in text:
        quoted ^= character == '"'
        if not quoted and character in "({":
            open_brackets.append(")" if character == "(" else "}")
        elif not quoted and character in ")}":
            if not open_brackets or open_brackets[-1] != character:
                continue
            open_brackets.pop()
        kept.append(character)
        if len(open_brackets) > MAX_DEPTH:
            raise NotAllowed("The search has too many brackets in each other.", f"Use at most {MAX_DEPTH}.")
    return "".join((*kept, '"' if quoted else "", *reversed(open_brackets)))


@v_args(inline=True)
class _Tree(Transformer[Token, SearchExpression]):
    """Builds the expression while parsing."""

    def start(self, inner: SearchExpression = EVERYTHING) -> SearchExpression:
        return inner

    def all(self, *parts: SearchExpression) -> SearchExpression:
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def any(self, *parts: SearchExpression | Token) -> SearchExpression:
        return _any_of(tuple(one for one in parts if not isinstance(one, Token)))

    def exclude(self, _minus: Token, inner: SearchExpression) -> SearchExpression:
        return Not(inner)

    def group(self, inner: SearchExpression = EVERYTHING) -> SearchExpression:
        return inner

    def braces(self, *parts: SearchExpression) -> SearchExpression:
        return _any_of(parts) if parts else EVERYTHING

    def text(self, token: Token) -> SearchExpression:
        return _words(token, ())

    def phrase(self, token: Token) -> SearchExpression:
        return _words(token, ())

    def word(self, token: Token) -> SearchExpression:
        return _words(token, ())

    def listed(self, inner: SearchExpression = EVERYTHING) -> SearchExpression:
        return inner

    def operator(self, name: Token, value: SearchExpression = EVERYTHING) -> SearchExpression:
        return _spread(value, _meanings(name.rstrip(":").lower()))


def _any_of(parts: tuple[SearchExpression, ...]) -> SearchExpression:
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _words(token: str, columns: tuple[str, ...]) -> Phrase:
    """Free text. A star at the end of a word makes it a prefix."""
    if token.startswith('"'):
        return Phrase(token.strip('"'), columns, quoted=True)
    stem = token.rstrip("*")
    return Phrase(stem, columns, prefix=stem != token and len(stem) >= _SHORTEST_PREFIX)


def _spread(value: SearchExpression, meaning: Callable[[Phrase], SearchExpression]) -> SearchExpression:
    """Applies an operator to each plain word of its value, as in `from:(ana OR ben)`."""
    match value:
        case Phrase(columns=()):
            return meaning(value)
        case Not(inner):
            return Not(_spread(inner, meaning))
        case AllOf(parts):
            return AllOf(tuple(_spread(one, meaning) for one in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_spread(one, meaning) for one in parts))
        case _:
            return value


def _meanings(name: str) -> Callable[[Phrase], SearchExpression]:
    """The function that applies an operator to a word."""
    if name in COLUMNS:
        return lambda words: Phrase(words.text, COLUMNS[name], words.prefix, words.quoted)
    if name == "is":
        return lambda words: _is(words.text.lower())
    if name == "has":
        return lambda words: _has(words.text.lower())
    if name == "account":
        return lambda words: OfAccount(words.text)
    if name == "filename":
        return lambda words: Filename(words.text)
    if name in ("label", "in"):
        return lambda words: HasLabel("" if words.text.lower() in ("anywhere", "all") else words.text)
    operator = {"newer": "after", "older": "before"}.get(name, name)
    return lambda words: _when(operator, words.text)


def _is(value: str) -> SearchExpression:
    """`is:`. Raises `NotAllowed` for an unknown value."""
    if value not in IS_VALUES:
        raise NotAllowed(f"is:{value} is not known.", f"Use is: with {', '.join(IS_VALUES)}.")
    return Not(HasLabel("unread")) if value == "read" else HasLabel(value)


def _has(value: str) -> SearchExpression:
    """`has:`. Raises `NotAllowed` for an unknown value."""
    if value != "attachment":
        raise NotAllowed(f"has:{value} is not known.", "Use has:attachment.")
    return HasAttachment()


def _when(operator: str, value: str) -> SearchExpression:
    """Dates and ages. Checks only the format; the calendar is checked when the search runs."""
    dated = operator in ("before", "after")
    pattern = r"\d{4}[/-]\d{1,2}[/-]\d{1,2}|\d{9,11}" if dated else r"\d{1,5}[dmy]"
    if not re.fullmatch(pattern, value, re.ASCII):
        remedy = f"Write {operator}:2026/03/31." if dated else f"Write {operator}:7d, {operator}:2m or {operator}:1y."
        raise NotAllowed(f"{operator}:{value} is not understood.", remedy)
    return DateCondition(operator, value)


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
