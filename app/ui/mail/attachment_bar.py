"""The files that came with a message: open, look at, save; with how far each is on its way.

Refuses to open what would run: that can only be saved.
"""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.domain.mail import Attachment, Message
from app.domain.mail_files import runs_when_opened
from app.ui.build import column, row, tab_through, tool_button
from app.ui.context import Context
from app.ui.mail.message_files import SHOWN_PICTURES, MessageFiles
from app.ui.mail.picture import PictureDialog
from app.ui.saving import ask_where, put
from app.ui.scale import Space
from app.ui.text import size_words
from app.ui.tips import plain_tip
from app.ui.trouble import sentence

SHOWN = 4
A_LINE = 2


class AttachmentBar(QWidget):
    """A button a file; the rest stand in a menu. A button stays for good and is written anew: Qt waits inside a button for its
    menu to be closed, and a menu that is open while files come is not taken away."""

    def __init__(self, context: Context, files: MessageFiles) -> None:
        super().__init__()
        self._context = context
        self._files = files
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
        """Fill in; hidden when there are none."""
        inline = self._files.inline().keys()
        listed = [one for one in message.attachments if not one.inline or one.content_id not in inline]
        if listed != self._listed:
            self._listed = listed
            for menu in self.findChildren(QMenu):
                menu.close()
        self._fill()
        self.setVisible(bool(self._listed))

    def open(self, file: Attachment) -> None:
        """Show a picture, open a document, save a program."""
        if runs_when_opened(file.filename):
            self._context.notices.tell(self.tr("This file would run on your computer. It can only be saved."))
            self.save(file)
        elif file.mime_type in SHOWN_PICTURES:
            self._files.want(file.part_id, partial(self._show_picture, file.filename))
        else:
            self._files.want(file.part_id, lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))

    def save(self, file: Attachment) -> None:
        """Ask where to, then put it there."""
        ask_where(self._context, self, file.filename, lambda to: self._files.want(file.part_id, partial(self.put, to)))

    def put(self, target: Path, source: Path) -> None:
        """Copy a file to where the reader wants it."""
        put(self._context.notices, target, source)

    def _show_picture(self, name: str, path: Path) -> None:
        PictureDialog(path, name, self.window()).open()

    def _fill(self) -> None:
        """Write on the buttons; there are as many as were needed at once so far."""
        shown = self._listed[:SHOWN]
        for at in range(len(self._buttons), len(shown)):
            self._buttons.append(self._button(at))
            self._lines[at // A_LINE].insertWidget(at % A_LINE, self._buttons[at])
            tab_through(self, self._buttons)
        for made, file in zip(self._buttons, shown, strict=False):
            words, error = self._words(file), self._files.error(file.part_id)
            made.setText(words)
            made.setAccessibleName(words)
            made.setToolTip(plain_tip("\n".join(filter(None, (file.filename, file.mime_type, sentence(error) if error else "")))))
        for at, made in enumerate(self._buttons):
            made.setVisible(at < len(shown))
        self._say_rest(len(self._listed) - len(shown))

    def _say_rest(self, count: int) -> None:
        """How many stand in the menu."""
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
            self.rest.setText(words)
            self.rest.setAccessibleName(words)
            self.rest.setToolTip(plain_tip(words))
            self.rest.setVisible(bool(count))

    def _list_rest(self, menu: QMenu) -> None:
        """The rest of the files, once somebody looks: there may be hundreds."""
        for before in menu.findChildren(QMenu):
            before.deleteLater()
        menu.clear()
        for file in self._listed[SHOWN:]:
            inside = menu.addMenu(self._words(file))
            inside.aboutToShow.connect(partial(self._list_choices, inside, file))

    def _list_choices(self, menu: QMenu, file: Attachment) -> None:
        menu.clear()
        self._choices(menu, file)

    def _button(self, at: int) -> QToolButton:
        """For the file at a place of the list, whichever that is."""
        made = tool_button(self._context.icons.icon("attachment"), "", lambda: self.open(self._listed[at]))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        made.setProperty("role", "file")
        menu = QMenu(made)
        menu.aboutToShow.connect(lambda: self._list_choices(menu, self._listed[at]))
        made.setMenu(menu)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), made)  # Qt opens this menu for the mouse only
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(lambda: menu.popup(made.mapToGlobal(made.rect().bottomLeft())))
        return made

    def _choices(self, menu: QMenu, file: Attachment) -> None:
        if not runs_when_opened(file.filename):
            menu.addAction(self.tr("Open"), partial(self.open, file))
        menu.addAction(self._context.icons.icon("download"), self.tr("Save as…"), partial(self.save, file))

    def _words(self, file: Attachment) -> str:
        """Name and size, or how far it is, or why it did not come."""
        name = file.filename or self.tr("unnamed file")
        name = name if len(name) <= 40 else f"{name[:24]}…{name[-14:]}"
        error, done = self._files.error(file.part_id), self._files.coming(file.part_id)
        if error and done is not None:
            state = self.tr("waits until you are online")
        elif error:
            state = self.tr("failed, try again")
        elif done is not None:
            percent = min(done * 75 // max(file.size, 1), 99)  # base64 takes four bytes for three
            state = self.tr("downloading %1 %").replace("%1", str(percent))
        else:
            state = size_words(file.size)
        return f"{name} · {state}"
