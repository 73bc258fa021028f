"""The palette (Ctrl+K): one line that finds and does anything.

It finds commands, pages, labels, people, templates and mail, and sends requests to the assistant. The last five used come first.
They are kept in window.ini by the names of commands and pages, never mail or people.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.queries import FindMail, FoundMails
from app.ui.actions import TABLE, ActionScope, where_words
from app.ui.context import Context
from app.ui.editor.assistant_offer import key_words, looks_like_request, offer_words
from app.ui.editor.recipient_field import written
from app.ui.i18n.formatting import when_short
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.lists.picking import Item, picked
from app.ui.navigation.places import LABEL, LISTED, VIEW_ICONS, label_places, view_title
from app.ui.pages.compose.new_letter import Mailto, begin_letter
from app.ui.services.async_task import EngineQuestion, loop_runs, single_shot
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.theme.painting import visual_rect
from app.ui.widgets.factory import column, label, named, put
from app.ui.widgets.form_controls import Value

RECENT = "palette/recent"
MOST_RECENT = 5


def recent(state: QSettings) -> list[str]:
    """Names of recent items, newest first."""
    found = state.value(RECENT)
    return list(map(str, found)) if isinstance(found, list) else [str(found)] if found else []


def remember(state: QSettings, name: str) -> None:
    """Notes a used item; an empty name is ignored."""
    if name:
        state.setValue(RECENT, [name, *(one for one in recent(state) if one != name)][:MOST_RECENT])


HIDDEN = frozenset({"window.palette", "window.back"})
"""Useless inside the palette."""
FROM_ANYWHERE = frozenset(
    {"review.focus", "review.dismiss_all", "mail.select_read", "mail.splits", "memory.add", "memory.try", "templates.add"}
)
"""Commands of a page that are found on every page."""
OTHER_WORDS = {"mail.inbox": QT_TRANSLATE_NOOP("Palette", "unsnooze")}
"""Words that find a command beside its own."""


def command_items(context: Context, places: frozenset[ActionScope]) -> list[Item]:
    found = []
    for spec in TABLE:
        action = context.actions[spec.id]
        if spec.where in places and spec.id not in HIDDEN and action.isEnabled() and action.isVisible():
            kind = "" if spec.where is ActionScope.WINDOW else where_words(spec.where)
            also = QCoreApplication.translate("Palette", OTHER_WORDS.get(spec.id, ""))
            found.append(Item(action.text(), kind, spec.icon, action.trigger, native_keys(action), also, spec.id))
    return found


def elsewhere_items(context: Context, places: frozenset[ActionScope]) -> list[Item]:
    """Commands of other pages that need nothing chosen there: they go to their page first."""

    def go(page: str, name: str) -> None:
        context.navigator.show_page(page)
        context.actions[name].trigger()

    found = []
    for spec in TABLE:
        if spec.id in FROM_ANYWHERE and spec.where not in places and context.actions[spec.id].isEnabled():
            act = partial(go, "inbox" if spec.where is ActionScope.MAIL else str(spec.where), spec.id)
            found.append(Item(context.actions[spec.id].text(), where_words(spec.where), spec.icon, act, name=spec.id))
    return found


def view_items(context: Context, views: list[tuple[str, str, str]]) -> list[Item]:
    """Pages and labels from (name, title, icon). Labels are the user's own words, so they are not remembered."""
    kind = QCoreApplication.translate("Palette", "page")
    show = context.navigator.show_page
    return [
        Item(title, kind, icon, partial(show, name), name="" if name.startswith(LABEL) else f"page.{name}")
        for name, title, icon in views
    ]


def native_keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def change_setting(context: Context, key: str, value: Value, words: str) -> None:
    """Changes a setting and says so, with Undo; what a restart applies is offered with that restart."""
    from app.ui.pages.settings.settings_table import AFTER_RESTART

    section, _, name = key.partition(".")
    before = getattr(getattr(context.settings(), section), name)
    context.link.send(ChangeSettings(((key, json.dumps(value)),)))
    undo = partial(context.link.send, ChangeSettings(((key, json.dumps(before)),)))
    if key not in AFTER_RESTART:
        context.notices.tell(words, QCoreApplication.translate("Palette", "Undo"), undo, SETTING_MS)
    else:
        later = QCoreApplication.translate("Palette", "%1 after a restart. %2 undoes it.").replace("%1", words)
        later = later.replace("%2", native_keys(context.actions["window.undo"]))
        restart = QCoreApplication.translate("Palette", "Restart now")
        context.notices.tell(later, restart, context.navigator.restart, SETTING_MS, leads=True, undo=undo)


