"""Restores the Review page after a restart: scroll positions, caret, comparison, reasons, send-later bar and the contact note.

Drafts, answers and rejection reasons are in window.ini (`unsaved`). Focus mode is not restored: the window would start without
navigation and search line.
"""

from app.domain.ports.agents import Clock
from app.ui.pages.review.detail_panel import DetailPanel
from app.ui.session.caret import caret_of, put_caret
from app.ui.session.restorable_parts import RestorableParts, ScrollPosition
from app.ui.session.session_store import SavedPosition, number


def keep_desk(parts: RestorableParts, desk: DetailPanel, clock: Clock) -> None:
    """Saves and restores these parts with their review."""
    parts.add("original", desk.original.place, desk.original.return_to, desk.original.moved, fleeting=True)
    _keep_draft(parts, desk)
    _keep_comparison(parts, desk)
    _keep_reasons(parts, desk)
    _keep_time(parts, desk, clock)


def _about(desk: DetailPanel) -> str:
    return f"{desk.review.id}.{desk.review.revision}" if desk.review is not None else ""


def _keep_draft(parts: RestorableParts, desk: DetailPanel) -> None:
    """Caret and scroll position of the draft; its text is restored before."""
    editor = desk.card.editor
    scroll = ScrollPosition(editor)

    def read() -> SavedPosition:
        if desk.draft() is None:
            return {}
        at, anchor = caret_of(editor)
        return {"about": _about(desk), "at": at, "from": anchor, "y": scroll.at}

    def put_back(place: SavedPosition) -> bool:
        if desk.draft() is None or place.get("about") != _about(desk):
            return False
        put_caret(editor, number(place, "at"), number(place, "from"))
        scroll.go(number(place, "y"))
        return True

    parts.add("draft", read, put_back, editor.cursorPositionChanged, scroll.moved, fleeting=True)


def _keep_comparison(parts: RestorableParts, desk: DetailPanel) -> None:
    """Whether the comparison is shown."""

    def read() -> SavedPosition:
        return {"about": _about(desk)} if desk.comparing else {}

    def put_back(place: SavedPosition) -> bool:
        if desk.draft() is None or place.get("about") != _about(desk):
            return False
        if not desk.comparing:
            desk.show_difference()
        return True

    parts.add("compare", read, put_back, desk.turned, fleeting=True)


def _keep_reasons(parts: RestorableParts, desk: DetailPanel) -> None:
    """Whether the reasons are unfolded, their scroll position, and the contact note."""
    why = desk.why
    scroll = ScrollPosition(why.area)

    def read() -> SavedPosition:
        return {"about": _about(desk), "y": scroll.at} if why.unfolded and desk.review is not None else {}

    def put_back(place: SavedPosition) -> bool:
        if desk.review is None or place.get("about") != _about(desk):
            return False
        if not why.unfolded:
            why.toggle()
        scroll.go(number(place, "y"))
        return True

    parts.add("why", read, put_back, why.toggled, scroll.moved, fleeting=True)
    parts.add("note", why.contact.place, why.contact.return_to, why.contact.note.textChanged, why.contact.sent)
    why.contact.showed.connect(lambda: parts.retry("note"))


def _keep_time(parts: RestorableParts, desk: DetailPanel, clock: Clock) -> None:
    """Input of the send-later bar while it is open."""

    def read() -> SavedPosition:
        asked = desk.later.place()
        return {"about": _about(desk), **asked} if asked else {}

    def put_back(place: SavedPosition) -> bool:
        if desk.review is None or place.get("about") != _about(desk):
            return False
        desk.later.return_to(place, clock())
        return True

    parts.add("later", read, put_back, desk.later.edited, fleeting=True)
