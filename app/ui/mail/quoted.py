"""Folding what was quoted: the newest words stay open, the history is one click away. Nothing is removed."""

import re

from app.domain.quotes import split_text

_QUOTE = re.compile(r"<(/?)blockquote\b[^>]*>", re.IGNORECASE)


def newest_and_history(text: str) -> tuple[str, str]:
    """What the writer wrote, signature included, and the quoted history (empty if there is none, or nothing else)."""
    split = split_text(text)
    if not split.own or not split.history:
        return text, ""
    return "\n\n".join(filter(None, (split.own, split.signature))), split.history


def fold_html(html: str, words: str, unfolded: bool = False) -> str:
    """Wrap each outermost blockquote in a `details` element, folded or `unfolded`, so that no script is needed to open it. A mail
    that is nothing but a quote stays open; unbalanced quotes stay as they are."""
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
