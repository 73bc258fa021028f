"""Word difference of the proposed and the current draft in one text: removed words struck through, added ones underlined."""

import difflib
import html
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QTextBrowser

from app.domain.drafting.draft import Draft
from app.ui.theme.appearance import Appearance, Theme
from app.ui.theme.metrics import Space

_WORDS = re.compile(r"\n|[^\S\n]+|\S+")
MOST_WORDS = 400
"""Words and spaces compared at once."""

Line = tuple[str, ...]
Step = tuple[Sequence[str], Sequence[str]]
Unit = TypeVar("Unit", str, Line)


def compared(old: str, new: str, theme: Theme) -> str:
    pieces: list[str] = []
    for before, after in steps(_WORDS.findall(old), _WORDS.findall(new)):
        gone, come = html.escape("".join(before)), html.escape("".join(after))
        if before == after:
            pieces.append(gone)
            continue
        if gone:
            pieces.append(f'<s style="color:{theme.danger};background:{theme.danger_soft}">{gone}</s>')
        if come:
            pieces.append(f'<u style="color:{theme.positive};background:{theme.positive_soft}">{come}</u>')
    return f'<div style="white-space:pre-wrap">{"".join(pieces)}</div>'


def told_with_files(draft: Draft | None) -> str:
    """Returns a draft's text with its file names below, so that removed files are compared too."""
    if draft is None or not draft.attachments:
        return draft.body if draft is not None else ""
    words = QCoreApplication.translate("Review", "Files: %1").replace("%1", ", ".join(file.name for file in draft.attachments))
    return f"{draft.body.rstrip()}\n\n{words}"


def steps(old: Sequence[str], new: Sequence[str]) -> Iterator[Step]:
    """Yields pairs of old and new words in order, equal or different.

    Lines are compared first and only changed lines by words, because the time grows at least with the square of the length.
    """
    for lines_before, lines_after in _matched(_lines(old), _lines(new), junk=True):
        before, after = ([word for line in lines for word in line] for lines in (lines_before, lines_after))
        if before != after and max(len(before), len(after)) <= MOST_WORDS:
            yield from _matched(before, after)
        else:
            yield before, after


def _matched(old: Sequence[Unit], new: Sequence[Unit], junk: bool = False) -> Iterator[tuple[Sequence[Unit], Sequence[Unit]]]:
    """Yields matching and differing stretches; `junk` is `SequenceMatcher`'s autojunk heuristic for frequent units."""
    for _tag, a, b, c, d in difflib.SequenceMatcher(a=old, b=new, autojunk=junk).get_opcodes():
        yield old[a:b], new[c:d]


def _lines(words: Sequence[str]) -> list[Line]:
    found: list[Line] = []
    start = 0
    for at, word in enumerate(words, 1):
        if word == "\n" or at == len(words):
            found.append(tuple(words[start:at]))
            start = at
    return found


class CompareView(QTextBrowser):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "body")
        self.setAccessibleName(self.tr("Difference between the proposed and the present draft"))
        self.document().setDocumentMargin(Space.LARGE)
        self._texts = ("", "")
        self._appearance = appearance
        appearance.changed.connect(self._render_again)  # a bound method is disconnected when the view is deleted

    def compare(self, old: str, new: str) -> None:
        self._texts = (old, new)
        self.setHtml(compared(old, new, self._appearance.theme))

    def _render_again(self) -> None:
        self.compare(*self._texts)
