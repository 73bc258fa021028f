"""The Compose page: edits one letter, saves it while it is typed, sends it with an undo delay, or keeps it as a draft.

Also the template menu and the notice after sending.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from math import ceil
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMenu

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, LetterId, MessageId, OutboxId
from app.domain.mail.letter import (
    Letter,
    LetterFile,
    LetterKind,
    LetterState,
    RemoteDraftChange,
    StoredLetter,
    filled,
    first_name,
)
from app.domain.mail.message import Account, SystemLabel
from app.domain.protocol.commands import CancelSend
from app.domain.protocol.events import CommandFailed, ConnectionChanged
from app.domain.protocol.letter_commands import (
    AttachFile,
    DiscardLetter,
    LetterChanged,
    RestoreLetter,
    SendLetter,
    SettleDraft,
    UseTemplate,
)
from app.domain.wire import Event
from app.ui.actions import connect_actions, spec_words
from app.ui.context import Context, Words
from app.ui.editor.recipient_field import KnownPeople, RecipientContext, folded, people_of
from app.ui.editor.spelling import SpellMarks
from app.ui.i18n.formatting import from_ms, when_long
from app.ui.pages.base import Page
from app.ui.pages.compose.attachments import files_at_hand
from app.ui.pages.compose.autosave import Autosave, at_hand
from app.ui.pages.compose.card import ComposeForm, LetterCard
from app.ui.pages.compose.editor import local_files
from app.ui.pages.compose.new_letter import begin_letter, elsewhere_words, forgotten_words, kept_words, title_words, unmoved
from app.ui.pages.compose.toolbar import ANSWERS, STYLES, from_other
from app.ui.services.corrections import mark_as_read
from app.ui.services.notices import ErrorNotice, account_by_id, tell_discarded
from app.ui.session.ini_file import remembered
from app.ui.session.typed_text import LETTER_AT_HAND, KeptLetters
from app.ui.widgets.action_buttons import show_icons
from app.ui.widgets.factory import announce, column, submit_focused
from app.ui.widgets.menus import LATER_FROM_MS, PageMenu, later_menu, reminder_menu
from app.ui.widgets.split_view import EmptyState, Stack

MOST = 40
"""Templates listed in the menu."""


ARCHIVE = "compose/archive"
"""Key in window.ini: whether sending an answer also archives."""


class ComposePage(Page):
    """Edits one letter at a time; `open` switches to another. With `below` it stands below the message it answers."""

    def __init__(self, context: Context, below: bool = False) -> None:
        super().__init__(context, "compose", self.tr("Write"))
        self._below, self._in_inbox = below, False
        self.setAcceptDrops(True)
        self.letter_id: LetterId | None = None
        self._sending = False
        self._sent: dict[LetterId, Letter] = {}
        self._changed = False
        """The draft was changed in Gmail, and the user has not chosen a version."""
        self._seen: set[MessageId] = set()
        """The messages of the conversation when the letter was opened; one that came since may be unread."""
        self.card = LetterCard(context, below)
        self._copies = KeptLetters(context.state)
        self.keeping = Autosave(self._copies, context.link, self.card.letter, self._show_saved, self)
        card = self.card
        SpellMarks(card.editor, context, lambda: card.about, (card.to, card.cc, card.bcc))
        self.form = ComposeForm(context, self.card, self.go_back, below)
        self.ask, self.later = self.form.ask, self.form.later
        self._empty = EmptyState(context.icons)
        self._stack = Stack(self.form, self._empty)
        column(self).addWidget(self._stack)
        self.card.edited.connect(self._edited)
        self.card.edited.connect(self._show_reminder)
        self.card.moved.connect(self._change_account)
        self.card.editor.left.connect(self.go_back)
        self.card.editor.dropped.connect(self.attach)
        self.card.editor.pictured.connect(self.insert_picture)
        self.card.editor.expand = self._expand
        self.card.files.open_letter = lambda: self.letter_id
        self.later.chosen.connect(self.send)
        self._connect_actions()
        self._show_nothing()

    def open(self, letter: Letter, *, typing: bool = True) -> None:
        """Opens a letter; the one open before is saved as a draft. With `typing` it gets the focus."""
        self.close_letter()
        stored = self.context.reader.letter(letter.id)
        copy = self._copies.find(letter.id)
        revision = max(stored.revision if stored else 0, copy[0] if copy else 0)
        if copy is not None and (stored is None or copy[0] > stored.revision):
            letter = copy[1]
        elif stored is not None:
            letter = stored.letter
        account = account_by_id(self.context.reader, letter.account_id)
        if account is None:
            self._show_nothing()
            return
        self.letter_id = letter.id  # the pictures of the text are read by it
        self._show(letter, account)
        self.keeping.begin(self.card.letter() or letter, revision)
        if not self._below:
            self.context.state.setValue(LETTER_AT_HAND, letter.id)
        if revision == 0 and letter.kind is LetterKind.FORWARD:
            self.keeping.save(letter)
        elif revision == 0:
            self._copies.keep(letter, 0)
        self._show_stored(stored)
        if typing:
            self.card.start_typing()

    def close_letter(self) -> bool:
        """Saves and closes the letter; an empty one is discarded. Returns whether it was kept."""
        if self.letter_id is None:
            return False
        self.keeping.flush()
        stored, letter = None, self.card.letter()
        with suppress(ExpectedError):  # if the store cannot be read, the letter is kept
            stored = self.context.reader.letter(self.letter_id)
        empty = stored is not None and stored.state is LetterState.OPEN and stored.empty and letter is not None and letter.blank
        if empty:
            self.context.link.send(DiscardLetter(self.letter_id))
        kept = self.keeping.revision > 0 and not empty
        self._clear()
        return kept

    def attach(self, paths: list[Path]) -> None:
        """Attaches files. Saves the letter first, so that the engine has it."""
        letter_id = self._stored_id()
        if letter_id is not None:
            for path in paths:
                self.context.link.send(AttachFile(letter_id, path))

    def insert_picture(self, data: bytes) -> None:
        """Shows a picture in the text. Saves the letter first, so that the engine has it."""
        letter_id = self._stored_id()
        if letter_id is not None:
            self.card.files.insert(letter_id, data)

    def _stored_id(self) -> LetterId | None:
        """Saves the open letter. Returns its id."""
        letter = self.card.letter()
        if letter is None:
            return None
        if self.keeping.revision == 0:
            self.keeping.save(letter)
        self.keeping.flush()
        return letter.id

    def refresh(self) -> None:
        """Shows the stored state of the letter; after a restart opens the letter that was open before."""
        if self.letter_id is None:
            letter = None if self._below else at_hand(self.context)
            if letter is not None:
                self.open(letter)
            return
        self._show_stored(self.context.reader.letter(self.letter_id))

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, LetterChanged) and event.letter_id == self.letter_id

    def hear(self, event: Event) -> None:
        """Also handles changes of letters sent from here, connection changes and failed commands."""
        if isinstance(event, LetterChanged):
            self._copies.forget(event.letter_id, event.revision)  # the engine has it
            self._on_letter_changed(event)
        elif isinstance(event, ConnectionChanged):
            self.form.waits.hear(event)
        elif isinstance(event, CommandFailed) and event.command in ("SendLetter", "AttachFile"):
            self._sending = False
            self._enable()
        super().hear(event)

    def take_focus(self) -> None:
        if self.letter_id is not None:
            self.card.start_typing()
        else:
            self._empty.take_focus()

    def go_back(self) -> bool:
        """Closes an open bar, else saves the letter and returns to the page before."""
        if self.form.close_bar():
            return True
        kept = self.close_letter()
        self._return_to_page()
        if kept:
            self.context.notices.tell(self.tr("Saved to Drafts"))
        return True

    def _return_to_page(self, archived: bool = False) -> None:
        """Goes to where the letter was begun. `archived`: sending took its conversation out of the inbox."""
        self.context.navigator.leave_letter()

    def _reopen(self, letter: Letter) -> None:
        """Shows a letter that was not sent after all."""
        self.context.navigator.show_letter(letter)

    def hideEvent(self, event: QHideEvent) -> None:
        self.keeping.flush()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._enable()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.letter_id is not None and local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.attach(local_files(event.mimeData()))
        event.acceptProposedAction()

    def send(self, send_at_ms: int = 0, sure: bool = False) -> None:
        """Sends the letter after the undo delay or at a time. Asks first if something was probably forgotten."""
        letter = self.card.letter()
        if letter is None or self._sending:
            return
        wrong = self.card.invalid_field() if letter.recipients else self.card.to
        if wrong is not None:
            wrong.line.setFocus()
            wanted = self.tr("“%1” isn't a valid email address.").replace("%1", wrong.wrong)
            words = wanted if letter.recipients else self.tr("Add at least one recipient.")
            self.context.notices.tell(words)
            return
        if self.card.editor.select_slot():
            self.context.notices.tell(self.tr("Fill in or delete the blanks."))
            return
        if letter.remind_at_ms and letter.remind_at_ms <= max(send_at_ms, int(self.context.clock().timestamp() * 1000)):
            self.context.notices.tell(self.tr("The reminder is set before the message is sent. Choose a later time."))
            return
        forgotten = ""
        if not sure:
            with ErrorNotice(self.context.notices) as notice:
                forgotten = forgotten_words(letter, sum(not one.inline for one in self._files(letter)))
            if notice.failed:
                return
        if forgotten:
            self.ask.ask(forgotten, self.tr("Send anyway"), lambda: self.send(send_at_ms, sure=True))
            return
        self._sending = True
        self._enable()
        self.keeping.flush()
        self._sent[letter.id] = letter
        self.keeping.revision += 1  # the engine saves the text under this revision even if it rejects the send
        self.context.link.send(SendLetter(letter, self.keeping.revision, send_at_ms, self.archives))
        about = self.context.reader.message(letter.about) if letter.about is not None else None
        thread = self.context.reader.messages(about.thread_id) if about is not None else ()
        if about is not None and all(one.id in self._seen or SystemLabel.DRAFT in one.labels for one in thread):
            mark_as_read(self.context, about.thread_id)

    @property
    def archives(self) -> bool:
        """Whether sending also archives the conversation, as the user last chose."""
        return self._in_inbox and remembered(self.context.state, ARCHIVE, 1) == 1

    def send_otherwise(self) -> None:
        """Sends with the other choice about archiving, which is then the first."""
        if self._in_inbox:
            self.context.state.setValue(ARCHIVE, int(not self.archives))
            self._enable()
            self.send()

    def discard(self) -> None:
        letter_id, kept = self.letter_id, self.keeping.revision > 0
        if letter_id is None:
            return
        self.keeping.flush()
        self.keeping.end()
        self._clear()
        self._return_to_page()
        if not kept:
            return
        self._copies.forget(letter_id, self.keeping.revision)
        self.context.link.send(DiscardLetter(letter_id))

        def restore() -> None:
            self.context.link.send(RestoreLetter(letter_id))
            stored = self.context.reader.letter(letter_id)
            if stored is not None:
                self.context.navigator.show_letter(stored.letter)

        tell_discarded(self.context.notices, self.tr("Undo"), restore)

    def _change_account(self, account_id: int, sender: str) -> None:
        """Replaces the letter by one of another account with the same text and files.

        The engine does both in one commit; the copy of the old letter is removed once the new one has a copy.
        """
        letter, account, stays = self.card.letter(), None, ""
        if letter is None:
            return
        with ErrorNotice(self.context.notices) as notice:
            account = account_by_id(self.context.reader, AccountId(account_id))
            stays = unmoved(self._files(letter), self._sending)
        if stays:
            self.context.notices.tell(stays)
        if stays or account is None or notice.failed:
            self.card.keep_sender(letter)
            return
        revision = self.keeping.revision
        made = from_other(letter, account, sender, kept=revision > 0)
        self.keeping.end()
        self.letter_id = None
        self.open(made)
        self.keeping.save(made)
        self._copies.forget(letter.id, revision)

    def _edited(self) -> None:
        if not self._changed:
            self.ask.hide()
        self.keeping.touch()

    def _on_letter_changed(self, event: LetterChanged) -> None:
        """Handles a letter that was sent, was cancelled, or changed outside the window."""
        letter = self._sent.get(event.letter_id)
        if event.state == LetterState.LEAVING and letter is not None and event.undo_until_ms:
            self._on_sent(letter, event.outbox_id, event.undo_until_ms)
        elif event.state == LetterState.OPEN and letter is not None and not self._sending:
            del self._sent[event.letter_id]
            self._reopen(letter)
        elif event.reload and event.letter_id == self.letter_id:
            self.keeping.end()
            stored = self.context.reader.letter(event.letter_id)
            account = account_by_id(self.context.reader, stored.letter.account_id) if stored else None
            if stored is not None and account is not None:
                self._show(stored.letter, account)
                self.keeping.begin(self.card.letter() or stored.letter, stored.revision)

    def _on_sent(self, letter: Letter, outbox_id: OutboxId, undo_until_ms: int) -> None:
        """Closes a letter that is in the outbox now and offers Undo."""
        self._sending = False
        if letter.id == self.letter_id:
            archives = self.archives
            self.keeping.end()
            self._clear()
            self._return_to_page(archived=archives)
        wait_ms = undo_until_ms - int(self.context.clock().timestamp() * 1000)
        seconds = max(1, ceil(wait_ms / 1000))
        waiting = self.form.waits.status.waiting(letter.account_id)
        words: Words = waiting or (lambda left: self.tr("Sending in %n second(s).", "", max(1, min(left, seconds))))
        if wait_ms > LATER_FROM_MS:
            words = self.tr("Sending at %1.").replace("%1", when_long(from_ms(undo_until_ms)))
        undo, shown_ms = partial(self.context.link.send, CancelSend(outbox_id)), min(max(wait_ms, 3000), 20_000)
        self.context.notices.tell(words, self.tr("Undo"), undo, for_ms=shown_ms)

    def _show(self, letter: Letter, account: Account) -> None:
        about = self.context.reader.message(letter.about) if letter.about else None
        thread = self.context.reader.messages(about.thread_id) if about is not None else ()
        around = RecipientContext(people_of(thread), KnownPeople(self.context), frozenset())
        self._seen = {message.id for message in thread}
        self._in_inbox = letter.kind.answers and any(SystemLabel.INBOX in message.labels for message in thread)
        self.card.show_letter(letter, account, about, around, self.context.reader.accounts())
        self.form.waits.about(account.id)
        self.form.heading.setText(title_words(letter, about))
        self._show_reminder()
        self._stack.setCurrentIndex(0)
        self._sending = False
        self._enable()

    def _show_stored(self, stored: StoredLetter | None) -> None:
        """Shows the engine's state of the letter: files, where it is saved, and changes made in Gmail."""
        self._show_saved()
        letter = self.card.letter()
        self.card.files.show_files(files_at_hand(self.context.reader, letter, stored) if letter is not None else ())
        self._changed = stored is not None and stored.state is LetterState.OPEN and bool(stored.elsewhere)
        if stored is None or not self._changed:
            return
        letter_id, words, theirs, ours = stored.letter.id, *elsewhere_words(stored.elsewhere)

        def accept() -> None:
            """Takes Gmail's version of the text, or the deletion there."""
            if stored.elsewhere is RemoteDraftChange.DELETED:
                self.discard()
            else:
                self.keeping.end()
                self.context.link.send(SettleDraft(letter_id, True))

        if self.ask.isHidden():
            announce(self.ask, words, urgent=True)
        self.ask.tell(words, ours, lambda: self.context.link.send(SettleDraft(letter_id, False)), theirs, accept)

    def _show_saved(self) -> None:
        stored = None
        with suppress(ExpectedError):  # the letter is saved anyway; the text is updated at the next refresh
            stored = self.context.reader.letter(self.letter_id) if self.letter_id is not None else None
        self.form.kept.setText(kept_words(stored, self.keeping.revision))

    def _show_nothing(self) -> None:
        self._clear()
        words = self.tr("Drafts are saved here and in Gmail as you type.")
        title, begin = self.tr("No message open"), partial(begin_letter, self.context)
        self._empty.show_state("edit", title, words, self.tr("Compose"), begin)

    def _clear(self) -> None:
        if self.letter_id is not None:  # creating the page must not remove the letter to restore
            self.context.state.remove(LETTER_AT_HAND)
            self._copies.forget(self.letter_id, 0)
            self.card.files.close_letter()
        self.letter_id = None
        self.card.clear()
        self.ask.hide()
        self.later.hide()
        self.card.files.show_files(())
        self._stack.setCurrentIndex(1)
        self._enable()

    def _enable(self) -> None:
        """Enables the actions that the page on screen shares with the other one that writes letters."""
        if not self.isVisible():
            return
        for name in ("compose.later", "compose.remind", "compose.attach", "compose.template", "compose.discard"):
            self.context.actions[name].setEnabled(self.letter_id is not None or self.card.letter() is not None)
        both, alone = self.tr("Send and archive"), spec_words("compose.send")
        send, other = self.context.actions["compose.send"], self.context.actions["compose.send_other"]
        send.setText(both if self.archives else alone)
        send.setIconText(alone)  # what is shown where there is little room
        other.setText(self.tr("Send only") if self.archives else both)
        icons = ("archive", "sending") if self.archives else ("sending", "archive")
        show_icons(self.context.icons, dict(zip((send, other), icons, strict=True)))
        other.setVisible(self._in_inbox)
        for action in (send, other):
            action.setEnabled(self.letter_id is not None and not self._sending)

    def _files(self, letter: Letter) -> tuple[LetterFile, ...]:
        return files_at_hand(self.context.reader, letter, self.context.reader.letter(letter.id))

    def _choose_files(self) -> None:
        dialog = QFileDialog(self, self.tr("Attach files"), str(self.context.save_folder))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.attach([Path(name) for name in names]))
        dialog.open()

    def _choose_time(self) -> None:
        now = self.context.clock()
        menu = later_menu(self, now, self.send, lambda: self.later.ask(now))
        menu.popup(self.form.later_button.mapToGlobal(self.form.later_button.rect().topLeft()))

    def _choose_reminder(self) -> None:
        def remind(at: datetime | None) -> None:
            self.card.remind(int(at.timestamp() * 1000) if at is not None else 0)
            self.card.editor.setFocus()

        letter, below = self.card.letter(), self.form.remind_button
        if letter is not None:
            menu = reminder_menu(self.context.clock(), remind, self, bool(letter.remind_at_ms))
            menu.popup(below.mapToGlobal(below.rect().topLeft()))

    def _show_reminder(self) -> None:
        letter = self.card.letter()
        self.form.show_reminder(letter.remind_at_ms if letter is not None else 0)

    def template_menu(self) -> QMenu:
        """A menu of the most used templates; the others are in the command palette."""
        menu, actions = PageMenu(self), self.context.actions
        templates = self.context.reader.templates()
        for template in templates[:MOST]:
            menu.addAction(template.name, partial(self.put_template, template.id))
        if len(templates) > MOST:
            menu.addAction(self.tr("More templates…"), actions["window.palette"].trigger)
        menu.addSeparator()
        menu.addAction(actions["window.templates"])
        return menu

    def _choose_template(self) -> None:
        menu = self.template_menu()
        menu.popup(self.card.styles.mapToGlobal(self.card.styles.rect().bottomLeft()))

    def _expand(self, name: str) -> bool:
        """Inserts the template whose name begins with these letters, the most used of several. Returns whether there is one."""
        wanted = folded(name)
        named = [one for one in self.context.reader.templates() if folded(one.name).replace(" ", "-").startswith(wanted)]
        exact = [one for one in named if folded(one.name) == wanted]
        if named:
            self.put_template((exact or named)[0].id)
        return bool(named)

    def put_template(self, template_id: int) -> None:
        """Inserts a template, if it still exists, and fills in the first name of the first recipient."""
        card, found = self.card, None
        with ErrorNotice(self.context.notices):
            found = next((one for one in self.context.reader.templates() if one.id == template_id), None)
        if found is None:
            return
        name = next((first_name(address.name) for address in card.to.addresses), "")
        card.editor.insert(*filled(found.body, {"first name": name}))
        if found.subject and not card.subject.text().strip():
            card.subject.setText(found.subject)
        self.context.link.send(UseTemplate(template_id))
        self._edited()

    def _unless_asked(self, send: Callable[[], object]) -> None:
        """Sends, unless the focus is in the bar of a link, of the writing help or of a time, which then gets its answer."""
        if not submit_focused(self.card.links, self.card.help, self.later):
            send()

    def _connect_actions(self) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "compose.send": partial(self._unless_asked, self.send),
            "compose.send_other": partial(self._unless_asked, self.send_otherwise),
            "compose.later": self._choose_time,
            "compose.remind": self._choose_reminder,
            "compose.attach": self._choose_files,
            "compose.template": self._choose_template,
            "compose.link": self.card.ask_link,
            "compose.help": self.card.ask_help,
            "compose.discard": self.discard,
        }
        for name, kind in STYLES.items():
            handlers[name] = partial(self.card.editor.toggle, kind)
        for at, name in enumerate(ANSWERS):
            handlers[name] = partial(self.card.answers.take, at)
        connect_actions(self, self.context, handlers)
