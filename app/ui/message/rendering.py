"""Builds the page for a message's body. A document around cleaned HTML with a policy that forbids all loads; links in plain text;
folding of quoted text. No Qt.
"""

import html as markup
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote

from app.domain.mail.quotes import split_text
from app.domain.record import Record
from app.ui.theme.appearance import Theme

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; img-src mailmsg: data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
)
NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
"""A transparent image, so that an unloaded remote image shows a tinted area instead of a broken icon."""

CONTENT_ID = "cid/"
"""Path, below the page's address, of a picture inside the mail, by content id."""

PLACE = "replyroom-place"
"""Anchor to which Chromium scrolls when a position is restored."""
UNFOLDED = "unfolded"
"""Path that the page requests once quoted text is unfolded, so that no script is needed to know."""

_CARD = (
    "body{background:#FFFFFF;border-radius:8px;box-sizing:border-box;width:fit-content;min-width:calc(100% - 32px);"
    "margin:12px 16px;padding:16px;overflow:hidden}"
)
"""In dark themes a mail with its own colours is on a white card as wide as its widest table, not on the window's background. It
stays readable if the user wants it white; otherwise Chromium darkens the card too."""

MANY_COLUMNS = "tr:has(>:nth-child(6))>*"
"""Cells of tables of figures. Their words are not broken into letters; the mail scrolls sideways instead. Layout tables, which
have fewer columns, may hold long addresses, for which a mail should not get wide.
"""
LARGEST_BODY = 1_500_000
_COLOURS = re.compile(r"bgcolor|background|[\s;\"']color\s*[:=]", re.IGNORECASE)
_CID = re.compile(r"(\bsrc\s*=\s*[\"'])cid:([^\"']*)", re.IGNORECASE)
_TARGET = re.compile(r"\starget\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)
_LINK = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"'()\[\]{}]+[^\s<>\"'()\[\]{}.,;:!?]")


def has_own_colours(html: str) -> bool:
    """Whether the mail sets colours. Such a mail gets its own background in any theme."""
    return _COLOURS.search(html) is not None


def page(body: str, theme: Theme, family: str, size_pt: float, place_y: int = 0, pictures: str = "") -> str:
    """A whole HTML document around a cleaned body, cut at `LARGEST_BODY` characters. `PLACE` is `place_y` pixels down. The body
    takes the Tab focus with a ring, so that mail without links can be scrolled by keys. `pictures` is the path of its inline
    pictures below `CONTENT_ID`.
    """
    own = has_own_colours(body)
    ground = "#FFFFFF" if own and not theme.dark else theme.surface
    style = _frame_style(theme, own, ground, family, size_pt, place_y) + _content_style(theme, own)
    style += _CARD if own and theme.dark else "body{margin:12px 16px}"
    style += f"details[open]>summary{{background-image:url({UNFOLDED})}}"
    return _document(style, _placed(body[:LARGEST_BODY], pictures), place_y)


class Section(Record):
    """A message of a conversation: its head, and its cleaned HTML. `beginning` is shown while it is closed."""

    key: int
    who: str
    when: str
    beginning: str
    warning: str
    files: str
    html: str
    current: bool = False
    closed: bool = False


def conversation_page(sections: Iterable[Section], theme: Theme, family: str, size_pt: float, place_y: int = 0) -> str:
    """A whole HTML document of messages below each other, which open and close without a script. The anchor of a message is `m`
    with its key. Each body is a shadow tree that paints only inside its box, so that its styles reach no other message.
    """
    style = _frame_style(theme, False, theme.surface, family, size_pt, place_y) + (
        f"body{{margin:0 16px 12px}}summary{{display:flex;gap:8px;padding:8px 12px;margin-top:12px;cursor:pointer;"
        f"list-style:none;border-radius:8px;background:{theme.neutral_soft}}}"
        f"summary span{{color:{theme.text_soft};flex:1;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}}"
        f"details[open]>summary span{{visibility:hidden}}summary time,.files{{color:{theme.text_soft}}}"
        f".files{{margin:4px 12px}}.warning{{color:{theme.danger};font-weight:600;margin:8px 12px 0}}"
        f".at{{display:block;scroll-margin-top:4em}}.mail{{contain:content;overflow-x:auto;margin-top:4px;padding:12px;border-radius:8px}}"
        f"body:not(:has(.at:target)) .current>summary,details:has(>.at:target)>summary{{background:{theme.accent_soft}}}"
    )
    return _document(style, "".join(_section(one, theme) for one in sections), place_y)


_SHEET = re.compile(r"<style>.*?</style>", re.DOTALL)
_BODY_SELECTOR = re.compile(r"(?<![\w.#-])body(?![\w-])(?=[^{}]*\{)")


def _section(one: Section, theme: Theme) -> str:
    own = has_own_colours(one.html)
    ink, _link, _line = _inks(theme, own)
    body = _SHEET.sub(lambda sheet: _BODY_SELECTOR.sub(".mail-body", sheet[0]), _placed(one.html, f"{one.key}/"))
    head = f"<b>{markup.escape(one.who)}</b> <span>{markup.escape(one.beginning)}</span> <time>{markup.escape(one.when)}</time>"
    warning = f'<p class="warning">{markup.escape(one.warning)}</p>' if one.warning else ""
    files = f'<p class="files">{markup.escape(one.files)}</p>' if one.files else ""
    return (
        f"<details{'' if one.closed else ' open'}{' class=current' if one.current else ''}><summary>{head}</summary>"
        f'<a class="at" id="m{one.key}"></a>{warning}'
        f'<div class="mail" style="color:{ink};background:{"#FFFFFF" if own else theme.surface}">'
        f'<template shadowrootmode="open"><style>{_content_style(theme, own)}</style><div class="mail-body">{body}</div>'
        f"</template></div>{files}</details>"
    )


