"""Nothing of a forgotten account stays in window.ini, and nothing of another goes with it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.domain.drafting.draft import Draft
from app.domain.ids import AccountId, LetterId
from app.domain.mail.letter import Letter, LetterKind
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.pages.compose.autosave import KeptLetters
from app.ui.pages.review.unsaved import UnsavedEdits
from app.ui.session.forget_account import forget_account
from fakes.engine.store.sample_store import LivelyStore

OTHER = AccountId(99)


@pytest.fixture
def state(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


def test_the_words_of_the_account_go(state: QSettings, store: LivelyStore, tmp_path: Path) -> None:
    reader = SqliteMailboxReader(store.path)
    mine = reader.accounts()[0].id
    review = reader.review(store.reviews["meeting"])
    assert review is not None
    UnsavedEdits(state).keep(review.id, 1, Draft((), (), (), "Hush", "a secret edit", "template"))
    KeptLetters(state).keep(Letter(LetterId("l1"), mine, LetterKind.NEW, body="a secret letter"), 1)
    KeptLetters(state).keep(Letter(LetterId("l2"), OTHER, LetterKind.NEW, body="somebody else's"), 1)
    RemoteImageChoice(state).allow("friend@secret.example", allowed=True)
    forget_account(state, reader, mine)
    reader.close()
    text = (tmp_path / "window.ini").read_text()
    assert "secret" not in text
    assert "somebody else's" in text


def test_another_accounts_edits_stay(state: QSettings, store: LivelyStore) -> None:
    reader = SqliteMailboxReader(store.path)
    review = reader.review(store.reviews["meeting"])
    assert review is not None
    UnsavedEdits(state).keep(review.id, 1, Draft((), (), (), "Hush", "an edit", "template"))
    RemoteImageChoice(state).allow("friend@example.org", allowed=True)
    forget_account(state, reader, OTHER)
    reader.close()
    assert UnsavedEdits(state).draft(review.id, 1) is not None
    assert RemoteImageChoice(state).allowed("friend@example.org")
