"""Creates letters: new, as an answer, as a forward, or from a `mailto:` address (RFC 6068). Also their texts.

Such addresses come from untrusted pages, so they are cleaned of control and bidirectional characters.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from urllib.parse import unquote
from uuid import uuid4

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.domain.ids import AccountId, LetterId
from app.domain.mail.letter import Letter, LetterFile, LetterKind, RemoteDraftChange, StoredLetter, forward_subject
from app.domain.mail.message import Account, Address, Message, SystemLabel
from app.domain.mail.recipients import own_address, reply_recipients, reply_subject
from app.domain.protocol.letter_commands import AdoptDraft
from app.domain.record import Record, replace
from app.ui.actions import connect_actions
from app.ui.context import Context, Navigator, Notices
from app.ui.editor.recipient_field import read
from app.ui.message.thread_view import ReadingPane
from app.ui.services.notices import ErrorNotice, account_by_id
from app.ui.session.typed_text import ADOPTING
from app.ui.widgets.action_buttons import ActionButtonBar, KeyButton


def new_id() -> LetterId:
    return LetterId(str(uuid4()))


def new_letter(account_id: AccountId, to: tuple[Address, ...] = (), subject: str = "", body: str = "") -> Letter:
    return Letter(new_id(), account_id, LetterKind.NEW, to=to, subject=subject, body=body, quoted=False)


def needs_gmail(notices: Notices, navigator: Navigator, words: str = "") -> None:
    """Says what needs an account, by default writing; there may be local archives only."""
    words = words or QCoreApplication.translate("Letters", "Connect Gmail first to write email.")
    connect = QCoreApplication.translate("Letters", "Connect Gmail…")
    notices.tell(words, connect, navigator.show_guide, 10_000, leads=True)


def answer(message: Message, account: Account, everybody: bool) -> Letter:
    """Returns an answer to a message, from the address it was sent to."""
    to, cc = reply_recipients(message, account, everybody)
    kind = LetterKind.REPLY_ALL if everybody else LetterKind.REPLY
    sender = own_sender(message, account)
    subject = reply_subject(message.subject)
    return Letter(new_id(), account.id, kind, sender, to, cc, subject=subject, about=message.id)


def forward(message: Message, account: Account) -> Letter:
    subject = forward_subject(message.subject)
    return Letter(new_id(), account.id, LetterKind.FORWARD, own_sender(message, account), subject=subject, about=message.id)


def own_sender(message: Message | None, account: Account) -> str:
    """Returns the owner's address to answer from; empty for the account's main address."""
    found = own_address(account, message)
    return "" if found == account.email else found


SCHEME = "mailto:"
LONGEST = 65_536
"""Characters; a longer address is rejected, because cutting it would change the text."""
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Bidirectional control characters, which could make an address look like another one."""


class Mailto(Record):
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    body: str = ""


def is_mailto(word: str) -> bool:
    """Whether it is a `mailto:` address, of any length."""
    return word[: len(SCHEME)].lower() == SCHEME


def parse(address: str) -> Mailto | None:
    """Parses a `mailto:` address. Returns None if it is not one or longer than `LONGEST`.

    A `+` stays a plus. The first of several subjects counts; several bodies are joined by line breaks.
    """
    if not is_mailto(address) or len(address) > LONGEST:
        return None
    path, _, query = address[len(SCHEME) :].partition("#")[0].partition("?")
    found: dict[str, list[str]] = {}
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        found.setdefault(unquote(name).strip().lower(), []).append(unquote(value))
    subject = next(iter(found.get("subject", ())), "")
    return Mailto(
        # In the path only a comma that is not percent-encoded separates addresses; a field is parsed like a header's list.
        to=_people([*map(unquote, path.split(",")), *found.get("to", ())]),
        cc=_people(found.get("cc", ())),
        bcc=_people(found.get("bcc", ())),
        subject=_line(subject),
        body=_IN_TEXT.sub("", "\n".join(found.get("body", ())).replace("\r\n", "\n").replace("\r", "\n")),
    )


def begin_letter(context: Context, asked: Mailto | None = None) -> None:
    """Opens a new letter, from the account whose mail is on screen."""
    asked = asked or Mailto()
    with ErrorNotice(context.notices):
        account = context.navigator.account()
        if account is None:
            needs_gmail(context.notices, context.navigator)
            return
        letter = new_letter(account.id, asked.to, asked.subject, asked.body)
        context.navigator.show_letter(replace(letter, cc=asked.cc, bcc=asked.bcc, sender=own_sender(None, account)))


def _people(lines: Iterable[str]) -> tuple[Address, ...]:
    """Returns the addresses of several lists without duplicates. Names are dropped, because a page could put anything there."""
    emails = (address.email or address.name for line in lines for address in read(_line(line)))
    return tuple(Address(email) for email in dict.fromkeys(emails))


def _line(text: str) -> str:
    """Returns the text on one line, without control and bidirectional characters."""
    return " ".join(_TURNING.sub("", _CONTROLS.sub(" ", text)).split())


ANSWERS = ("mail.reply", "mail.reply_all", "mail.forward")


