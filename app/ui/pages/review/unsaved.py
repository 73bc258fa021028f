"""Saves edits of undecided reviews in window.ini. They survive a change of page, a restart and a crash."""

from dataclasses import dataclass, field, replace

import msgspec
from PySide6.QtCore import QSettings

from app.domain.drafting.draft import Draft
from app.domain.ids import ReviewId
from app.ui.session.forget_account import DRAFTS, WORDS


@dataclass(frozen=True, slots=True)
class UnsavedWords:
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
    """One edited draft per review and revision, in window.ini. An unreadable entry is ignored."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, review_id: ReviewId, revision: int, draft: Draft) -> None:
        text = msgspec.json.encode((revision, draft)).decode()
        self._state.setValue(f"{DRAFTS}/{review_id}", text)

    def draft(self, review_id: ReviewId, revision: int) -> Draft | None:
        text = self._state.value(f"{DRAFTS}/{review_id}")
        if not isinstance(text, str):
            return None
        try:
            kept, draft = msgspec.json.decode(text, type=tuple[int, Draft])
        except msgspec.DecodeError:
            return None
        return draft if kept == revision else None

    def keep_words(self, review_id: ReviewId, revision: int, words: UnsavedWords) -> None:
        key = f"{WORDS}/{review_id}"
        if words == UnsavedWords():
            self.forget_words(review_id)
        elif self.words(review_id, revision) != words:
            self._state.setValue(key, msgspec.json.encode((revision, words)).decode())

    def words(self, review_id: ReviewId, revision: int) -> UnsavedWords:
        """Returns the saved input; of another revision without arguments."""
        text = self._state.value(f"{WORDS}/{review_id}")
        try:
            kept, words = (
                msgspec.json.decode(text, type=tuple[int, UnsavedWords]) if isinstance(text, str) else (revision, UnsavedWords())
            )
        except msgspec.DecodeError:
            return UnsavedWords()
        return words if kept == revision else replace(words, fields={}, meeting="")

    def forget_words(self, review_id: ReviewId) -> None:
        if self._state.contains(f"{WORDS}/{review_id}"):
            self._state.remove(f"{WORDS}/{review_id}")

    def forget(self, review_id: ReviewId) -> None:
        self._state.remove(f"{DRAFTS}/{review_id}")


def same_words(one: Draft, other: Draft | None) -> bool:
    """Whether two drafts have the same recipients, subject, text and files; spans are not compared."""
    if other is None:
        return False
    return all(getattr(one, part) == getattr(other, part) for part in ("to", "cc", "bcc", "subject", "body", "attachments"))
