"""The menu of HTML mail: its words and its links. A browser's would offer to reload, to save and to show a source, all of which
the view refuses; the source of a mail has its own place."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QMenu

from app.ui.fleeting import FleetingMenu


def mail_menu(view: QWebEngineView, link: QUrl, words: str, follow: Callable[[QUrl], object]) -> QMenu:
    """For what was clicked: a `link` (empty for none) and the chosen `words`. A link is opened as a click would open it."""
    menu = FleetingMenu(view)
    page = view.page()
    if not link.isEmpty():
        menu.addAction(QCoreApplication.translate("WebMenu", "Open the link…"), lambda: follow(link))
        address = link.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        copy_link = QCoreApplication.translate("WebMenu", "Copy the link's address")
        menu.addAction(copy_link, lambda: QGuiApplication.clipboard().setText(address))
        menu.addSeparator()
    copy = menu.addAction(
        QCoreApplication.translate("WebMenu", "Copy"), lambda: page.triggerAction(QWebEnginePage.WebAction.Copy)
    )
    copy.setEnabled(bool(words))
    menu.addAction(
        QCoreApplication.translate("WebMenu", "Select all"), lambda: page.triggerAction(QWebEnginePage.WebAction.SelectAll)
    )
    return menu
