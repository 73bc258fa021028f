"""Documents of a request: opened after a question, saved elsewhere, and never opened where they would run."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import DocumentPreview, PreviewDocument
from app.store.requests.artifacts import ArtifactFolder
from app.ui.pages.assistant.answer import DocumentBar
from app.ui.pages.review.draft_card import DraftAttachments
from fakes.window.page_setup import Stage, until


@pytest.fixture
def opened() -> list[Path]:
    return []


@pytest.fixture
def bar(qtbot: QtBot, stage: Stage, opened: list[Path]) -> DocumentBar:
    made = DocumentBar(stage.context, opened.append)
    qtbot.addWidget(made)
    return made


def document(stage: Stage, name: str = "report.md") -> ArtifactHandle:
    return ArtifactFolder(stage.data.artifacts).write(name, b"# Report")


def test_it_is_opened_after_a_question(stage: Stage, bar: DocumentBar, opened: list[Path]) -> None:
    handle = document(stage)
    assert bar.isHidden()
    bar.offer(handle)
    assert "report.md" in bar.words.text()
    assert opened == []
    bar.open.click()
    (copy,) = opened
    assert copy.read_bytes() == b"# Report" and bar.isHidden()
    copy.write_bytes(b"typed over")
    assert ArtifactFolder(stage.data.artifacts).read(handle.id)[1] == b"# Report", "a copy is opened"


def test_it_is_saved_elsewhere(stage: Stage, bar: DocumentBar, tmp_path: Path) -> None:
    bar.offer(document(stage))
    bar.put(tmp_path / "mine.md")
    assert (tmp_path / "mine.md").read_bytes() == b"# Report"
    bar.offer(document(stage))
    bar.put(tmp_path / "nowhere" / "mine.md")
    assert "could not be saved" in stage.neighbours.told[-1]
    assert not bar.isHidden(), "it can be tried again"


def test_what_would_run_is_only_saved(stage: Stage, bar: DocumentBar) -> None:
    bar.offer(document(stage, "report.sh"))
    assert bar.open.isHidden()
    assert not bar.save.isHidden()


def test_what_is_gone_or_changed_is_told(stage: Stage, bar: DocumentBar, opened: list[Path]) -> None:
    bar.offer(ArtifactHandle("b" * 64, "report.md", "b" * 64, 8))
    bar.open.click()
    assert stage.neighbours.told[-1] == bar.tr("The document is no longer available.")
    handle = document(stage)
    (stage.data.artifacts / handle.sha256 / handle.name).write_bytes(b"other")
    bar.offer(handle)
    bar.open.click()
    assert "changed outside" in stage.neighbours.told[-1]
    assert opened == []


async def test_its_text_is_previewed(stage: Stage, bar: DocumentBar) -> None:
    handle = document(stage, "report.pdf")
    bar.offer(handle)
    bar.preview.click()
    await until(lambda: PreviewDocument(handle.id) in stage.engine.queries)
    stage.engine.answer(DocumentPreview("# Report\n\nAll is well.", cut=True))
    await until(lambda: not bar.text.isHidden())
    assert "All is well." in bar.text.toPlainText()
    assert bar.tr("Only the beginning is shown.") in bar.text.toPlainText()
    bar.offer(document(stage))
    assert bar.text.isHidden()


def test_the_files_of_a_decided_draft_are_those_that_went_along(qtbot: QtBot, stage: Stage) -> None:
    folder = ArtifactFolder(stage.data.artifacts)
    handles = (folder.write("Report.pdf", b"%PDF"), folder.write("Table.csv", b"a;b"))
    files = DraftAttachments(stage.context)
    qtbot.addWidget(files)
    files.show_files(handles, handles)
    files.show()
    next(one for one in files.findChildren(QAbstractButton) if one.accessibleName() == "Open or save Report.pdf").click()
    assert files.bar.isVisible() and "Report.pdf" in files.bar.words.text()
    files.toggle(handles[1])
    files.set_read_only(True)
    assert list(files.buttons) == [handles[0].id]
    files.show_files((), handles)
    assert not files.isVisible()
