"""The form of a letter: sender, recipients, subject, text, files, signature and quoted message; and its layout with buttons."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QTextDocument
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QPushButton, QWidget

from app.domain.ids import MessageId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.message import Account, Message
from app.domain.protocol.letter_commands import HelpWriting, WritingWish
from app.domain.record import replace
from app.ui.context import Context
from app.ui.editor.recipient_field import NAME_WIDTH, AddressCompleter, CopyLines, RecipientContext, RecipientField
from app.ui.i18n.formatting import from_ms, when_long
from app.ui.pages.compose.attachments import LetterFiles
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.compose.toolbar import LinkEditor, ShortAnswers, StyleRow, WritingHelp, account_of, fill_senders
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.action_buttons import ButtonRoom, KeyButton, OneFilled
from app.ui.widgets.containers import Scrolled
from app.ui.widgets.factory import (
    STRETCH,
    RoleFrame,
    action_tool,
    button,
    column,
    label,
    named,
    put,
    row,
    rule,
    say_or_hide,
    tab_through,
    tool_button,
)
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.menus import SendLaterBar
from app.ui.widgets.notice_line import ConnectionNote

QUOTE_SHOWN = 4000


class LetterCard(RoleFrame):
    """Form that edits a letter.

    Emits `edited` on every change. Emits `moved` with an account id and an address when the user chooses a sender of another
    account; the letter has to be recreated there.
    """

    edited = Signal()
    moved = Signal(int, str)

    def __init__(self, context: Context, below: bool = False) -> None:
        """With `below` the card stands below the message it answers and shows recipients and text only."""
        super().__init__("card")
        self._below_message = below
        self._letter: Letter | None = None
        self._context = context
        self.from_box = ChoiceBox(context.icons, self.tr("From"))
        self._from = label(self.tr("From"), Type.CAPTION, "soft")
        self._from.setFixedWidth(at_text_size(NAME_WIDTH))
        self.to, self.cc, self.bcc = (RecipientField(title) for title in (self.tr("To"), self.tr("Cc"), self.tr("Bcc")))
        self.copies = CopyLines(self.to, self.cc, self.bcc)
        self.subject = named(QLineEdit(), self.tr("Subject"))
        self.subject.setProperty("role", "quiet")
        self.editor = named(LetterTextEditor(context.appearance), self.tr("Text"))
        self.links = LinkEditor(self.editor.setFocus)
        self.help = WritingHelp(context.link, self._wanted, self.editor.setFocus)
        self.help.written.connect(self.editor.rewrite)
        self.files = LetterFiles(context, self.editor)
        self.answers = ShortAnswers(context.actions, self.editor)
        self.signed = QCheckBox(self.tr("Signature"))
        self.quoted = QCheckBox()
        self._below = label("", Type.CAPTION, "soft", wrap=True)
        self._quote = label("", Type.CAPTION, "soft", wrap=True)
        self.styles = StyleRow(context.actions, self.editor, self.ask_help)
        self._lay_out()
        for field in (self.to, self.cc, self.bcc):
            AddressCompleter(field.line, context.reader.people, context.notices, self.edited.emit)
            field.edited.connect(self.edited)
        self.subject.textEdited.connect(lambda _text: self.edited.emit())
        self.editor.textChanged.connect(self._typed)
        self.links.given.connect(self.editor.set_link)
        for box in (self.signed, self.quoted):
            box.toggled.connect(lambda _on: self._toggled())
        self.from_box.activated.connect(lambda _index: self._sender_chosen())

    def _lay_out(self) -> None:
        first = put(row(), (self.to, 1), self.copies.more)
        title = label(self.tr("Subject"), Type.CAPTION, "soft")
        title.setFixedWidth(at_text_size(NAME_WIDTH))
        head = put(
            column(None, (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.SMALL), Space.HAIR),
            put(row(), self._from, (self.from_box, 1)),
            first,
            self.cc,
            self.bcc,
            put(row(), title, (self.subject, 1)),
        )
        tools = put(column(None, (Space.MEDIUM, Space.TIGHT, Space.MEDIUM, 0), Space.TIGHT), self.styles, self.links, self.help)
        below = column(None, (Space.LARGE, Space.SMALL, Space.LARGE, Space.MEDIUM), Space.TIGHT)
        put(below, self.files, self.signed, self._below, self.quoted, self._quote)
        self.editor.setMinimumHeight(56 if self._below_message else 160)
        put(column(self, 0, 0), head, rule(), tools, self.answers, (self.editor, 1), below)
        if self._below_message:
            for part in (title, self.subject, self.styles):
                part.hide()
        self.setTabOrder(self.subject, self.editor)  # style buttons and the Cc/Bcc button come after the buttons that send
        self.setTabOrder(self.editor, self.copies.more)

    def show_letter(
        self, letter: Letter, account: Account, about: Message | None, around: RecipientContext, accounts: Sequence[Account] = ()
    ) -> None:
        """Fills in the form; `accounts` are all accounts, `about` is the message answered or forwarded."""
        self._letter, self._account = None, account
        fill_senders(self.from_box, letter, account, accounts)
        for widget in (self._from, self.from_box):
            widget.setVisible(self.from_box.count() > 1)
        for field, people in ((self.to, letter.to), (self.cc, letter.cc), (self.bcc, letter.bcc)):
            field.show_addresses(people, around)
        self.copies.fold()
        self.subject.setText(letter.subject)
        self.subject.setCursorPosition(0)
        self.editor.set_words(letter.body, letter.styles)
        self.links.hide()
        self.help.hide()
        self.styles.help.setVisible(bool(self._context.settings().model.name))
        self.signed.setChecked(letter.signed)
        self._show_signature(account)
        self.quoted.setChecked(letter.quoted)
        self.quoted.setVisible(about is not None and letter.kind is not LetterKind.DRAFT and not self._below_message)
        forwarded = letter.kind is LetterKind.FORWARD
        self.quoted.setText(self.tr("Include forwarded message") if forwarded else self.tr("Include original message"))
        quote = ""
        if about is not None:
            head = self.tr("%1, %2").replace("%1", about.sender.name or about.sender.email)
            quote = f"{head.replace('%2', when_long(about.date))}\n\n{about.body_text[:QUOTE_SHOWN].strip()}"
        self._quote.setText(quote)
        self._toggled()
        answered = about if self._below_message and letter.kind in (LetterKind.REPLY, LetterKind.REPLY_ALL) else None
        self.answers.offer(answered.body_text if answered is not None else "")
        self._letter = letter

    @property
    def about(self) -> MessageId:
        """The message that the letter answers or forwards, 0 for none."""
        return self._letter.about if self._letter is not None else MessageId(0)

    def letter(self) -> Letter | None:
        """Returns the letter as edited, None if none is shown."""
        if self._letter is None:
            return None
        body, styles = self.editor.words()
        chosen = str(self.from_box.currentData() or "")
        own = account_of(self.from_box) == self._letter.account_id
        stays = not own or chosen == (self._letter.sender or self.from_box.itemData(0))
        return replace(
            self._letter,
            sender=self._letter.sender if stays else chosen,
            to=self.to.addresses,
            cc=self.cc.addresses,
            bcc=self.bcc.addresses,
            subject=self.subject.text(),
            body=body,
            styles=styles,
            quoted=self.quoted.isChecked(),
            signed=self.signed.isChecked(),
        )

    def clear(self) -> None:
        """Stops editing: `letter` returns None."""
        self._letter = None

    def invalid_field(self) -> RecipientField | None:
        return next((field for field in (self.to, self.cc, self.bcc) if field.wrong), None)

    def start_typing(self) -> None:
        """Focuses the first empty field, else the text."""
        if not self.to.addresses:
            self.to.line.setFocus()
        elif not self.subject.text():
            self.subject.setFocus()
        else:
            self.editor.setFocus()

    def ask_link(self) -> None:
        self.links.ask(self.editor.link())

    def ask_help(self) -> None:
        """Asks what the model should write or change, if there is a model."""
        if self._context.settings().model.name and self._letter is not None:
            self.help.ask(bool(self.editor.toPlainText().strip()))

    def _wanted(self, wish: WritingWish, instruction: str) -> HelpWriting | None:
        """The question about the selected text, else about all of it."""
        letter, cursor = self._letter, self.editor.textCursor()
        if letter is None:
            return None
        text = cursor.selection().toPlainText() if cursor.hasSelection() else self.editor.toPlainText()
        about = letter.about if letter.about and letter.kind is not LetterKind.FORWARD else None
        return HelpWriting(letter.account_id, wish, text, instruction, about)

    def remind(self, at_ms: int) -> None:
        """Sets when the conversation returns without a reply, in Unix milliseconds; 0 for never."""
        if self._letter is not None:
            self._letter = replace(self._letter, remind_at_ms=at_ms)
            self.edited.emit()

    def keep_sender(self, letter: Letter) -> None:
        self.from_box.setCurrentIndex(max(0, self.from_box.findData(letter.sender)) if letter.sender else 0)

    def _sender_chosen(self) -> None:
        if self._letter is not None and account_of(self.from_box) != self._letter.account_id:
            self.moved.emit(account_of(self.from_box), str(self.from_box.currentData()))
        else:
            self._show_signature(self._account)
            self._toggled()

    def _typed(self) -> None:
        if self._letter is not None:
            self.edited.emit()

    def _toggled(self) -> None:
        whole = not self._below_message
        self._below.setVisible(whole and self.signed.isChecked() and bool(self._below.text()))
        self._quote.setVisible(whole and self.quoted.isChecked() and bool(self._quote.text()))
        self._typed()

    def _show_signature(self, account: Account) -> None:
        """Shows the signature of the chosen address."""
        signature = account.identity(str(self.from_box.currentData())).signature
        self.signed.setVisible(bool(signature.strip()) and not self._below_message)
        document = QTextDocument()
        document.setHtml(signature)
        self._below.setText(document.toPlainText().strip())


class ConfirmBar(QFrame):
    """Question above the buttons with one or two answers. Hidden until `ask`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "warning")
        self.words = label("", wrap=True)
        self._handlers: tuple[Callable[[], object], Callable[[], object]] = (self.hide, self.hide)
        self.first = button("", "", lambda: self._answer(0))
        self.second = button("", "", lambda: self._answer(1))
        put(row(self, (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)), (self.words, 1), self.second, self.first)
        self.hide()

    def ask(self, words: str, answer: str, act: Callable[[], object]) -> None:
        """Shows the question that an action of the user raised, and focuses `answer`."""
        self.tell(words, answer, act)
        self.first.setFocus()

    def tell(
        self, words: str, answer: str, act: Callable[[], object], other: str = "", other_act: Callable[[], object] | None = None
    ) -> None:
        """Shows a question that came by itself. The focus stays: a space typed into the text would be an answer."""
        self.words.setText(words)
        self.setAccessibleName(words)
        self.first.setText(answer)
        say_or_hide(self.second, other)
        self._handlers = (act, other_act or self.hide)
        self.show()

    def _answer(self, which: int) -> None:
        self.hide()
        self._handlers[which]()


