"""The templates as a menu, and the way to where they are written."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.context import Context
from app.ui.fleeting import FleetingMenu

MOST = 40
"""What a menu can show."""


def template_menu(context: Context, parent: QWidget, put: Callable[[int], object]) -> QMenu:
    """The most used first; `put` is called with the number of the chosen one. The others are found by their names."""
    menu = FleetingMenu(parent)
    templates = context.reader.templates()
    for one in templates[:MOST]:
        menu.addAction(one.name).triggered.connect(lambda _checked=False, number=one.id: put(number))
    if len(templates) > MOST:
        others = menu.addAction(QCoreApplication.translate("TemplateMenu", "Others, by name…"))
        others.triggered.connect(context.actions["window.palette"].trigger)
    menu.addSeparator()
    menu.addAction(context.actions["window.templates"])
    return menu
