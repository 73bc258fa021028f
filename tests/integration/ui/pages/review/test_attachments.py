"""Files of a draft, one a line: a copy is opened or saved after a question, taken off and put back by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.domain.mail.files import ArtifactHandle
from app.store.db.database import Database
from app.store.requests.artifacts import ArtifactFolder
from app.ui.pages.review.draft_card import DraftAttachments
from fakes.window.page_setup import Stage


@pytest.fixture
def stage(tmp_path: Path, qapp: QApplication) -> Iterator[Stage]:
    Database.open(tmp_path / "mail.db").close()
    made = Stage(tmp_path, qapp)
    yield made
    made.close()


@pytest.fixture
def handles(stage: Stage) -> tuple[ArtifactHandle, ArtifactHandle]:
    folder = ArtifactFolder(stage.data.artifacts)
    return folder.write("Report.pdf", b"%PDF"), folder.write("Table.csv", b"a;b")


@pytest.fixture
def files(stage: Stage, handles: tuple[ArtifactHandle, ArtifactHandle]) -> Iterator[DraftAttachments]:
    made = DraftAttachments(stage.context)
    made.show_files(handles, handles)
    made.resize(500, 160)
    made.show()
    made.activateWindow()
    QTest.qWaitForWindowActive(made, 30_000)
    yield made
    made.close()
    made.deleteLater()


def shown(files: DraftAttachments) -> list[str]:
    """The names of the buttons in sight."""
    QTest.qWait(20)
    return [one.accessibleName() for one in files.findChildren(QAbstractButton) if one.isVisible() and one.accessibleName()]


def named(files: DraftAttachments, words: str) -> QAbstractButton:
    """The button that a screen reader calls so."""
    return next(one for one in files.findChildren(QAbstractButton) if one.accessibleName() == words)


def test_it_is_asked_first_and_then_a_copy_is_opened(
    files: DraftAttachments, stage: Stage, handles: tuple[ArtifactHandle, ArtifactHandle]
) -> None:
    opened: list[Path] = []
    files.bar._open_file = opened.append
    named(files, "Open or save Report.pdf").click()
    assert files.bar.isVisible() and "Report.pdf" in files.bar.words.text()
    assert not opened
    files.bar.open.click()
    (copy,) = opened
    assert copy.read_bytes() == b"%PDF"
    copy.write_bytes(b"typed over")
    assert ArtifactFolder(stage.data.artifacts).read(handles[0].id)[1] == b"%PDF"
    assert not files.bar.isVisible()


def test_a_decided_draft_shows_what_went_along(files: DraftAttachments, handles: tuple[ArtifactHandle, ArtifactHandle]) -> None:
    files.take_off(handles[1])
    files.set_read_only(True)
    assert shown(files) == ["Open or save Report.pdf"]
    files.show_files((), handles)
    assert not files.isVisible()
