"""The left side of a page: title and count, tools at the end of their line, rows below over the whole width."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.listing import listing


def test_title_count_and_tools_stand_over_the_rows(qtbot: QtBot) -> None:
    count, tool, rows = QLabel("12"), QPushButton("Add"), QLabel("rows")
    made = listing("Memory", rows, [tool], count)
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    title = next(one for one in made.findChildren(QLabel) if one.text() == "Memory")
    assert title.geometry().right() < count.geometry().left() < tool.geometry().left()
    assert tool.geometry().bottom() < rows.geometry().top()
    assert rows.width() == 400
