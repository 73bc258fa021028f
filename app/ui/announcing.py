"""Words for a screen reader about what happens away from the keyboard. Refuses to take the keyboard, and to say nothing."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str, urgent: bool = False) -> None:
    """Let words be spoken that `widget` shows; `urgent` ones interrupt what is being read."""
    if not words:
        return
    event = QAccessibleAnnouncementEvent(widget, words)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)
