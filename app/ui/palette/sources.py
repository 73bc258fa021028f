"""Where the palette's lines come from: the table of actions, labels, people, templates."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from app.domain.mail import Address
from app.ui.actions import TABLE, Where, where_words
from app.ui.compose.starting import new_letter
from app.ui.context import Context
from app.ui.label_places import LABEL
from app.ui.palette.items import Item
from app.ui.review.recipients import written

HIDDEN = frozenset({"window.palette", "window.back"})
"""Pointless inside the palette."""


def command_items(context: Context, places: frozenset[Where]) -> list[Item]:
    """Actions that work now: everywhere, and on the page that is open."""
    found = []
    for spec in TABLE:
        action = context.actions[spec.id]
        if spec.where in places and spec.id not in HIDDEN and action.isEnabled() and action.isVisible():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            kind = "" if spec.where is Where.WINDOW else where_words(spec.where)
            found.append(Item(action.text(), kind, spec.icon, action.trigger, keys, name=spec.id))
    return found


def view_items(context: Context, views: list[tuple[str, str, str]]) -> list[Item]:
    """Lists of the mailbox: name, title, icon. Labels are the user's own words, so they are not remembered."""
    kind = QCoreApplication.translate("Palette", "page")
    show = context.navigator.show_page
    return [
        Item(title, kind, icon, partial(show, name), name="" if name.startswith(LABEL) else f"page.{name}")
        for name, title, icon in views
    ]


def template_items(context: Context, put: Callable[[int], object]) -> list[Item]:
    """Templates, while a letter is written."""
    kind = QCoreApplication.translate("Palette", "template")
    return [Item(one.name, kind, "knowledge", partial(put, one.id), also=one.subject) for one in context.reader.templates()]


def person_items(context: Context, typed: str, most: int) -> list[Item]:
    """People to write to, found by what is typed of their names, addresses and firms."""
    accounts = context.reader.accounts()
    if not accounts:
        return []
    kind = QCoreApplication.translate("Palette", "write to")

    def write(address: Address) -> None:
        context.navigator.show_letter(new_letter(accounts[0].id, (address,)))

    return [
        Item(written((one.address,)), kind, "contact", partial(write, one.address), also=one.organization)
        for one in context.reader.people(typed, most, by_firm=True)
    ]
