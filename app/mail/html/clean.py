"""Makes the HTML of messages safe to show: allowed elements, plain links, filtered styles, no remote loads.

nh3 writes the result; links and styles are filtered by our own rules on the way. A remote image's `src` is moved to
`data-remote-src`, which the window restores if the user asks. Cleaning twice changes nothing.
"""

import html
import logging
import re
from contextvars import ContextVar
from functools import cache

import nh3
from selectolax.lexbor import LexborHTMLParser, LexborNode

from app.mail.html.bounds import TimeBudget, bounded
from app.mail.html.css import clean_sheet, clean_style, colours_only
from app.mail.html.links import safe_image, safe_link
from app.mail.mime.text import without_overrides

log = logging.getLogger(__name__)

LONGEST_HTML = 1_000_000
MOST_PASSES = 6
UNENCODABLE = re.compile("[\x00\ud800-\udfff]")
CONTENT_ID = re.compile(r"cid:[^\s<>\"'\x00-\x1f\x7f]{1,500}", re.IGNORECASE)
TREATED = re.compile(r"<(?:img|image|style|body\s)", re.IGNORECASE)
"""Markup that only the parsed tree can fix; most mail written by people has none of it."""
PLAIN_VALUE = re.compile(r"[\w #%.,:/+*-]{0,100}")

_TAGS_NAMES = (
    "a abbr address article aside b big blockquote br caption center cite code col colgroup dd del dfn div dl dt em "
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section "
    "small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr"
)
TAGS = frozenset(_TAGS_NAMES.split())
_SILENCED_NAMES = (
    "script style title noscript iframe object embed applet svg math template textarea select noembed noframes xmp "
    "plaintext audio video canvas frameset"
)
SILENCED = frozenset(_SILENCED_NAMES.split())
"""Elements that are removed with their content."""
_CELL = frozenset({"colspan", "rowspan", "width", "height", "bgcolor", "nowrap", "headers", "scope"})
ATTRIBUTES: dict[str, frozenset[str]] = {
    "*": frozenset({"style", "class", "id", "dir", "lang", "title", "align", "valign", "hidden"}),
    "a": frozenset({"href", "name"}),
    "img": frozenset({"src", "data-remote-src", "alt", "width", "height", "border", "hspace", "vspace"}),
    "table": frozenset({"width", "height", "border", "cellpadding", "cellspacing", "bgcolor", "summary", "frame", "rules"}),
    "tr": frozenset({"bgcolor", "height"}),
    "td": _CELL,
    "th": _CELL,
    "col": frozenset({"span", "width"}),
    "colgroup": frozenset({"span", "width"}),
    "font": frozenset({"color", "face", "size"}),
    "ol": frozenset({"start", "type", "reversed"}),
    "ul": frozenset({"type"}),
    "li": frozenset({"value", "type"}),
    "blockquote": frozenset({"type"}),
    "hr": frozenset({"width", "size", "color", "noshade"}),
    "time": frozenset({"datetime"}),
}
FREE_TEXT = frozenset({"alt", "title", "summary", "class", "id", "face", "name", "headers"})
BUDGET: ContextVar[TimeBudget] = ContextVar("budget")
"""The time of the present mail, for the filter that nh3 calls."""


def clean_html(source: str) -> str:
    """Returns `source` (a document or a fragment) as safe HTML; may be empty. Raises `TooSlow`."""
    if not source.strip():
        return ""
    budget = TimeBudget()
    BUDGET.set(budget)
    text = bounded(UNENCODABLE.sub("", source[:LONGEST_HTML]))
    for _ in range(MOST_PASSES):
        cleaned = _pass(text, budget)
        if cleaned == text:
            return cleaned
        text = cleaned
    # Markup that changes with every pass is shown as plain text.
    return html.escape(without_overrides(nh3.clean(text, tags=set()).strip()), quote=False)


def _pass(source: str, budget: TimeBudget) -> str:
    """One cleaning pass. Styles and images are handled in the parsed tree before nh3."""
    if TREATED.search(source) is None:
        return _safe(source, budget)
    tree = LexborHTMLParser(source)
    sheets: list[str] = []
    for node in tree.css("style"):
        budget.check()
        sheets.append(clean_sheet(node.text() or ""))
    for node in tree.css("img"):
        _disarm_image(node)
    ground = _body_colours(tree)
    body = _safe(tree.html or "", budget)
    if ground and body:
        body = f'<div style="{ground}">{body}</div>'
    sheet = "\n".join(dict.fromkeys(filter(None, sheets)))
    return f"<style>{sheet}</style>\n{body}" if sheet and body else body


def _safe(source: str, budget: TimeBudget) -> str:
    """Cleans with nh3. What it made after the end of the time is dropped, as the filter left out styles by then."""
    cleaned = _cleaner().clean(source.strip())
    budget.check()
    return without_overrides(cleaned).strip()


def _body_colours(tree: LexborHTMLParser) -> str:
    """The colours of the `body` element, which is dropped itself. Without them light text could end up on white."""
    attributes = tree.body.attributes if tree.body is not None else {}
    if not attributes:
        return ""
    named = [
        f"{name}:{attributes[key]}" for name, key in (("background-color", "bgcolor"), ("color", "text")) if attributes.get(key)
    ]
    return colours_only(clean_style(";".join([*named, attributes.get("style") or ""])))


def _disarm_image(node: LexborNode) -> None:
    """Moves a remote source to an attribute that loads nothing."""
    source = (node.attributes.get("src") or "").strip()
    if not source or CONTENT_ID.fullmatch(source):
        if source and "data-remote-src" in node.attributes:
            del node.attrs["data-remote-src"]
        return
    del node.attrs["src"]
    remote = safe_image(f"https:{source}" if source.startswith("//") else source)
    if remote:
        node.attrs["data-remote-src"] = remote


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags=set(SILENCED),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto", "cid"},
        url_relative="deny",
        link_rel=None,
    )


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Filters one attribute for nh3. nh3 would print the value, which is the sender's text, to standard error if this raised."""
    try:
        return _kept(name, value)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError) as error:
        log.error("an attribute %s of %s is left out: %s", name, tag, type(error).__name__)
        return None


def _kept(name: str, value: str) -> str | None:
    """The value an allowed attribute may keep, or None."""
    if name == "style":
        return None if BUDGET.get().over else clean_style(value) or None
    if name == "href":
        return safe_link(value)
    if name == "src":
        return value.strip() if CONTENT_ID.fullmatch(value.strip()) else None
    if name == "data-remote-src":
        return safe_image(value)
    if name in FREE_TEXT:
        return value
    return value if PLAIN_VALUE.fullmatch(value) else None
