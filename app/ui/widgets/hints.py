"""Words for a screen reader about what happens away from the keyboard.

Tooltips with words that somebody else wrote: a subject, an address, what a server says. Qt takes one that looks like HTML for
HTML, and shows whatever picture of this computer or its network it names.
"""

from html import escape

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, Qt
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str, urgent: bool = False) -> None:
    """Let words be spoken that `widget` shows; `urgent` ones interrupt what is being read."""
    if not words:
        return
    event = QAccessibleAnnouncementEvent(widget, words)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def plain_tip(words: str) -> str:
    """The tooltip that shows `words` as they stand."""
    if not Qt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'
