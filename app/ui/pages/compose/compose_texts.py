"""Texts about letters. Also the check for a forgotten subject, text or attachment before sending."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.domain.mail.letter import Letter, LetterFile, LetterKind, RemoteDraftChange, StoredLetter, StyleKind
from app.domain.mail.message import Message

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
        return QCoreApplication.translate("Letters", "Nothing is written yet.")
    if not files and FILE_WORDS.search(letter.body):
        return QCoreApplication.translate("Letters", "You speak of an attachment, but there is none.")
    return ""


def title_words(letter: Letter, about: Message | None) -> str:
    who = (about.sender.name or about.sender.email) if about is not None else ""
    titles = {
        LetterKind.REPLY: QCoreApplication.translate("Letters", "Reply to %1"),
        LetterKind.REPLY_ALL: QCoreApplication.translate("Letters", "Reply to %1 and everybody"),
        LetterKind.FORWARD: QCoreApplication.translate("Letters", "Forward an email from %1"),
    }
    if about is None or letter.kind not in titles:
        return QCoreApplication.translate("Letters", "New mail")
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
    ours = QCoreApplication.translate("Letters", "Keep this one")
    if what is RemoteDraftChange.DELETED:
        text = QCoreApplication.translate("Letters", "This draft was deleted in Gmail.")
        return text, QCoreApplication.translate("Letters", "Discard it here too"), ours
    text = QCoreApplication.translate(
        "Letters", "This draft was changed in Gmail in the meantime. Nothing is overwritten until you choose."
    )
    return text, QCoreApplication.translate("Letters", "Use the one in Gmail"), ours


def letter_title(letter: Letter) -> str:
    return letter.subject.strip() or QCoreApplication.translate("Letters", "(no subject)")


def words_with_places(letter: Letter) -> str:
    """Returns the body with the prompt of each slot in brackets, as in the list of templates."""
    body = letter.body
    places = sorted((style for style in letter.styles if style.kind is StyleKind.SLOT), key=lambda style: style.start)
    for place in places[::-1]:
        body = f"{body[: place.start]}[{place.value}]{body[place.start :]}"
    return body


def letter_people(letter: Letter) -> str:
    names = ", ".join(person.name or person.email for person in letter.recipients)
    return names or QCoreApplication.translate("Letters", "(nobody yet)")


def unmoved(files: Sequence[LetterFile], sending: bool) -> str:
    """Says why a letter cannot move to another account now; empty if it can."""
    if sending:
        return QCoreApplication.translate("ComposePage", "It is being sent already.")
    waiting = next((file.name for file in files if not file.here), "")
    words = QCoreApplication.translate(
        "ComposePage", "“%1” is still downloading from Gmail. Wait or remove it, then choose the other address."
    )
    return words.replace("%1", waiting) if waiting else ""
