"""A file to where the reader wants it, and a word about what came of it.

What somebody types is a path, or no file; it is never a fault.
"""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.services.files import ask_where, is_file, put, typed_path
from fakes.window.page_setup import Stage


def test_the_dialog_begins_with_a_safe_name(stage: Stage, tmp_path: Path) -> None:
    parent, chosen = QWidget(), []
    ask_where(stage.context, parent, "../../a:b.pdf", chosen.append)
    dialog = parent.findChild(QFileDialog)
    assert dialog.selectedFiles() == [str(tmp_path / "_.._a_b.pdf")]
    dialog.fileSelected.emit(str(tmp_path / "here.pdf"))
    dialog.close()
    assert chosen == [tmp_path / "here.pdf"]
    parent.deleteLater()


def test_what_came_of_it_is_told(stage: Stage, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"here")
    put(stage.neighbours, tmp_path / "to.pdf", source)
    assert (tmp_path / "to.pdf").read_bytes() == b"here"
    put(stage.neighbours, tmp_path / "no" / "folder.pdf", source)
    assert stage.neighbours.told == ["Saved as to.pdf", "The file could not be saved: No such file or directory"]


@given(st.text(max_size=300))
def test_anything_can_be_typed(words: str) -> None:
    assert is_file(typed_path(words)) in (True, False)
