"""Typed text that the engine does not have yet, kept in window.ini: edited drafts, unfinished answers, letters.

It survives a change of page, a restart and a crash, until it is decided or sent, or its account is forgotten. An unreadable entry
is ignored. Searches belong to no account: the window clears them with any (`MainWindow.account_forgotten`).
"""

from typing import TypeVar

import msgspec
from msgspec import field
from PySide6.QtCore import QSettings

from app.domain.drafting.draft import Draft
from app.domain.ids import AccountId, LetterId, ReviewId
from app.domain.mail.letter import Letter
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.protocol.letter_commands import SaveLetter
from app.domain.record import Record, replace
from app.ui.session.ini_file import RECENT, SAVED

DRAFTS = "drafts"
WORDS = "words"
LETTERS = "letters"
LETTER_AT_HAND = "compose/letter"
ADOPTING = "compose/adopting"
PICTURES = "mail/pictures_from"
SPELLING = "spelling/known"
OF_ANYBODY = (RECENT, SAVED)
"""Keys that are removed with any account."""
OF_NOBODY = (PICTURES, SPELLING, LETTER_AT_HAND, ADOPTING)
"""Keys that are not kept per account; they are removed with the last account."""
T = TypeVar("T")


def _keep(state: QSettings, key: str, revision: int, value: object) -> None:
    state.setValue(key, msgspec.json.encode((revision, value)).decode())


def _kept(state: QSettings, key: str, kind: type[T]) -> tuple[int, T] | None:
    try:
        revision, value = msgspec.json.decode(str(state.value(key) or "null"), type=tuple[int, msgspec.Raw])
        return revision, msgspec.json.decode(value, type=kind)
    except msgspec.DecodeError:
        return None


class UnsavedWords(Record):
    """Unsaved input of a review other than its draft.

    `answer` answers a question. `asking` is the purpose of the open input bar (empty if closed), `line` its text and `ticked` the
    index of its ticked option, or -1. `fields` are edited arguments by name, `meeting` those of a meeting as JSON.
    """

    answer: str = ""
    asking: str = ""
    line: str = ""
    ticked: int = -1
    fields: dict[str, str] = field(default_factory=dict)
    meeting: str = ""


class UnsavedEdits:
    """One edited draft per review and revision, and other unsaved input of the review."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, review_id: ReviewId, revision: int, draft: Draft) -> None:
        _keep(self._state, f"{DRAFTS}/{review_id}", revision, draft)

    def draft(self, review_id: ReviewId, revision: int) -> Draft | None:
        kept = _kept(self._state, f"{DRAFTS}/{review_id}", Draft)
        return kept[1] if kept is not None and kept[0] == revision else None

    def keep_words(self, review_id: ReviewId, revision: int, words: UnsavedWords) -> None:
        if words == UnsavedWords():
            self.forget_words(review_id)
        elif self.words(review_id, revision) != words:
            _keep(self._state, f"{WORDS}/{review_id}", revision, words)

    def words(self, review_id: ReviewId, revision: int) -> UnsavedWords:
        """Returns the saved input; of another revision without arguments."""
        kept, words = _kept(self._state, f"{WORDS}/{review_id}", UnsavedWords) or (revision, UnsavedWords())
        return words if kept == revision else replace(words, fields={}, meeting="")

    def forget_words(self, review_id: ReviewId) -> None:
        if self._state.contains(f"{WORDS}/{review_id}"):
            self._state.remove(f"{WORDS}/{review_id}")

    def forget(self, review_id: ReviewId) -> None:
        self._state.remove(f"{DRAFTS}/{review_id}")


class KeptLetters:
    """Copies of letters that the engine has not confirmed. Revision 0 is an opened letter without any text yet, only here."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, letter: Letter, revision: int) -> None:
        """Saves the copy; QSettings writes it to disk later."""
        _keep(self._state, f"{LETTERS}/{letter.id}", revision, letter)

    def forget(self, letter_id: LetterId, revision: int) -> None:
        """Removes the copy if it is not newer than `revision`."""
        found = self.find(letter_id)
        if found is None or found[0] <= revision:
            self._state.remove(f"{LETTERS}/{letter_id}")

    def find(self, letter_id: LetterId) -> tuple[int, Letter] | None:
        """Returns the revision and the letter."""
        return _kept(self._state, f"{LETTERS}/{letter_id}", Letter)

    def all(self) -> list[tuple[int, Letter]]:
        return [found for name in _keys(self._state, LETTERS) if (found := self.find(LetterId(name))) is not None]

    def resend(self, link: EngineLink) -> None:
        """Sends every copy to the engine, except revision 0. The engine ignores revisions it has."""
        for revision, letter in self.all():
            if revision:
                link.send(SaveLetter(letter, revision))


def forget_account(state: QSettings, reader: MailboxReader, account_id: AccountId) -> None:
    """Removes the account's text. Call it while the store still has the account's reviews."""
    for group in (DRAFTS, WORDS):
        for name in _keys(state, group):
            review = reader.review(ReviewId(int(name))) if name.isdigit() else None
            if review is None or review.proposal.account_id == account_id:
                state.remove(f"{group}/{name}")
    for name in _keys(state, LETTERS):
        kept = _kept(state, f"{LETTERS}/{name}", Letter)
        if kept is None or kept[1].account_id == account_id:
            state.remove(f"{LETTERS}/{name}")
    for key in OF_ANYBODY:
        state.remove(key)
    if all(account.id == account_id for account in reader.accounts()):
        for key in OF_NOBODY:
            state.remove(key)
    state.sync()


def _keys(state: QSettings, group: str) -> list[str]:
    state.beginGroup(group)
    names = state.childKeys()
    state.endGroup()
    return names
