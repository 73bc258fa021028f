"""Folding what was quoted: the newest words stay open, the history is one click away. Nothing is removed."""

import re

_ATTRIBUTION = re.compile(
    r"^(?:On .{6,200} wrote:|Am .{6,200} schrieb.{0,80}:|Dne .{6,200} napsala?.{0,80}:|Le .{6,200} a écrit\s?:"
    r"|-{2,} ?Original Message ?-{2,}|_{10,})\s*$",
    re.MULTILINE,
)
_QUOTE = re.compile(r"<(/?)blockquote\b[^>]*>", re.IGNORECASE)


def split_text(text: str) -> tuple[str, str]:
    """The newest part and the quoted history at the end (empty if there is none, or nothing else)."""
    at = len(text)
    found = _ATTRIBUTION.search(text)
    if found:
        at = found.start()
    lines = text.splitlines(keepends=True)
    tail = len(text)
    for line in reversed(lines):
        if line.strip() and not line.startswith(">"):
            break
        tail -= len(line)
    if any(line.startswith(">") for line in text[tail:].splitlines()):
        at = min(at, tail)
    newest = text[:at].rstrip()
    return (newest, text[at:].strip("\n")) if newest else (text, "")


def fold_html(html: str, words: str) -> str:
    """Wrap each outermost blockquote in a folded `details` element, so that no script is needed to open it. A mail that is
    nothing but a quote stays open; unbalanced quotes stay as they are."""
    pieces: list[str] = []
    depth, last, start = 0, 0, 0
    for tag in _QUOTE.finditer(html):
        if not tag.group(1):
            if depth == 0:
                start = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                pieces += [html[last:start], f"<details><summary>{words}</summary>", html[start : tag.end()], "</details>"]
                last = tag.end()
    if depth or not pieces or not re.sub(r"<[^>]*>|\s|&nbsp;", "", "".join(pieces[::4]) + html[last:]):
        return html
    return "".join(pieces) + html[last:]