def _inks(theme: Theme, own: bool) -> tuple[str, str, str]:
    """The colours of text, links and lines."""
    return ("#1A1D23", "#2148A8", "#D5D9E0") if own else (theme.text, theme.accent, theme.line)


def _frame_style(theme: Theme, own: bool, ground: str, family: str, size_pt: float, place_y: int) -> str:
    ink, link, _line = _inks(theme, own)
    bar, ring = ("#8B93A0", link) if own and not theme.dark else (theme.line_strong, theme.accent)
    return (
        f"html{{background:{ground};color:{ink};font:{size_pt:.1f}pt '{family}',sans-serif;"
        f"line-height:1.5;overflow-wrap:anywhere}}"
        f"::-webkit-scrollbar{{width:10px;height:10px}}::-webkit-scrollbar,::-webkit-scrollbar-corner{{background:{ground}}}"
        f"::-webkit-scrollbar-thumb{{background:{bar};border:2px solid {ground};border-radius:5px}}"
        f"body:focus{{outline:none}}html:has(>body:focus-visible)::after{{content:'';position:fixed;inset:0;"
        f"border:1px solid {ring};pointer-events:none;z-index:2147483647}}"
        f"#{PLACE}{{position:absolute;left:0;top:{place_y}px;width:1px;height:1px}}"
    )


def _content_style(theme: Theme, own: bool) -> str:
    ink, link, line = _inks(theme, own)
    return (
        f"a{{color:{link}}}img{{max-width:100%}}img:not([data-remote-src]){{height:auto}}"
        f"table{{max-width:100%}}{MANY_COLUMNS}{{overflow-wrap:break-word}}"
        f"pre{{white-space:pre-wrap}}"
        f"blockquote{{margin:8px 0 8px 4px;padding-left:12px;border-left:2px solid {line}}}"
        f"[data-remote-src]{{background:{line};color:{ink};border-radius:4px;font-size:.85em;overflow:hidden;max-width:100%}}"
        f"img[data-remote-src]{{content:url({NOTHING})}}img[data-remote-src]:not([height]){{max-height:4em}}"
        f"summary{{cursor:pointer;color:{link};margin:8px 0;list-style:none}}"
    )


def _document(style: str, body: str, place_y: int) -> str:
    place = f'<div id="{PLACE}"></div>' if place_y else ""
    head = f'<head><meta charset="utf-8"><style>{style}</style></head>'
    return f'<!doctype html><html>{head}<body tabindex="0">{place}{body}</body></html>'


def _placed(body: str, pictures: str) -> str:
    """The body with inline pictures below its address and links without `target`. Both replacements are skipped where a cheap
    check shows nothing to replace.
    """
    small = body.lower()
    if "cid:" in small:
        body = _CID.sub(lambda tag: f"{tag[1]}{CONTENT_ID}{pictures}{quote(unquote(markup.unescape(tag[2])), safe='@')}", body)
    return _TARGET.sub("", body) if "target" in small else body


def links_in(text: str) -> Iterator[re.Match[str]]:
    return _LINK.finditer(text)


def text_html(text: str, theme: Theme) -> str:
    pieces = [markup.escape(one) for one in re.split(f"({_LINK.pattern})", text)]
    pieces[1::2] = [f'<a href="{one}" style="color:{theme.accent}">{one}</a>' for one in pieces[1::2]]
    return f'<div style="white-space:pre-wrap">{"".join(pieces)}</div>'


_QUOTE = re.compile(r"<(/?)blockquote\b[^>]*>", re.IGNORECASE)


def newest_and_history(text: str) -> tuple[str, str]:
    """The writer's own text with signature, and the quoted history. The history is empty if there is none or nothing else."""
    split = split_text(text)
    if not split.own or not split.history:
        return text, ""
    return "\n\n".join(filter(None, (split.own, split.signature))), split.history


def fold_html(html: str, words: str, unfolded: bool = False) -> str:
    """Wraps each outermost blockquote in a `details` element. It is folded or `unfolded`, and opens without a script. A mail with
    nothing but a quote and unbalanced quotes are returned unchanged.
    """
    details = "<details open>" if unfolded else "<details>"
    pieces: list[str] = []
    open_text: list[str] = []
    depth, last, start = 0, 0, 0
    for tag in _QUOTE.finditer(html):
        if not tag.group(1):
            if depth == 0:
                start = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                open_text.append(html[last:start])
                pieces += [html[last:start], f"{details}<summary>{words}</summary>", html[start : tag.end()], "</details>"]
                last = tag.end()
    open_text.append(html[last:])
    if depth or not pieces or not re.sub(r"<[^>]*>|\s|&nbsp;", "", "".join(open_text)):
        return html
    return "".join(pieces) + html[last:]
