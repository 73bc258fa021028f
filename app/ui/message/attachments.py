"""Attachments of the message on screen. Downloads them with progress; opens, shows and saves them."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImageReader, QKeySequence, QPixmap, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.domain.ids import MessageId
from app.domain.mail.files import FetchFile, FileChanged, FileState, runs_when_opened, safe_name
from app.domain.mail.message import Attachment, Message
from app.domain.ports.window import MailboxReader
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import size_words
from app.ui.services.files import ask_folder, ask_where, free_path, put
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import column, label, plain_tip, row, tab_through, tool_button

MOST_MEMORY_MB = 256
SIZE = QSize(900, 680)


def read_picture(path: Path) -> QPixmap | None:
    """Reads a picture, rotated as its EXIF data says. None if it cannot be shown."""
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    reader.setDecideFormatFromContent(True)
    reader.setAllocationLimit(MOST_MEMORY_MB)
    image = reader.read()
    return None if image.isNull() else QPixmap.fromImage(image)


class ImageDialog(Dialog):
    def __init__(self, path: Path, name: str, parent: QWidget) -> None:
        super().__init__(parent, name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # no child takes the focus, and Escape must arrive
        self.setFocus()
        self._picture = read_picture(path)
        self.shown = label()
        self.shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shown.setMinimumSize(120, 90)
        self.shown.setAccessibleName(name)
        column(self, Space.SMALL).addWidget(self.shown)
        if self._picture is None:
            self.shown.setText(self.tr("This picture can't be shown."))
            self.resize(360, 160)
        else:
            whole = self._picture.size() + QSize(2 * Space.SMALL, 2 * Space.SMALL)
            self.resize(whole.boundedTo(SIZE).expandedTo(QSize(240, 180)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._picture is not None:
            room = self.shown.size().boundedTo(self._picture.size())
            how = Qt.AspectRatioMode.KeepAspectRatio
            self.shown.setPixmap(self._picture.scaled(room, how, Qt.TransformationMode.SmoothTransformation))


SHOWN_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
LARGEST_INLINE = 10_000_000
Wish = Callable[[Path], object]
NO_WISH: tuple[Wish | None, bool] = (None, False)


class AttachmentFiles(QObject):
    """Download state of one message's files. Emits `changed(part_id)` when a file's state changed and `pictures` when inline
    pictures have arrived.
    """

    changed = Signal(str)
    pictures = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._message: Message | None = None
        self._inline: list[Attachment] = []
        self._callbacks: dict[tuple[MessageId, str], tuple[Wish, bool]] = {}
        self.coming: dict[str, int] = {}
        """Bytes that have arrived of the shown message's files that are being fetched, by part."""
        self.errors: dict[str, str] = {}
        """Error codes of the shown message's files, by part."""
        self.destroyed.connect(context.link.subscribe(self._on_event))

    def show_message(self, message: Message) -> None:
        if self._message is not None and self._message.id == message.id:
            return
        self._message = message
        self.coming.clear()
        self.errors.clear()

    def fetch_inline(self, messages: Iterable[Message]) -> None:
        """Fetches the inline pictures of the messages whose bodies are on screen."""
        pictures = [file for message in messages for file in message.pictures]
        pictures = [one for one in pictures if one.mime_type in SHOWN_PICTURES and one.size <= LARGEST_INLINE]
        for one in pictures if pictures != self._inline else ():
            if self._path(one.message_id, one.part_id) is None:
                self._context.link.send(FetchFile(one.message_id, one.part_id))
        self._inline = pictures

    def inline(self) -> dict[str, Path]:
        """The inline pictures that are here, by message and content id."""
        found: dict[str, Path] = {}
        with ErrorNotice(self._context.notices):
            found = pictures_here(self._context.reader, self._inline)
        return found

    def _path(self, message_id: MessageId, part_id: str) -> Path | None:
        path = None
        with ErrorNotice(self._context.notices):
            path = file_here(self._context.reader, message_id, part_id)
        return path

    def want(self, message_id: MessageId, part_id: str, wish: Wish, *, lasting: bool = False) -> None:
        """Calls `wish` with the file once it is here. Unless `lasting`, only while its message is on screen."""
        path = self._path(message_id, part_id)
        if path is not None:
            wish(path)
            return
        self._callbacks[message_id, part_id] = wish, lasting
        self._context.link.send(FetchFile(message_id, part_id))
        if self._message is not None and self._message.id == message_id:
            self.errors.pop(part_id, None)
            self.coming[part_id] = 0
            self.changed.emit(part_id)

    def _on_event(self, event: Event) -> None:
        if not isinstance(event, FileChanged):
            return
        key, part = (event.message_id, event.part_id), event.part_id
        here, comes = event.state is FileState.HERE, event.state is FileState.WANTED
        wish, lasting = NO_WISH if comes else self._callbacks.pop(key, NO_WISH)
        if here and any((one.message_id, one.part_id) == key for one in self._inline):
            self.pictures.emit()
        shown = self._message is not None and event.message_id == self._message.id
        if shown:
            self.coming[part], self.errors[part] = event.done_bytes, event.error
            if not comes:
                del self.coming[part]
            self.changed.emit(part)
        if wish is None or not (shown or lasting):
            return
        path = self._path(*key) if here else None
        if path is not None:
            wish(path)
        elif not shown and event.error:
            self._context.notices.tell(sentence(event.error))