def setting_items(context: Context) -> list[Item]:
    """Every setting, as the search of the settings finds it; for one with a few choices a line for each, which sets it."""
    from app.ui.pages.settings.settings_table import SettingTexts, section_of, setting_lines  # not needed at the start

    texts = SettingTexts()
    icons = {name: icon for name, _title, icon in texts.sections()}
    found = setting_lines(texts, context.navigator.show_settings)
    for key, setting in texts.settings().items():
        for value, words in setting.choices.items():
            title = f"{setting.title}: {words}"
            act = partial(change_setting, context, key, value, title)
            also = texts.synonyms().get(key, "")
            found.append(Item(title, texts.kind(), icons[section_of(key)], act, also=also, name=f"{key}={value}"))
    return found


def template_items(context: Context, put: Callable[[int], object]) -> list[Item]:
    """Templates, to be inserted into the open letter."""
    kind = QCoreApplication.translate("Palette", "template")
    return [Item(one.name, kind, "knowledge", partial(put, one.id), also=one.subject) for one in context.reader.templates()]


def person_items(context: Context, typed: str, most: int) -> list[Item]:
    """People to write to, by name, address or organisation."""
    kind = QCoreApplication.translate("Palette", "write to")
    begin = partial(begin_letter, context)
    return [
        Item(written((one.address,)), kind, "contact", partial(begin, Mailto((one.address,))), also=one.organization)
        for one in (context.reader.people(typed, most, by_firm=True) if context.reader.accounts() else ())
    ]


ITEM_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ICON = 18


class ItemDelegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, icons: Icons, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._icons = appearance, icons

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, QFontMetrics(self._appearance.fonts[Type.BODY]).height() + 2 * Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        item = index.data(ITEM_ROLE)
        if not isinstance(item, Item):
            return
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._appearance.colour("selection"))
            painter.drawRoundedRect(rect.adjusted(Space.TIGHT, 0, -Space.TIGHT, 0), Radius.CONTROL, Radius.CONTROL)
        ink = "on_accent_soft" if chosen else "text"
        inside = rect.adjusted(Space.LARGE, 0, -Space.LARGE, 0)
        side = at_text_size(ICON)
        spot = QRect(inside.left(), inside.center().y() - side // 2 + 1, side, side)
        self._icons.paint(painter, visual_rect(rect, spot), item.icon, self._appearance.colour("text_soft"))
        right = " · ".join(filter(None, (item.kind, item.keys)))
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        painter.setPen(self._appearance.colour("text_soft"))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, right)
        gone = QFontMetrics(painter.font()).horizontalAdvance(right) + Space.MEDIUM
        painter.setFont(self._appearance.fonts[Type.BODY])
        painter.setPen(self._appearance.colour(ink))
        words = visual_rect(rect, inside.adjusted(side + Space.MEDIUM, 0, -gone, 0))
        title = QFontMetrics(painter.font()).elidedText(item.title, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        painter.restore()


WIDTH = 620
SHOWN = 11
SETTING_MS = 10_000
MOST_OF_PEOPLE = 6
MOST = 300
"""Most commands, pages, labels and templates listed; typing narrows them down."""
TYPED_MS = 180
MAILS = 6


class Palette(QDialog):
    """The dialog. `fixed` items are listed at once."""

    def __init__(self, context: Context, fixed: Sequence[Item], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "palette")
        self.setWindowTitle(self.tr("Search or run a command"))
        self.setAccessibleName(self.windowTitle())
        self._context, self._fixed = context, fixed
        self._mails: list[Item] = []
        self._asking = EngineQuestion(context.link, self)
        self.line = named(QLineEdit(), self.windowTitle())
        self.line.setProperty("role", "search")
        self.line.setPlaceholderText(self.tr("A command, setting, person or words from an email…"))
        self.line.installEventFilter(self)
        self.model = QStandardItemModel(self)
        self.list = named(QListView(), self.tr("Matches"))
        self.list.setModel(self.model)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(ItemDelegate(context.appearance, context.icons, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(lambda _index: self.take())
        self._none = label(self.tr("No commands found. Press Enter to search all mail."), Type.CAPTION, "soft")
        put(column(self, Space.MEDIUM), self.line, self.list, self._none)
        self._timer = single_shot(self, self._ask, TYPED_MS)
        self.line.textChanged.connect(self._typed)
        self._fill()
        width = min(WIDTH, parent.width() - 2 * Space.LARGE)
        self.setFixedWidth(width)
        self.adjustSize()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + Space.HUGE)

    def take(self) -> None:
        """Runs the selected item. Without one it searches all mail for the typed text."""
        item = self.list.currentIndex().data(ITEM_ROLE)
        text = self.line.text().strip()
        self.close()
        if isinstance(item, Item):
            remember(self._context.state, item.name)
            item.act()
        elif text:
            self._context.navigator.search(text)

    def titles(self) -> list[str]:
        return [str(self.model.item(row).text()) for row in range(self.model.rowCount())]

    def done(self, result: int) -> None:
        self._timer.stop()
        self._asking.cancel()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up, Down and Enter act on the list. Ctrl+Enter sends the line to the assistant."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: SHOWN, Qt.Key.Key_PageUp: -SHOWN}
            by = step.get(Qt.Key(event.key()))
            if by is not None:
                row = min(max(self.list.currentIndex().row() + by, 0), self.model.rowCount() - 1)
                self.list.setCurrentIndex(self.model.index(row, 0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                text = self.line.text().strip()
                if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                    self.take()
                elif text:
                    self.close()
                    self._context.navigator.ask(text)
                return True
        return False

    def _typed(self, text: str) -> None:
        self._timer.stop()
        self._asking.cancel()
        self._mails = []
        self._fill()
        if len(text.strip()) > 1:
            self._timer.start()

    def _ask(self) -> None:
        """Asks for mail. Without an answer commands and pages still work."""
        if loop_runs():
            self._asking.ask(FindMail(self.line.text().strip(), MAILS), self._show_mails, lambda _error: None)

    def _show_mails(self, answer: FoundMails) -> None:
        rows: Mapping[ThreadId, ThreadRow] = {}
        with suppress(ExpectedError):  # an unreadable mailbox only takes its own lines away
            rows = self._context.reader.thread_rows([one.thread_id for one in answer.mails])
        unnamed = self.tr("(no subject)")
        for one in answer.mails:
            row = rows.get(one.thread_id)
            if row is not None:
                when = when_short(row.date, self._context.clock())
                title = f"{row.subject or unnamed} – {row.sender}"
                act = partial(self._context.navigator.show_message, one.message_id)
                self._mails.append(Item(title, when, "mail", act))
        self._fill(keep=True)

    def _fill(self, keep: bool = False) -> None:
        """Lists everything that matches. Commands and pages, a few people, found mail, the search itself and the request to the
        assistant.
        """
        text, here = self.line.text().strip(), self.list.currentIndex().row()
        if text:
            search = self.tr("Search all mail for “%1”").replace("%1", text)
            lines = picked(self._fixed, text, loosely=True) + self._people(text) + self._mails
            lines.append(Item(search, "", "search", lambda: self._context.navigator.search(text)))
            asks = Item(offer_words(text), "", "assistant", lambda: self._context.navigator.ask(text), key_words())
            first = looks_like_request(text) and not picked(self._fixed, text)
            lines.insert(0 if first else len(lines), asks)
        else:
            named = {item.name: item for item in self._fixed if item.name}
            last = [named[name] for name in recent(self._context.state) if name in named]
            lines = [*last, *(item for item in self._fixed if item not in last)][:MOST]
        self.model.clear()
        for item in lines:
            line = QStandardItem(item.title)
            line.setEditable(False)
            line.setData(item, ITEM_ROLE)
            spoken = ", ".join(filter(None, (item.title, item.kind, item.keys)))
            line.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            self.model.appendRow(line)
        self._none.setVisible(not lines)
        row = self.list.sizeHintForRow(0) if lines else 0
        self.list.setFixedHeight(row * min(len(lines), SHOWN) + Space.TIGHT)
        self.list.setVisible(bool(lines))
        self.adjustSize()
        if lines:
            self.list.setCurrentIndex(self.model.index(min(here, len(lines) - 1) if keep and here > 0 else 0, 0))

    def _people(self, typed: str) -> list[Item]:
        """People to write to, by name, address or organisation; nobody while the mailbox cannot be read."""
        with suppress(ExpectedError):
            return person_items(self._context, typed, MOST_OF_PEOPLE)
        return []


MAIL_PLACES = frozenset(map(str, LISTED))


def open_palette(context: Context, page: str, window: QWidget, put_template: Callable[[int], object]) -> Palette:
    """Opens the palette over `window`, with what makes sense on `page`. `put_template` inserts a template into the open
    letter.
    """
    places = {ActionScope.WINDOW}
    if page in MAIL_PLACES or page == "search" or page.startswith("label:"):
        places.add(ActionScope.MAIL)
    elif page in set(ActionScope):
        places.add(ActionScope(page))
    fixed = command_items(context, frozenset(places))
    views = [(str(view), view_title(view), VIEW_ICONS[view]) for view in LISTED]
    fixed += view_items(context, views)
    fixed += setting_items(context)
    fixed += elsewhere_items(context, frozenset(places))
    with suppress(ExpectedError):  # an unreadable mailbox only takes its own lines away
        fixed += view_items(context, [(one.name, one.title, one.icon) for one in label_places(context.reader) if one.name])
        if page == "compose":
            fixed += template_items(context, put_template)
    made = Palette(context, fixed, window)
    made.show()
    made.line.setFocus()
    return made