WIDEST = 920


class ComposeForm(QWidget):
    """Widgets of the compose page. `heading` is the kind of letter, `kept` where it is saved.

    `waits`, `ask` and `later` appear above the buttons.
    """

    def __init__(self, context: Context, card: LetterCard, go_back: Callable[[], object], below: bool = False) -> None:
        super().__init__()
        self.heading = label("", Type.TITLE, wrap=True)
        self.kept = label("", Type.CAPTION, "soft")
        self.ask = ConfirmBar()
        self.later = SendLaterBar(card.editor.setFocus)
        self._card = card
        self.waits = ConnectionNote(context.icons)
        self.later_button = KeyButton(context.actions["compose.later"])
        self.remind_button = action_tool(context.actions["compose.remind"])
        self.reminder = button("", "link", self.remind_button.click)
        self.reminder.hide()
        if below:
            put(column(self, (Space.MEDIUM, Space.SMALL, Space.MEDIUM, 0), 0), (card, 1), self._make_bar(context, Space.TIGHT))
        else:
            inner = RoleFrame("plain")
            inner.setMaximumWidth(at_text_size(WIDEST))
            head = put(row(), tool_button(context.icons.icon("back"), self.tr("Back"), go_back), (self.heading, 1), self.kept)
            put(column(inner, Space.LARGE, Space.MEDIUM), head, (card, 1))
            outer, bar = QWidget(), RoleFrame("bar")
            put(row(outer, 0, 0), 1, (inner, 100), 1)
            put(row(bar, 0, 0), 1, (self._make_bar(context, Space.LARGE), 100), 1)
            put(column(self, 0, 0), (Scrolled(outer), 1), bar)
        inside = (item.widget() for at in range(self._buttons.count()) if (item := self._buttons.itemAt(at)) is not None)
        asking = (self.ask.second, self.ask.first, self.later.field, *self.later.findChildren(QPushButton))
        tab_through(card.editor, (*asking, *(one for one in inside if one is not None)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Chooses the fullest form of the buttons that fits: with keys, with text, then icons from the right."""
        words, icon = ButtonRoom.WORDS, ButtonRoom.ICON
        forms = ((ButtonRoom.KEYS, words, words), (words, words, words), (words, words, icon), (words, icon, icon))
        room = min(self.width(), at_text_size(WIDEST)) - 2 * Space.LARGE
        self._buttons.setSpacing(Space.SMALL)
        for form in forms:
            for made, how in zip(self._sending, form, strict=True):
                made.set_room(how)
            if self._over(room) <= 0:
                return
        self._buttons.setSpacing(Space.TIGHT)  # a word says more than wide gaps
        self._sending[0].shorten(self._over(room))

    def _over(self, room: int) -> int:
        """Pixels that the buttons lack, negative if there is room."""
        parts = [item.sizeHint().width() for at in range(self._buttons.count()) if (item := self._buttons.itemAt(at))]
        return sum(parts) + self._buttons.spacing() * (len(parts) - 1) - room

    def show_reminder(self, at_ms: int) -> None:
        """Says until when a reply is expected; nothing for 0."""
        words = self.tr("Returns to the inbox on %1 if nobody replies").replace("%1", when_long(from_ms(at_ms))) if at_ms else ""
        say_or_hide(self.reminder, words)

    def close_bar(self) -> bool:
        """Hides open bars and focuses the text. Returns whether one was open."""
        asking = [bar for bar in (self._card.links, self._card.help, self.ask, self.later) if not bar.isHidden()]
        for bar in asking:
            bar.hide()
        if asking:
            self._card.editor.setFocus()
        return bool(asking)

    def _make_bar(self, context: Context, margin: int) -> QWidget:
        actions = context.actions
        send, other = actions["compose.send"], actions["compose.send_other"]
        self._sending = (KeyButton(send, "primary"), KeyButton(other), self.later_button)
        for action in (send, other):
            action.changed.connect(self._fit)
        tools = [action_tool(actions[f"compose.{name}"]) for name in ("attach", "template", "discard")]
        self._buttons = buttons = put(row(), *self._sending, self.remind_button, *tools[:2])
        if margin < Space.LARGE:  # the row of styles is hidden there
            put(buttons, self._card.styles.help, STRETCH, self.kept, action_tool(actions["compose.full"]), tools[2])
        else:
            put(buttons, STRETCH, tools[2])
        OneFilled(self._sending[0], self._card.links, self._card.help, self.ask, self.later)
        inside = QWidget()
        inside.setMaximumWidth(at_text_size(WIDEST))
        put(column(inside, (margin, Space.SMALL, margin, Space.SMALL)), self.waits, self.reminder, self.ask, self.later, buttons)
        return inside