class ReplyActions:
    """Connects the answers to the message of a pane and puts their buttons below it. `write` opens an answer there."""

    def __init__(self, context: Context, page: QWidget, pane: ReadingPane, write: Callable[[Letter], object]) -> None:
        self._context, self._pane, self._write_below = context, pane, write
        handlers: dict[str, Callable[[], object]] = {
            "mail.reply": partial(self._answer, partial(answer, everybody=False)),
            "mail.reply_all": partial(self._answer, partial(answer, everybody=True)),
            "mail.forward": partial(self._write, forward, context.navigator.show_letter),
            "mail.continue": self._continue,
        }
        connect_actions(page, context, handlers)
        buttons = [KeyButton(context.actions[name]) for name in ANSWERS]
        pane.answers = ActionButtonBar([*buttons, KeyButton(context.actions["mail.continue"], "primary")], len(ANSWERS))
        pane.below.addWidget(pane.answers)
        pane.showed.connect(self._follow)

    def _follow(self) -> None:
        """Shows "continue" for a draft and the answers for other messages."""
        message = self._pane.message
        draft = message is not None and SystemLabel.DRAFT in message.labels
        self._context.actions["mail.continue"].setVisible(draft)
        for name in ANSWERS:
            self._context.actions[name].setVisible(not draft)
            self._context.actions[name].setEnabled(message is not None)

    def _answer(self, begin: Callable[[Message, Account], Letter]) -> None:
        if self._pane.suspicion.may_answer():
            self._write(begin, self._write_below)

    def _write(self, begin: Callable[[Message, Account], Letter], show: Callable[[Letter], object]) -> None:
        message = self._pane.message
        if message is None or SystemLabel.DRAFT in message.labels:
            return
        account = account_by_id(self._context.reader, message.account_id)
        if account is not None:
            show(begin(message, account))
        elif self._context.reader.accounts():
            words = QCoreApplication.translate("Letters", "This email is in a local archive. Write a new email instead.")
            self._context.notices.tell(words)
        else:
            needs_gmail(self._context.notices, self._context.navigator)

    def _continue(self) -> None:
        message = self._pane.message
        if message is not None and SystemLabel.DRAFT in message.labels:
            go_on(self._context, message)


def go_on(context: Context, draft: Message) -> None:
    """Opens the letter of a Gmail draft. A draft of another program is adopted as a letter first."""
    with ErrorNotice(context.notices):
        letter_id = context.reader.letter_of_draft(draft.id)
        stored = context.reader.letter(letter_id) if letter_id is not None else None
        if stored is not None:
            context.navigator.show_letter(stored.letter)
            return
        made = new_id()
        context.link.send(AdoptDraft(draft.id, made))
        context.state.setValue(ADOPTING, made)
        context.navigator.show_page("drafts")


FILE_WORDS = re.compile(
    r"\b(?:attach(?:ed|es|ing|ments?)?|enclos(?:e|ed|es|ing|ures?)|see the file"
    r"|přílo[hz]\w*|prilo[hz]\w*|přiklád\w+|priklad(?:am|ame|a)|přilož\w+|priloz\w+)\b",
    re.IGNORECASE,
)


def forgotten_words(letter: Letter, files: int) -> str:
    """Names the first thing that was probably forgotten; empty if nothing. `files` is the number of attachments."""
    if not letter.subject.strip():
        return QCoreApplication.translate("Letters", "Send without a subject?")
    if not letter.body.strip() and not files and not (letter.quoted and letter.about):
        return QCoreApplication.translate("Letters", "The message is empty.")
    if not files and FILE_WORDS.search(letter.body):
        return QCoreApplication.translate("Letters", "It looks like you forgot an attachment.")
    return ""


def title_words(letter: Letter, about: Message | None) -> str:
    who = (about.sender.name or about.sender.email) if about is not None else ""
    titles = {
        LetterKind.REPLY: QCoreApplication.translate("Letters", "Reply to %1"),
        LetterKind.REPLY_ALL: QCoreApplication.translate("Letters", "Reply to %1 and everyone"),
        LetterKind.FORWARD: QCoreApplication.translate("Letters", "Forward an email from %1"),
        LetterKind.DRAFT: QCoreApplication.translate("Letters", "Reply to %1"),
    }
    if about is None or letter.kind not in titles:
        return QCoreApplication.translate("Letters", "New message")
    return titles[letter.kind].replace("%1", who)


def kept_words(stored: StoredLetter | None, revision: int) -> str:
    """Says where the letter is saved; empty for revision 0."""
    if not revision:
        return ""
    if stored is None or stored.revision < revision:
        return QCoreApplication.translate("Letters", "Saving…")
    if stored.in_gmail:
        return QCoreApplication.translate("Letters", "Saved to Gmail")
    return QCoreApplication.translate("Letters", "Saved")


def elsewhere_words(what: RemoteDraftChange) -> tuple[str, str, str]:
    """Returns the text about a remote change and two button texts: accept it, or keep the local version."""
    ours = QCoreApplication.translate("Letters", "Keep this version")
    if what is RemoteDraftChange.DELETED:
        text = QCoreApplication.translate("Letters", "This draft was deleted in Gmail.")
        return text, QCoreApplication.translate("Letters", "Discard it here too"), ours
    text = QCoreApplication.translate(
        "Letters", "This draft was changed in Gmail in the meantime. Nothing is overwritten until you choose."
    )
    return text, QCoreApplication.translate("Letters", "Use Gmail's version"), ours


def unmoved(files: Sequence[LetterFile], sending: bool) -> str:
    """Says why a letter cannot move to another account now; empty if it can."""
    if sending:
        return QCoreApplication.translate("ComposePage", "It's already being sent.")
    waiting = next((file.name for file in files if not file.here), "")
    words = QCoreApplication.translate(
        "ComposePage", "“%1” is still downloading from Gmail. Wait or remove it, then choose the other address."
    )
    return words.replace("%1", waiting) if waiting else ""
