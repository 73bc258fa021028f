"""Filters the styles of mail: allowed declarations whose values load nothing and stay inside the mail's own area.

Works on tokens, not on text, so escapes and comments hide nothing.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import tinycss2
import tinycss2.color3
from tinycss2.ast import (
    AtRule,
    CurlyBracketsBlock,
    Declaration,
    FunctionBlock,
    IdentToken,
    Node,
    ParenthesesBlock,
    QualifiedRule,
    SquareBracketsBlock,
)

PREFIXES = (
    "background-color", "border", "color", "display", "font", "height", "letter-spacing", "line-height", "list-style-position",
    "list-style-type", "margin", "max-", "min-", "opacity", "outline", "overflow-wrap", "padding", "table-layout", "text-",
    "vertical-align",
    "visibility", "white-space", "width", "word-", "float", "clear", "direction", "empty-cells", "caption-side",
)  # fmt: skip
DROPPED_NAMES = frozenset({"border-image", "border-image-source", "border-image-slice", "font-palette", "font-src"})
FUNCTIONS = frozenset({"rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp"})
NAME = re.compile(r"-?[a-z][a-z-]{0,40}")
WORD = re.compile(r"[A-Za-z0-9_-]{1,60}")
UNIT = re.compile(r"[a-z]{1,5}")
STRING = re.compile(r"[\w \-.,+&']{0,80}")
SIGNS = frozenset({",", "/", "+", "-", "*"})
SELECTOR_SIGNS = frozenset({".", ",", ">", "+", "*", "~"})
LONGEST_STYLE = 20_000
LONGEST_SHEET = 200_000
MOST_RULES = 3000
DEEPEST = 20
"""Nested blocks and functions. No mail needs more, and serialising recurses for each level."""
QUERY = frozenset({"whitespace", "comment", "ident", "literal", "number", "percentage", "dimension"})
MEDIA = re.compile(r"[A-Za-z0-9 ():,.\-]{0,200}")


LONG_NUMBER = re.compile(r"(\d{30})\d+")


def short_numbers(style: str) -> str:
    """The style with numbers of at most 30 digits: Python reads no integer of 4,300."""
    return LONG_NUMBER.sub(r"\1", style) if len(style) > 30 else style


@lru_cache(maxsize=1024)
def clean_style(style: str) -> str:
    """The allowed declarations of a `style` attribute, serialised anew; may be empty."""
    if len(style) > LONGEST_STYLE:
        return ""
    return _declarations(tinycss2.parse_blocks_contents(short_numbers(style), skip_comments=True, skip_whitespace=True))


def clean_sheet(sheet: str) -> str:
    """The allowed rules of a `style` element, serialised anew."""
    rules = tinycss2.parse_stylesheet(short_numbers(sheet[:LONGEST_SHEET]), skip_comments=True, skip_whitespace=True)
    return "\n".join(_rules(rules[:MOST_RULES], nested=False))


def declarations_of(content: str) -> list[Declaration]:
    nodes = tinycss2.parse_blocks_contents(short_numbers(content), skip_comments=True, skip_whitespace=True)
    return [node for node in nodes if isinstance(node, Declaration)]


def too_deep(nodes: Iterable[Node]) -> bool:
    """Whether blocks and functions are nested deeper than `DEEPEST`."""
    level = list(nodes)
    for _ in range(DEEPEST):
        level = [inner for node in level for inner in _inside(node)]
        if not level:
            return False
    return True


def _inside(node: Node) -> Sequence[Node]:
    if isinstance(node, FunctionBlock):
        inner: Sequence[Node] = node.arguments
    elif isinstance(node, CurlyBracketsBlock | ParenthesesBlock | SquareBracketsBlock):
        inner = node.content
    else:
        inner = ()
    return inner


def _rules(rules: Sequence[Node], *, nested: bool) -> list[str]:
    cleaned: list[str] = []
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            selector = _selector(rule.prelude)
            body = _declarations(tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True))
            if selector and body:
                cleaned.append(f"{selector} {{ {body} }}")
        elif isinstance(rule, AtRule) and not nested:
            cleaned += _media(rule)
    return cleaned


def _media(rule: AtRule) -> list[str]:
    if rule.lower_at_keyword != "media" or rule.content is None or too_deep(rule.prelude) or not _plain_query(rule.prelude):
        return []
    query = " ".join(tinycss2.serialize(rule.prelude).split())
    inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
    body = _rules(inner, nested=True)
    if not body or not MEDIA.fullmatch(query):
        return []
    return [f"@media {query} {{ " + " ".join(body) + " }"]


def _plain_query(nodes: Iterable[Node]) -> bool:
    """Whether a media query has only words and numbers, no functions or addresses."""
    return all(node.type in QUERY or (isinstance(node, ParenthesesBlock) and _plain_query(node.content)) for node in nodes)


def colours_only(style: str) -> str:
    """The background and text colour of a cleaned style."""
    return "; ".join(declaration for declaration in style.split("; ") if declaration.startswith(("background-color:", "color:")))


def _declarations(nodes: Iterable[Node]) -> str:
    own = [node for node in nodes if isinstance(node, Declaration) and not too_deep(node.value)]
    kept = [text for node in own if (text := _declaration(node))]
    if not any(text.startswith("background-color:") for text in kept):
        kept += _gradient_colour(own)
    return "; ".join(kept)


def _gradient_colour(own: Sequence[Declaration]) -> list[str]:
    """A gradient's first colour if no plain one is set. White text on a gradient must not end up on white."""
    backgrounds = [node for node in own if node.lower_name in {"background", "background-image"}]
    gradients = [token for node in backgrounds for token in node.value if _gradient(token)]
    colour = next((text for gradient in gradients if (text := _colour(gradient.arguments))), "")
    return [f"background-color: {colour}"] if colour else []