def file_here(reader: MailboxReader, message_id: MessageId, part_id: str) -> Path | None:
    file = reader.file(message_id, part_id)
    return file.path if file is not None and file.state is FileState.HERE and file.path.exists() else None


def pictures_here(reader: MailboxReader, pictures: Iterable[Attachment]) -> dict[str, Path]:
    """The pictures that are here, by message and content id."""
    found = ((one, file_here(reader, one.message_id, one.part_id)) for one in pictures)
    return {f"{one.message_id}/{one.content_id}": path for one, path in found if path is not None}


def open_outside(path: Path) -> None:
    """Opens a file with the desktop's program for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _say(made: QToolButton, words: str, tip: str) -> None:
    made.setText(words)
    made.setAccessibleName(words)
    made.setToolTip(plain_tip(tip))


SHOWN = 4
A_LINE = 2


class AttachmentBar(QWidget):
    """One button per file; further files are in a menu. Buttons are reused, because Qt waits inside a button until its menu
    closes, and an open menu must survive progress updates.
    """

    def __init__(self, context: Context, files: AttachmentFiles) -> None:
        super().__init__()
        self._context, self._files = context, files
        layout = column(self, 0, Space.TIGHT)
        self._lines = [row(None, 0, Space.TIGHT) for _ in range(SHOWN // A_LINE)]
        for line in self._lines:
            line.addStretch(1)
            layout.addLayout(line)
        self._listed: list[Attachment] = []
        self._buttons: list[QToolButton] = []
        self.rest: QToolButton | None = None
        files.changed.connect(lambda _part: self._fill())

    def show_message(self, message: Message) -> None:
        inline = self._files.inline().keys()
        listed = [one for one in message.attachments if not one.inline or f"{message.id}/{one.content_id}" not in inline]
        if listed != self._listed:
            self._listed = listed
            for menu in self.findChildren(QMenu):
                menu.close()
        self._fill()
        self.setVisible(bool(self._listed))

    def open(self, file: Attachment) -> None:
        if runs_when_opened(file.filename):
            self._context.notices.tell(self.tr("This file is a program. You can save it but not open it here."))
            self.save(file)
        elif file.mime_type in SHOWN_PICTURES:
            self._files.want(file.message_id, file.part_id, lambda path: ImageDialog(path, file.filename, self.window()).open())
        else:
            self._files.want(file.message_id, file.part_id, open_outside)

    def save(self, file: Attachment) -> None:
        ask_where(self._context, self, file.filename, partial(self._save_as, file))

    def save_all(self) -> None:
        """Saves all files in a folder, without replacing any that is there."""
        listed = tuple(self._listed)

        def save_in(folder: Path) -> None:
            taken: set[Path] = set()
            for file in listed:
                target = free_path(folder / safe_name(file.filename), taken)
                taken.add(target)
                self._save_as(file, target)

        ask_folder(self._context, self, save_in)

    def _save_as(self, file: Attachment, target: Path) -> None:
        self._files.want(file.message_id, file.part_id, partial(put, self._context.notices, target), lasting=True)

    def _fill(self) -> None:
        shown = self._listed[:SHOWN]
        for at in range(len(self._buttons), len(shown)):
            self._buttons.append(self._button(at))
            self._lines[at // A_LINE].insertWidget(at % A_LINE, self._buttons[at])
            tab_through(self, self._buttons)
        for made, file in zip(self._buttons, shown, strict=False):
            error = self._files.errors.get(file.part_id, "")
            _say(
                made,
                self._words(file),
                "\n".join(filter(None, (file.filename, file.mime_type, sentence(error) if error else ""))),
            )
        for at, made in enumerate(self._buttons):
            made.setVisible(at < len(shown))
        count = len(self._listed) - len(shown)
        if count and self.rest is None:
            self.rest = tool_button(self._context.icons.icon("attachment"), "")
            self.rest.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            menu = QMenu(self.rest)
            menu.aboutToShow.connect(partial(self._list_rest, menu))
            self.rest.setMenu(menu)
            self.rest.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            self._lines[-1].insertWidget(A_LINE, self.rest)
            tab_through(self, (*self._buttons, self.rest))
        if self.rest is not None:
            words = self.tr("and %n more", "", count)
            _say(self.rest, words, words)
            self.rest.setVisible(bool(count))

    def _list_rest(self, menu: QMenu) -> None:
        """Fills the menu when it opens: there may be hundreds of files."""
        for before in menu.findChildren(QMenu):
            before.deleteLater()
        menu.clear()
        for file in self._listed[SHOWN:]:
            inside = menu.addMenu(self._words(file))
            inside.aboutToShow.connect(partial(self._list_choices, inside, file))

    def _button(self, at: int) -> QToolButton:
        made = tool_button(self._context.icons.icon("attachment"), "", lambda: self.open(self._listed[at]))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        made.setProperty("role", "file")
        menu = QMenu(made)
        menu.aboutToShow.connect(lambda: self._list_choices(menu, self._listed[at]))
        made.setMenu(menu)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), made)  # Qt opens this menu by mouse only
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(lambda: menu.popup(made.mapToGlobal(made.rect().bottomLeft())))
        return made

    def _list_choices(self, menu: QMenu, file: Attachment) -> None:
        menu.clear()
        if not runs_when_opened(file.filename):
            menu.addAction(self.tr("Open"), partial(self.open, file))
        menu.addAction(self._context.icons.icon("download"), self.tr("Save as…"), partial(self.save, file))
        if len(self._listed) > 1:
            menu.addAction(self.tr("Save all…"), self.save_all)

    def _words(self, file: Attachment) -> str:
        name = file.filename or self.tr("unnamed file")
        name = name if len(name) <= 40 else f"{name[:24]}…{name[-14:]}"
        error, done = self._files.errors.get(file.part_id), self._files.coming.get(file.part_id)
        if error and done is not None:
            state = self.tr("downloads when you're online")
        elif error:
            state = self.tr("failed, try again")
        elif done is not None:
            percent = min(done * 75 // max(file.size, 1), 99)  # received bytes are base64, four for three
            state = self.tr("downloading %1%").replace("%1", str(percent))
        else:
            state = size_words(file.size)
        return f"{name} · {state}"
