"""Announcements for screen readers, and tooltips with text from outside.

Qt shows a tooltip that looks like HTML as HTML, and loads the pictures it names.
"""

from html import escape

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, Qt
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str, urgent: bool = False) -> None:
    """Lets a screen reader speak text that `widget` shows. `urgent` interrupts what is being read."""
    if not words:
        return
    event = QAccessibleAnnouncementEvent(widget, words)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def plain_tip(words: str) -> str:
    """Tooltip text that shows `words` literally."""
    if not Qt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'
