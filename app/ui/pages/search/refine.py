"""What helps to write a search: chips of its operators, recent searches and examples, notes, and offers while one types."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from app.domain.protocol.queries import SearchNote, SearchNoteKind
from app.ui.context import Context
from app.ui.editor.recipient_field import folded, list_below, written
from app.ui.navigation.places import label_query
from app.ui.services.notices import OnceNotice
from app.ui.session.ini_file import recent
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import button, column, label, named, row, say_or_hide, tool_button
from app.ui.widgets.menus import add_calendar

EXAMPLES = ("is:unread", "has:attachment", "newer_than:7d", "in:sent", "from:", "subject:")
"""Operators offered as buttons."""
MOST_RECENT = 5
MOST_OFFERED = 8
MOST_PEOPLE = 5
OPERATOR = re.compile(r'(?<!\S)-?([A-Za-z][A-Za-z_]*):(?:"[^"]*"?|\([^)]*\)|\{[^}]*\}|[^\s(){}"]+)')
_PIECE = re.compile(r'(?:^|(?<=[\s({]))(-?)(?:([A-Za-z][A-Za-z_]*):)?("[^"]*|[^\s(){}"]*)$')
OPERATOR_VALUES = {
    "is": ("unread", "read", "starred", "important", "snoozed", "muted"),
    "has": ("attachment", "userlabels", "nouserlabels", "drive", "document", "spreadsheet", "presentation", "youtube"),
    "in": ("inbox", "sent", "drafts", "archive", "snoozed", "spam", "trash", "anywhere"),
    "category": ("primary", "social", "promotions", "updates", "forums"),
    "newer_than": ("1d", "7d", "1m", "6m", "1y"),
    "older_than": ("7d", "1m", "6m", "1y", "3y"),
    "larger": ("1M", "5M", "10M", "20M"),
    "smaller": ("100K", "1M", "5M"),
    "filename": ("pdf", "docx", "xlsx", "pptx", "jpg", "zip", "ics"),
}
"""Values offered for an operator."""
DATES = frozenset({"after", "before", "newer", "older"})
PEOPLE = frozenset({"from", "to", "cc", "bcc", "deliveredto"})
OPERATORS = sorted({*OPERATOR_VALUES, *DATES, *PEOPLE, "subject", "label", "list", "rfc822msgid", "size"})


def note_words(note: SearchNote) -> str:
    words = {
        SearchNoteKind.UNKNOWN_OPERATOR: QCoreApplication.translate(
            "SearchNotes", "“%1” isn't a search operator. The rest was searched. Use quotes to search for it as text."
        ),
        SearchNoteKind.UNKNOWN_VALUE: QCoreApplication.translate("SearchNotes", "“%1” wasn't understood and was left out."),
        SearchNoteKind.TOO_LONG: QCoreApplication.translate(
            "SearchNotes", "The search is too long. Only its beginning was used."
        ),
        SearchNoteKind.TOO_DEEP: QCoreApplication.translate("SearchNotes", "The search has too many parentheses."),
    }
    return words[note.kind].replace("%1", note.text)


def mended(text: str, notes: Sequence[SearchNote]) -> str:
    """The search with the nearest known operator or value for each that was not understood; empty if none is near."""
    changed = text
    for note in notes:
        name, _, value = note.text.partition(":")
        unknown = note.kind is SearchNoteKind.UNKNOWN_OPERATOR
        known = OPERATORS if unknown else OPERATOR_VALUES.get(name.lower(), ())
        near = get_close_matches((name if unknown else value).lower(), known, 1)
        if near:
            changed = changed.replace(note.text, f"{near[0]}:{value}" if unknown else f"{name}:{near[0]}")
    return "" if changed == text else changed


class RefineRow(QWidget):
    """Emits `edited` with a new search. `chosen` asks to select a part of the search, so that it can be typed anew."""

    edited = Signal(str)
    chosen = Signal(int, int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._text = ""
        self._row: FlowRow | None = None
        self._shown: tuple[str, ...] = ()
        self._suggested = self._mended = ""
        self._suggestion = button("", "link", lambda: self.edited.emit(self._suggested))
        self._notes = label("", Type.CAPTION, "soft", wrap=True)
        self._box = column(self, 0, Space.TIGHT, self._suggestion, self._notes)
        self.note(())
        self.show_search("")

    def show_search(self, text: str) -> None:
        """Shows a chip for each operator; recent searches while nothing is typed; then examples that are not used yet."""
        found = list(OPERATOR.finditer(text))
        others = [one for one in EXAMPLES if not any(chip[0].startswith(one) for chip in found)] if len(found) < 3 else []
        old = recent(self._context.state)[:MOST_RECENT] if not text.strip() else []
        shown = (*(one[0] for one in found), "|", *old, "|", *others)
        self._text = text
        if shown == self._shown:
            return
        self._shown = shown
        chips = [self._chip(one) for one in found]
        links = [button(_cut(one), "link", partial(self.edited.emit, one)) for one in old]
        examples = [button(one, "link", partial(self._add, one)) for one in others]
        fresh = FlowRow([*chips, *links, *examples])
        if self._row is not None:
            self._box.removeWidget(self._row)
            self._row.hide()
            self._row.deleteLater()
        self._row = fresh
        self._box.insertWidget(0, fresh)

    def suggest(self, text: str) -> None:
        """Offers a likelier search: `text`, else the search with known values of its operators. Hidden without either."""
        text = self._suggested = text or self._mended
        self._suggestion.setText(self.tr("Did you mean “%1”?").replace("%1", _cut(text)))
        self._suggestion.setVisible(bool(text))

    def note(self, notes: Sequence[SearchNote]) -> None:
        """Says what of the search was left out, and offers what was probably meant."""
        words = "\n".join(map(note_words, notes))
        self._mended = mended(self._text, notes)
        self.suggest("")
        say_or_hide(self._notes, words)

    def _chip(self, found: re.Match[str]) -> QWidget:
        made = QWidget()
        change = named(button(_cut(found[0]), "chip"), self.tr("Change %1").replace("%1", found[0]))
        change.setToolTip(self.tr("Change"))
        change.clicked.connect(lambda _checked=False: self._change(found, change))
        remove = self.tr("Remove %1").replace("%1", found[0])
        drop = tool_button(self._context.icons.icon("close"), remove, partial(self._put, found[0], ""))
        row(made, 0, 0, change, drop)
        return made

    def _add(self, operator: str) -> None:
        self.edited.emit(f"{self._text.rstrip()} {operator}".lstrip())

    def _put(self, part: str, other: str) -> None:
        """Puts another text in place of a part of the search, or takes the part out."""
        before, _part, after = self._text.partition(part)
        self.edited.emit(f"{before}{other}{after}" if other else f"{before.rstrip()} {after.lstrip()}".strip())

    def _change(self, found: re.Match[str], near: QWidget) -> None:
        """Offers other values of an operator, or a calendar. Of any other operator the value is typed anew."""
        start, name, part = self._text.find(found[0]), found[1].lower(), found[0]
        head = part[: part.index(":") + 1]
        if name not in OPERATOR_VALUES and name not in DATES:
            self.chosen.emit(start + len(head), start + len(part))
            return
        menu = QMenu(near)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if name in DATES:
            typed = re.search(r"\d{4}[/-]\d{1,2}[/-]\d{1,2}", part)
            day = QDate.fromString(typed[0].replace("-", "/") if typed else "", "yyyy/M/d")
            add_calendar(
                menu,
                day if day.isValid() else QDate.currentDate(),
                lambda chosen: self._put(part, head + chosen.toString("yyyy/MM/dd")),
            )
        for value in OPERATOR_VALUES.get(name, ()):
            menu.addAction(f"{name}:{value}", partial(self._put, part, head + value))
        menu.popup(near.mapToGlobal(near.rect().bottomLeft()))


class SearchOffers(QObject):
    """Offers people, labels, values of operators and recent searches below the search field. Nothing is chosen unless asked."""

    def __init__(self, context: Context, line: QLineEdit, active: Callable[[], bool]) -> None:
        super().__init__(line)
        self._context, self._line, self._active = context, line, active
        self._notice = OnceNotice(context.notices)
        self._model = QStandardItemModel(self)
        self.completer, self.popup = list_below(line, self._model, MOST_OFFERED)
        self.completer.activated.connect(lambda _text: self._take(self.popup.currentIndex().row()))
        line.textEdited.connect(self._typed)
        self.popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tab takes the first offer. Return without a chosen one searches for what was typed."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress or not self.popup.isVisible():
            return False
        chosen = self.popup.currentIndex().row()
        if event.key() == Qt.Key.Key_Tab:
            self._take(max(0, chosen))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen < 0:
            self.popup.hide()
            self._line.returnPressed.emit()
        else:
            return False
        self.popup.hide()
        return True

    def _typed(self, text: str) -> None:
        offers = self._notice.read(lambda: self.offers(text[: self._line.cursorPosition()])) if self._active() else ()
        self._model.clear()
        for shown, put in offers or ():
            item = QStandardItem(shown)
            item.setData(put, Qt.ItemDataRole.UserRole)
            self._model.appendRow(item)
        if offers:
            self.completer.complete()
            self.popup.selectionModel().clearCurrentIndex()
        else:
            self.popup.hide()

    def offers(self, text: str) -> Sequence[tuple[str, str]]:
        """What is shown and what then stands for the last piece of the text; at most `MOST_OFFERED`."""
        found = _PIECE.search(text)
        if found is None:
            return ()
        minus, name, typed = found[1], (found[2] or "").lower(), found[3].lstrip('"')
        reader = self._context.reader
        wanted = folded(typed)
        if name in PEOPLE:
            return [(written((one.address,)), f"{minus}{name}:{one.address.email}") for one in reader.people(typed, MOST_OFFERED)]
        if name == "label":
            labels = [one for one in reader.label_names() if wanted in folded(one)]
            return [(one, f"{minus}{label_query(one)}") for one in labels[:MOST_OFFERED]]
        if name in OPERATOR_VALUES:
            values = [one for one in OPERATOR_VALUES[name] if one.lower().startswith(typed.lower()) and one != typed]
            return [(f"{name}:{one}", f"{minus}{name}:{one}") for one in values]
        if name or len(typed) < 2:
            return ()
        people = [(written((one.address,)), f"{minus}from:{one.address.email}") for one in reader.people(typed, MOST_PEOPLE)]
        labels = [one for one in reader.label_names() if any(word.startswith(wanted) for word in folded(one).split())]
        old = [one for one in recent(self._context.state) if folded(one).startswith(folded(text.strip())) and one != text.strip()]
        lines = [(_cut(one), f"\n{one}") for one in old[:2]]  # stands for the whole line
        return [*lines, *people, *((one, f"{minus}{label_query(one)}") for one in labels)][:MOST_OFFERED]

    def _take(self, at: int) -> None:
        if not 0 <= at < self._model.rowCount():
            return
        put, cursor = str(self._model.item(at).data(Qt.ItemDataRole.UserRole)), self._line.cursorPosition()
        text = self._line.text()
        found = _PIECE.search(text[:cursor])
        before = "" if put.startswith("\n") or found is None else text[: found.start()]
        after = "" if put.startswith("\n") else text[cursor:]
        put = f"{put.strip()} "
        self._line.setText(f"{before}{put}{after.lstrip()}")
        self._line.setCursorPosition(len(before) + len(put))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
