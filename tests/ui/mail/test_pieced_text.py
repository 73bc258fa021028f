"""Words of any length are cut into pieces that hold all of them; a source with a line of any length is shown."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.mail.pieced_text import PIECE, pieces
from app.ui.mail.source_view import SourceView


@given(st.lists(st.tuples(st.sampled_from(["a", " ", "\n", "word ", "ž", "😀"]), st.integers(0, 3000)), max_size=5))
def test_pieces_are_the_text(parts: list[tuple[str, int]]) -> None:
    text = "".join(words * times for words, times in parts)
    found = list(pieces(text))
    assert "".join(words + ("" if goes_on else "\n") for words, goes_on in found) == f"{text}\n"
    assert all(len(words) <= PIECE for words, _goes_on in found)


def test_a_source_of_one_line(qtbot: QtBot, tmp_path: Path) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    source = f"Subject: Plan\r\n\r\n{'x' * 20_000}\r\n"
    (tmp_path / "mail.eml").write_bytes(source.encode())
    text = SourceView(tmp_path / "mail.eml", lambda: None, around).text
    qtbot.waitUntil(lambda: text.complete, timeout=30_000)
    text.selectAll()
    assert text.createMimeDataFromSelection().text() == source.replace("\r\n", "\n")
    assert text.document().blockCount() >= 20_000 // PIECE
