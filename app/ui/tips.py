"""Tooltips with words that somebody else wrote: a subject, an address, what a server says. Qt takes one that looks like HTML for
HTML, and shows whatever picture of this computer or its network it names. Refuses to show anything but the words.
"""

from html import escape

from PySide6.QtGui import Qt


def plain_tip(words: str) -> str:
    """The tooltip that shows `words` as they stand."""
    if not Qt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'
