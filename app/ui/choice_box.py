"""A box to choose one of several that the wheel leaves alone: it scrolls what is around the box, whatever is below the pointer.

Qt lets the wheel choose, with the keyboard elsewhere: whoever scrolls a page would change what happens to pass by.
"""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """Chosen from by keys, or from its open list."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """For whoever scrolls."""
        event.ignore()
