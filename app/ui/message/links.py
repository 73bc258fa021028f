"""Clicked links. A bar shows the real host before the system browser opens the address."""

from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, frame, label, row
from app.ui.widgets.labels import ElidedLabel

LONGEST = 2000


def real_host(url: QUrl) -> str:
    """The decoded host, with its ASCII form if that differs. This reveals look-alikes."""
    shown = url.host(QUrl.ComponentFormattingOption.FullyDecoded)
    plain = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    return shown if shown == plain else f"{shown} ({plain})"


class LinkBar(QWidget):
    def __init__(self, open_link: Callable[[str], object]) -> None:
        super().__init__()
        self._open_link = open_link
        self._url = QUrl()
        self.host = label("", Type.STRONG)
        self._address = ElidedLabel("", Type.CAPTION, "soft")
        notice = frame("notice")
        column(self, (Space.SMALL, 0, Space.SMALL, Space.SMALL), 0, notice)
        row(
            notice,
            Space.SMALL,
            Space.MEDIUM,
            self.host,
            (self._address, 1),
            button(self.tr("Open in browser"), "", self._open),
            button(self.tr("Copy"), "link", self._copy),
            button(self.tr("Dismiss"), "link", self.hide),
        )
        self.hide()

    def offer(self, url: QUrl) -> None:
        """Shows where a link leads. Schemes other than http, https and mailto are ignored."""
        if url.scheme() not in ("http", "https", "mailto"):
            return
        self._url = url
        whole = url.toDisplayString()
        self.host.setText(real_host(url) or url.path())
        self._address.show_words(whole[:LONGEST], whole)
        self.show()

    def _open(self) -> None:
        self.hide()
        self._open_link(self._url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _copy(self) -> None:
        self.hide()
        QGuiApplication.clipboard().setText(self._url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
