"""Documents of a request: opened after a question, saved elsewhere, and never opened where they would run."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import DocumentPreview, PreviewDocument
from app.store.requests.artifacts import ArtifactFolder
from app.ui.pages.assistant.answer import DocumentBar
from fakes.window.page_setup import Stage, until


@pytest.fixture
def opened() -> list[Path]:
    return []


@pytest.fixture
def bar(qtbot: QtBot, lively_stage: Stage, opened: list[Path]) -> DocumentBar:
    made = DocumentBar(lively_stage.context, opened.append)
    qtbot.addWidget(made)
    return made


def document(stage: Stage, name: str = "report.md") -> ArtifactHandle:
    return ArtifactFolder(stage.data.artifacts).write(name, b"# Report")


def test_it_is_opened_after_a_question(lively_stage: Stage, bar: DocumentBar, opened: list[Path]) -> None:
    assert bar.isHidden()
    bar.offer(document(lively_stage))
    assert "report.md" in bar.words.text()
    assert opened == []
    bar.open.click()
    assert [one.name for one in opened] == ["report.md"]
    assert bar.isHidden()


def test_it_is_saved_elsewhere(lively_stage: Stage, bar: DocumentBar, tmp_path: Path) -> None:
    bar.offer(document(lively_stage))
    bar.put(tmp_path / "mine.md")
    assert (tmp_path / "mine.md").read_bytes() == b"# Report"
    bar.offer(document(lively_stage))
    bar.put(tmp_path / "nowhere" / "mine.md")
    assert "could not be saved" in lively_stage.neighbours.told[-1]
    assert not bar.isHidden(), "it can be tried again"


def test_what_would_run_is_only_saved(lively_stage: Stage, bar: DocumentBar) -> None:
    bar.offer(document(lively_stage, "report.sh"))
    assert bar.open.isHidden()
    assert not bar.save.isHidden()


def test_what_is_gone_or_changed_is_told(lively_stage: Stage, bar: DocumentBar, opened: list[Path]) -> None:
    bar.offer(ArtifactHandle("b" * 64, "report.md", "b" * 64, 8))
    bar.open.click()
    assert lively_stage.neighbours.told[-1] == bar.tr("The document is no longer available.")
    handle = document(lively_stage)
    (lively_stage.data.artifacts / handle.sha256 / handle.name).write_bytes(b"other")
    bar.offer(handle)
    bar.open.click()
    assert "changed outside" in lively_stage.neighbours.told[-1]
    assert opened == []


async def test_its_text_is_previewed(lively_stage: Stage, bar: DocumentBar) -> None:
    handle = document(lively_stage, "report.pdf")
    bar.offer(handle)
    bar.preview.click()
    await until(lambda: PreviewDocument(handle.id) in lively_stage.engine.queries)
    lively_stage.engine.answer(DocumentPreview("# Report\n\nAll is well.", cut=True))
    await until(lambda: not bar.text.isHidden())
    assert "All is well." in bar.text.toPlainText()
    assert bar.tr("Only the beginning is shown.") in bar.text.toPlainText()
    bar.offer(document(lively_stage))
    assert bar.text.isHidden()