def _gradient(token: Node) -> bool:
    return isinstance(token, FunctionBlock) and token.lower_name.endswith("-gradient")


def _declaration(node: Declaration) -> str:
    name = node.lower_name
    if not NAME.fullmatch(name) or name in DROPPED_NAMES:
        return ""
    important = " !important" if node.important else ""
    if name == "background":
        return f"background-color: {colour}{important}" if (colour := _colour(node.value)) else ""
    if not name.startswith(PREFIXES):
        return ""
    value = _value(node.value)
    if not value or ((name in {"margin", "text-indent"} or name.startswith("margin-")) and "-" in value):
        return ""  # negative margins would draw the mail over the window's own text
    return f"{name}: {value}{important}"


def _colour(tokens: Sequence[Node]) -> str:
    """The first colour of a background's layers; pictures are dropped."""
    return next((text for token in tokens if tinycss2.color3.parse_color(token) and (text := _token(token))), "")


def _value(tokens: Sequence[Node]) -> str:
    """The value serialised anew; empty if any token is not allowed."""
    written: list[str] = []
    for token in tokens:
        text = _token(token)
        if text is None:
            return ""
        written.append(text)
    return " ".join("".join(written).split())


def _token(token: Node) -> str | None:
    kind = token.type
    if kind in {"whitespace", "comment"}:
        return " "
    if kind in {"number", "percentage", "dimension"}:
        return _numeric(token)
    if kind == "ident":
        return token.value if WORD.fullmatch(token.value) else None
    if kind == "hash":
        return f"#{token.value}" if WORD.fullmatch(token.value) else None
    if kind == "string":
        return f'"{token.value}"' if STRING.fullmatch(token.value) else None
    if kind == "literal":
        return token.value if token.value in SIGNS else None
    if isinstance(token, FunctionBlock) and token.lower_name in FUNCTIONS:
        inner = _value(token.arguments)
        return f"{token.lower_name}({inner})" if inner else None
    return None


def _numeric(token: Node) -> str | None:
    """A number with its unit, rounded; None for unusual units."""
    if not -100_000 <= token.value <= 100_000:
        return None
    shown = f"{token.value:.4f}".rstrip("0").rstrip(".")
    shown = "0" if shown in {"-0", ""} else shown
    if token.type == "percentage":
        return f"{shown}%"
    if token.type == "dimension":
        return shown + token.lower_unit if UNIT.fullmatch(token.lower_unit) else None
    return shown


def _selector(tokens: Sequence[Node]) -> str:
    """A selector of elements, classes, ids and combinators; empty for any other selector."""
    written: list[str] = []
    for token in tokens:
        if token.type in {"whitespace", "comment"}:
            written.append(" ")
        elif (isinstance(token, IdentToken) and WORD.fullmatch(token.value)) or (
            token.type == "literal" and token.value in SELECTOR_SIGNS
        ):
            written.append(token.value)
        elif token.type == "hash" and WORD.fullmatch(token.value):
            written.append(f"#{token.value}")
        else:
            return ""
    return " ".join("".join(written).split())
