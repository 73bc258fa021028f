"""Restores the compose page after a restart: the focused field, caret, scroll position and open bars.

Text is saved by `autosave`, files by the engine.
"""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea

from app.ui.pages.compose.page import ComposePage
from app.ui.session.caret import Field, caret_of, put_caret, put_spot, spot_of
from app.ui.session.restorable_parts import ScrollPosition, keep_scroll
from app.ui.session.session_store import SavedPosition, number

TEXT = "text"


def keep_letter(page: ComposePage) -> None:
    """Saves and restores these parts with the letter."""
    _keep_caret(page)
    _keep_bars(page)
    for area in page.form.findChildren(QScrollArea):
        keep_scroll(page.parts, "form", area)


def _focused_field(page: ComposePage) -> str:
    """Returns the name of the field focused last."""
    focused = page.card.focusWidget()
    return next((name for name, field in page.card.fields.items() if field is focused), TEXT)


def _keep_caret(page: ComposePage) -> None:
    card = page.card
    scroll = ScrollPosition(card.editor)

    def read() -> SavedPosition:
        if page.letter_id is None:
            return {}
        name = _focused_field(page)
        at, anchor = caret_of(card.fields[name])
        copies = int(not card.bcc.isHidden())
        return {"about": page.letter_id, "field": name, "at": at, "from": anchor, "y": scroll.at, "copies": copies}

    def put_back(place: SavedPosition) -> bool:
        field = card.fields.get(str(place.get("field")))
        if field is None or page.letter_id is None or place.get("about") != page.letter_id:
            return False
        if place.get("copies"):
            card.copies.show()
        # after the page has taken the focus on being shown
        QTimer.singleShot(0, field, lambda: _restore_caret(field, place, scroll))
        return True

    signals = (field.cursorPositionChanged for field in card.fields.values())
    page.parts.add("caret", read, put_back, *signals, scroll.moved, fleeting=True)


def _restore_caret(field: Field, place: SavedPosition, scroll: ScrollPosition) -> None:
    field.setFocus()
    put_caret(field, number(place, "at"), number(place, "from"))
    scroll.go(number(place, "y"))


def _keep_bars(page: ComposePage) -> None:
    """Saves and restores the input of the open link bar and send-later bar."""
    links, later = page.card.links, page.later

    def read() -> SavedPosition:
        link = {} if links.isHidden() else spot_of(link=links.field)
        return {"about": page.letter_id, **link, **later.place()} if page.letter_id and (link or not later.isHidden()) else {}

    def put_back(place: SavedPosition) -> bool:
        if page.letter_id is None or place.get("about") != page.letter_id:
            return False
        if "at" in place:
            later.return_to(place, page.context.clock())
        if "link" in place:
            QTimer.singleShot(0, links, lambda: _ask_link(page, place))  # after the text to be linked is restored
        return True

    page.parts.add("asked", read, put_back, links.edited, later.edited)


def _ask_link(page: ComposePage, place: SavedPosition) -> None:
    page.card.ask_link()
    put_spot(place, link=page.card.links.field)
