"""Gmail's search box language as a tree. Like Gmail it accepts anything: what is no operator is a word."""

import re
from dataclasses import dataclass
from typing import TypeAlias

OPERATORS = frozenset(
    {
        "from", "to", "cc", "bcc", "subject", "label", "in", "is", "has", "after", "before", "newer", "older",
        "newer_than", "older_than", "rfc822msgid", "larger", "smaller", "size", "filename", "deliveredto", "list",
        "category",
    }
)  # fmt: skip
TOKEN = re.compile(r'\s*(?:(?P<quoted>"[^"]*"?)|(?P<mark>[(){}])|(?P<minus>-)(?=[^\s])|(?P<word>[^\s(){}"]+))')
DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: an operator (or `text` for free words) and its value."""

    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    item: "Node"


@dataclass(frozen=True, slots=True)
class All:
    """Every condition must hold; an empty one always does."""

    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One condition must hold."""

    items: tuple["Node", ...]


Node: TypeAlias = Term | Not | All | Either


def parse_query(text: str) -> Node:
    """The tree of a search; never raises."""
    return _Reader(text).sequence(closing="", operator="", depth=0)


def terms_of(node: Node) -> list[Term]:
    """Every condition in the tree, in order."""
    if isinstance(node, Term):
        return [node]
    if isinstance(node, Not):
        return terms_of(node.item)
    return [term for item in node.items for term in terms_of(item)]


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [(str(found.lastgroup), found.group().strip()) for found in TOKEN.finditer(text)]
        self._at = 0

    def sequence(self, closing: str, operator: str, depth: int) -> Node:
        """Conditions up to a closing mark; OR binds tighter than the space, as in Gmail."""
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
        items = tuple(group[0] if len(group) == 1 else Either(tuple(group)) for group in groups)
        if closing == "}":
            return Either(items) if items else All(())
        return items[0] if len(items) == 1 else All(items)

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
            return All(())
        kind, text = self._tokens[self._at]
        self._at += 1
        return Not(self._condition(kind, text, operator, depth + 1))

    def _group(self, mark: str, operator: str, depth: int) -> Node:
        if depth > DEEPEST:
            return All(())
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
