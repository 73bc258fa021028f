"""The templates as a menu, and the way to where they are written."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from app.ui.context import Context


def template_menu(context: Context, parent: QWidget, put: Callable[[int], object]) -> QMenu:
    """The most used first; `put` is called with the number of the chosen one."""
    menu = QMenu(parent)
    menu.aboutToHide.connect(menu.deleteLater)
    for one in context.reader.templates():
        menu.addAction(one.name).triggered.connect(lambda _checked=False, number=one.id: put(number))
    menu.addSeparator()
    menu.addAction(context.actions["window.templates"])
    return menu
