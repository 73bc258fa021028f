"""A long line of recipients ends in an ellipsis, and its tooltip has the whole of it as plain words.

Recipients are chips: removed by their cross, dragged to another line.
"""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QDropEvent, QImage
from pytestqt.qtbot import QtBot

from app.domain.mail.message import Address
from app.ui.editor.recipient_field import CopyLines, RecipientContext, RecipientField

LONG = Address("erin.brandt-schmidtbauer@procurement.longcompanyname.example", "<b>Erin</b> of the Procurement Department")
OTHER = Address("lee@studio.example", "Lee Wong")
AROUND = RecipientContext(frozenset(), frozenset(), frozenset())


def field(qtbot: QtBot, width: int) -> RecipientField:
    made = RecipientField("To")
    qtbot.addWidget(made)
    made.resize(width, 40)
    made.show_addresses((LONG, OTHER), AROUND)
    made.show()
    qtbot.waitExposed(made)
    return made


def picture(made: RecipientField) -> QImage:
    return made.line.grab().toImage()


def test_a_cut_line_says_all_in_its_tooltip_as_plain_words(qtbot: QtBot) -> None:
    made = field(qtbot, 320)
    tip = made.line.toolTip()
    assert LONG.email in tip
    assert OTHER.email in tip
    assert "<b>Erin" not in tip, "nothing of a sender's name is taken for HTML"


def middle_of(made: RecipientField, at: int) -> QPoint:
    return made.line.chips()[at][0].center()


def test_each_recipient_is_a_chip_until_the_line_is_edited(qtbot: QtBot) -> None:
    made = field(qtbot, 900)
    assert [words.startswith(name) for (_, words), name in zip(made.line.chips(), ('"<b>Erin', "Lee Wong"), strict=True)]
    shown = picture(made)
    made.activateWindow()
    qtbot.mouseClick(made.line, Qt.MouseButton.LeftButton, pos=middle_of(made, 1))
    qtbot.waitUntil(made.line.hasFocus)
    assert picture(made) != shown


def test_a_chip_is_removed_by_its_cross(qtbot: QtBot) -> None:
    made = field(qtbot, 900)
    edits: list[int] = []
    made.edited.connect(lambda: edits.append(1))
    place = made.line.chips()[0][0]
    qtbot.mouseClick(made.line, Qt.MouseButton.LeftButton, pos=QPoint(place.right() - 6, place.center().y()))
    assert made.addresses == (OTHER,)
    assert edits
    assert not made.line.hasFocus()


def test_more_recipients_than_fit_are_counted(qtbot: QtBot) -> None:
    made = field(qtbot, 420)
    made.show_addresses(tuple(Address(f"person{at}@example.org") for at in range(9)), AROUND)
    assert 0 < len(made.line.chips()) < 9
    assert "person8@example.org" in made.line.toolTip()


def test_a_chip_is_dragged_to_another_line(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    to, cc = field(qtbot, 900), RecipientField("Cc")
    qtbot.addWidget(cc)
    cc.show_addresses((), AROUND)
    lines = CopyLines(to, cc, RecipientField("Bcc"))
    lines.fold()
    assert cc.isHidden()

    def drop(drag: QDrag, _actions: Qt.DropAction) -> Qt.DropAction:
        assert not cc.isHidden()
        buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        event = QDropEvent(QPointF(5, 5), Qt.DropAction.MoveAction, drag.mimeData(), buttons, keys)
        cc.line.dropEvent(event)
        return event.dropAction()

    monkeypatch.setattr(QDrag, "exec", drop)
    start = middle_of(to, 1)
    qtbot.mousePress(to.line, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(to.line, start + QPoint(40, 0))
    assert to.addresses == (LONG,)
    assert cc.addresses == (OTHER,)


def test_a_narrow_line_keeps_its_room_for_names_unless_something_is_wrong(qtbot: QtBot) -> None:
    known = RecipientContext(frozenset({OTHER.email}), frozenset(), frozenset())
    made = field(qtbot, 400)
    for around, narrow in ((known, False), (AROUND, True)):
        made.resize(400, 40)
        made.show_addresses((OTHER,), around)
        assert made._chip.isVisible()
        made.resize(230, 40)
        assert made._chip.isVisible() is narrow
