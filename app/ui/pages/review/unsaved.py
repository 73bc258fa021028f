"""Edits of drafts that were not decided yet: kept while the user moves about, and across a restart or a crash."""

from dataclasses import dataclass, field, replace

import msgspec
from PySide6.QtCore import QSettings

from app.domain.drafting.draft import Draft
from app.domain.ids import ReviewId
from app.ui.session.forget_account import DRAFTS, WORDS


@dataclass(frozen=True, slots=True)
class UnsavedWords:
    """What is half typed about an item: the answer to its question, the line that asks (`asking` is what for, empty for none)
    with the number of its ticked option, and changed arguments by name, or of a meeting as JSON."""

    answer: str = ""
    asking: str = ""
    line: str = ""
    ticked: int = -1
    fields: dict[str, str] = field(default_factory=dict)
    meeting: str = ""


class UnsavedEdits:
    """One edited draft a review and revision, in window.ini; an unreadable one counts as none."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, review_id: ReviewId, revision: int, draft: Draft) -> None:
        """Remember an edit."""
        text = msgspec.json.encode((revision, draft)).decode()
        self._state.setValue(f"{DRAFTS}/{review_id}", text)

    def draft(self, review_id: ReviewId, revision: int) -> Draft | None:
        """The edit of this very revision, if there is one."""
        text = self._state.value(f"{DRAFTS}/{review_id}")
        if not isinstance(text, str):
            return None
        try:
            kept, draft = msgspec.json.decode(text, type=tuple[int, Draft])
        except msgspec.DecodeError:
            return None
        return draft if kept == revision else None

    def keep_words(self, review_id: ReviewId, revision: int, words: UnsavedWords) -> None:
        """Remember what is half typed; nothing typed is nothing kept."""
        key = f"{WORDS}/{review_id}"
        if words == UnsavedWords():
            self.forget_words(review_id)
        elif self.words(review_id, revision) != words:
            self._state.setValue(key, msgspec.json.encode((revision, words)).decode())

    def words(self, review_id: ReviewId, revision: int) -> UnsavedWords:
        """What was half typed; arguments are those of one revision."""
        text = self._state.value(f"{WORDS}/{review_id}")
        try:
            kept, words = (
                msgspec.json.decode(text, type=tuple[int, UnsavedWords]) if isinstance(text, str) else (revision, UnsavedWords())
            )
        except msgspec.DecodeError:
            return UnsavedWords()
        return words if kept == revision else replace(words, fields={}, meeting="")

    def forget_words(self, review_id: ReviewId) -> None:
        """They were said, or taken back."""
        if self._state.contains(f"{WORDS}/{review_id}"):
            self._state.remove(f"{WORDS}/{review_id}")

    def forget(self, review_id: ReviewId) -> None:
        """It was decided."""
        self._state.remove(f"{DRAFTS}/{review_id}")


def same_words(one: Draft, other: Draft | None) -> bool:
    """Whether two drafts say the same to the same people with the same files; marks do not count."""
    if other is None:
        return False
    return all(getattr(one, part) == getattr(other, part) for part in ("to", "cc", "bcc", "subject", "body", "attachments"))
