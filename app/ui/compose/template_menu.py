"""The templates as a menu, the way to where they are written, and one put into a letter."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.templates import filled, first_name
from app.domain.writing import UseTemplate
from app.ui.compose.card import LetterCard
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


def fill_in(context: Context, card: LetterCard, template_id: int) -> bool:
    """Put a template's words at the cursor, filled in where the recipient is known; whether it is still there."""
    one = next((one for one in context.reader.templates() if one.id == template_id), None)
    if one is None:
        return False
    names = [first_name(address.name) for address in card.to.addresses[:1]]
    body, slots = filled(one.body, {"first name": names[0] if names else ""})
    card.editor.insert(body, slots)
    if one.subject and not card.subject.text().strip():
        card.subject.setText(one.subject)
    context.link.send(UseTemplate(template_id))
    return True
