"""Words about letters: titles, where they are kept, what another program did to them, why one stays."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.domain.letter import Elsewhere, Letter, LetterFile, LetterKind, StoredLetter, StyleKind
from app.domain.mail import Message
from app.ui.compose.checks import Doubt


def title_words(letter: Letter, about: Message | None) -> str:
    """What one is doing."""
    who = (about.sender.name or about.sender.email) if about is not None else ""
    titles = {
        LetterKind.REPLY: QCoreApplication.translate("Letters", "Reply to %1"),
        LetterKind.REPLY_ALL: QCoreApplication.translate("Letters", "Reply to %1 and everybody"),
        LetterKind.FORWARD: QCoreApplication.translate("Letters", "Forward a mail of %1"),
    }
    if about is None or letter.kind not in titles:
        return QCoreApplication.translate("Letters", "New mail")
    return titles[letter.kind].replace("%1", who)


def kept_words(stored: StoredLetter | None, revision: int) -> str:
    """Where the words are kept."""
    if not revision:
        return ""
    if stored is None or stored.revision < revision:
        return QCoreApplication.translate("Letters", "Keeping…")
    if stored.in_gmail:
        return QCoreApplication.translate("Letters", "Kept here and in Gmail")
    return QCoreApplication.translate("Letters", "Kept on this computer")


def doubt_words(reason: Doubt) -> str:
    """What may be forgotten."""
    words = {
        Doubt.NO_SUBJECT: QCoreApplication.translate("Letters", "There is no subject."),
        Doubt.NO_FILE: QCoreApplication.translate("Letters", "You speak of an attachment, but there is none."),
        Doubt.NO_WORDS: QCoreApplication.translate("Letters", "Nothing is written yet."),
    }
    return words.get(reason, "")


def elsewhere_words(what: Elsewhere) -> tuple[str, str, str]:
    """What happened, the answer that takes the other version, and the one that keeps this."""
    ours = QCoreApplication.translate("Letters", "Keep this one")
    if what is Elsewhere.DELETED:
        said = QCoreApplication.translate("Letters", "This draft was deleted in Gmail.")
        return said, QCoreApplication.translate("Letters", "Discard it here too"), ours
    said = QCoreApplication.translate(
        "Letters", "This draft was changed in Gmail meanwhile. Nothing is written over until you choose."
    )
    return said, QCoreApplication.translate("Letters", "Use the one in Gmail"), ours


def letter_title(letter: Letter) -> str:
    """The subject, or that there is none."""
    return letter.subject.strip() or QCoreApplication.translate("Letters", "(no subject)")


def words_with_places(letter: Letter) -> str:
    """The body with each open place as its prompt in brackets, as the list of templates shows them."""
    body = letter.body
    places = sorted((one for one in letter.styles if one.kind is StyleKind.SLOT), key=lambda one: one.start)
    for place in places[::-1]:
        body = f"{body[: place.start]}[{place.value}]{body[place.start :]}"
    return body


def letter_people(letter: Letter) -> str:
    """To whom, by name."""
    names = ", ".join(one.name or one.email for one in letter.recipients)
    return names or QCoreApplication.translate("Letters", "(nobody yet)")


def unmoved(files: Sequence[LetterFile], sending: bool) -> str:
    """Why a letter cannot be written from another account just now; empty where it can."""
    if sending:
        return QCoreApplication.translate("ComposePage", "It is being sent already.")
    waiting = next((file.name for file in files if not file.here), "")
    words = QCoreApplication.translate(
        "ComposePage", "“%1” is still being fetched from Gmail. Wait for it, or take it off; then choose the other address."
    )
    return words.replace("%1", waiting) if waiting else ""
