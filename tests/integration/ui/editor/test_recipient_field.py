"""A long line of recipients ends in an ellipsis, and its tooltip has the whole of it as plain words."""

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.domain.mail.message import Address
from app.ui.editor.recipient_field import RecipientField
from app.ui.editor.recipients import RecipientContext

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
    assert made.line.is_cut
    tip = made.line.toolTip()
    assert LONG.email in tip
    assert OTHER.email in tip
    assert "<b>Erin" not in tip, "nothing of a sender's name is taken for HTML"
    made.resize(1600, 40)
    qtbot.waitUntil(lambda: not made.line.is_cut)
    assert not made.line.toolTip()


def test_a_cut_line_is_painted_from_its_beginning_and_not_to_its_edge(qtbot: QtBot) -> None:
    made = field(qtbot, 320)
    begun = picture(made)
    made.line.end(False)
    assert picture(made) == begun, "wherever the caret was left"
    made.line.setText("m" * 400)
    edge = made.line.width() - 8
    shown = picture(made)
    middle = [shown.pixel(x, y) for x in range(edge - 6, edge) for y in range(6, shown.height() // 3)]
    assert len(set(middle)) == 1, "an ellipsis stands on the base line, nothing above it"
