"""Proposed and approved side by side in one text: what was taken out struck through, what came in underlined."""

import difflib
import html
import re

from PySide6.QtWidgets import QTextBrowser

from app.ui.appearance import Appearance
from app.ui.scale import Space
from app.ui.theme import Theme

_WORDS = re.compile(r"\n|[^\S\n]+|\S+")


def compared(old: str, new: str, theme: Theme) -> str:
    """Qt rich text of the difference by words."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    pieces: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        gone, come = html.escape("".join(before[a:b])), html.escape("".join(after[c:d]))
        if tag == "equal":
            pieces.append(gone)
            continue
        if gone:
            pieces.append(f'<s style="color:{theme.danger};background:{theme.danger_soft}">{gone}</s>')
        if come:
            pieces.append(f'<u style="color:{theme.positive};background:{theme.positive_soft}">{come}</u>')
    return f'<div style="white-space:pre-wrap">{"".join(pieces)}</div>'


class CompareView(QTextBrowser):
    """Read only."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "body")
        self.setAccessibleName(self.tr("Difference between the proposed and the present draft"))
        self.document().setDocumentMargin(Space.LARGE)
        self._texts = ("", "")
        self._appearance = appearance
        appearance.changed.connect(self._again)  # a bound method: Qt forgets it with the view

    def compare(self, old: str, new: str) -> None:
        """Show the difference."""
        self._texts = (old, new)
        self.setHtml(compared(old, new, self._appearance.theme))

    def _again(self) -> None:
        """The looks changed."""
        self.compare(*self._texts)
