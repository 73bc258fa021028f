"""Edits of drafts that were not decided yet: kept while the user moves about, and across a restart or a crash."""

import msgspec
from PySide6.QtCore import QSettings

from app.domain.draft import Draft
from app.domain.ids import ReviewId
from app.ui.forgetting import DRAFTS


class Unsaved:
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

    def forget(self, review_id: ReviewId) -> None:
        """It was decided."""
        self._state.remove(f"{DRAFTS}/{review_id}")
