"""The lines for copies, which are only there where they are used, and the way to those that are not there yet."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton

from app.ui.build import button
from app.ui.review.recipient_field import RecipientField


class Copies:
    """`more` shows the lines; it is gone where both are there."""

    def __init__(self, cc: RecipientField, bcc: RecipientField) -> None:
        self._cc, self._bcc = cc, bcc
        self.more: QPushButton = button(self._missing(), "link", self.show)

    def fold(self) -> None:
        """Only the lines with somebody in them, and the name of what is not there."""
        for field in (self._cc, self._bcc):
            field.setVisible(bool(field.addresses))
        self.more.setVisible(not (self._cc.addresses and self._bcc.addresses))
        self.more.setText(self._missing())

    def show(self) -> None:
        """Both lines, and the keyboard in the first that is empty."""
        for field in (self._cc, self._bcc):
            field.show()
        self.more.hide()
        (self._bcc if self._cc.line.text() else self._cc).line.setFocus()

    def _missing(self) -> str:
        if self._cc.addresses:
            return QCoreApplication.translate("LetterCard", "Bcc")
        both = QCoreApplication.translate("LetterCard", "Cc, Bcc")
        return QCoreApplication.translate("LetterCard", "Cc") if self._bcc.addresses else both
