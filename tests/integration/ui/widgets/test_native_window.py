"""A native window of a widget's own is where the widget is, whatever around it moves; and only under X11 there is one."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.errors import ExpectedError
from app.ui.pages.base import Page
from app.ui.widgets.containers import make_native
from app.ui.widgets.menus import PageMenu
from app.ui.widgets.split_view import EmptyState
from app.ui.window.toast import Toast
from fakes.window.page_setup import Stage

SIBLINGS = Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings


class Unreadable(Page):
    """A page whose reading fails."""

    def refresh(self) -> None:
        raise ExpectedError("x")


@pytest.fixture
def x11(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the offscreen platform, which has native windows as well, were X11."""
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    yield
    QCoreApplication.setAttribute(SIBLINGS, False)


@pytest.fixture
def outer(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def box(parent: QWidget, x: int, y: int, width: int, height: int) -> QWidget:
    made = QWidget(parent)
    made.setGeometry(x, y, width, height)
    return made


def in_place(one: QWidget, outer: QWidget) -> bool:
    """Whether the native window lies where the widget is painted."""
    return one.windowHandle().position() == one.mapTo(outer, QPoint())


def test_it_follows_all_that_it_lies_in(x11: None, outer: QWidget) -> None:
    pane = box(outer, 100, 50, 400, 300)
    inner = box(pane, 10, 10, 200, 200)
    make_native(inner)
    pane.show()
    assert in_place(inner, outer)
    pane.move(150, 80)
    assert inner.windowHandle().position() == QPoint(160, 90)
    pane.hide()
    pane.move(20, 30)
    pane.show()
    assert in_place(inner, outer)
    other = box(outer, 200, 0, 300, 300)
    pane.setParent(other)
    pane.show()
    other.show()
    other.move(220, 20)
    assert in_place(inner, outer)
    assert inner.pos() == QPoint(10, 10)


def test_what_lies_over_mail_has_one_too(x11: None, outer: QWidget, stage: Stage, qtbot: QtBot) -> None:
    toast = Toast(outer)
    toast.tell("Archived")
    assert toast.internalWinId()
    assert toast.property("square"), "round corners of such a window would be black"
    page = Unreadable(stage.context, "mail", "Mail")
    qtbot.addWidget(page)
    page.show()
    (cover,) = page.findChildren(EmptyState)
    assert cover.isVisible()
    assert cover.internalWinId()


def test_a_menu_of_what_has_one_belongs_to_the_main_window(x11: None, outer: QWidget) -> None:
    inner = box(outer, 10, 10, 50, 50)
    assert PageMenu(inner).parent() is inner
    make_native(inner)
    assert PageMenu(inner).parent() is outer
