"""Recipients: written and read alike, judged by the thread and the flags, shown as chips, completed as they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.drafting.review import FlagKind, RedFlag, ReviewKind, ReviewStatus
from app.domain.errors import StoreDamaged
from app.domain.mail.message import Address
from app.domain.ports.window import KnownAddress
from app.ui.editor.recipient_field import (
    MOST,
    AddressCompleter,
    CopyLines,
    RecipientContext,
    RecipientField,
    RecipientStatus,
    last_piece,
    read,
    recipient_context,
    standing,
    standing_words,
    written,
)
from app.ui.i18n.error_messages import sentence
from app.ui.pages.review.review_texts import flag_words, kind_explained, respond_words, status_words
from fakes.engine.store.sample_store import ANA, FAKE, LEE, TOM, LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import Neighbours

names = st.text(alphabet=st.sampled_from("abc ,;\"'<>éñ山.()"), max_size=12).map(lambda text: " ".join(text.split()))
emails = st.sampled_from(["ana@a.example", "b.c@b.example", "d+e@c.co.example"])
AROUND = RecipientContext(frozenset({"ana@a.example"}), frozenset({"bob@b.example"}), frozenset({"paypa1.example"}))


@given(st.lists(st.builds(Address, emails, names), max_size=4))
def test_addresses_are_read_as_they_were_written(addresses: list[Address]) -> None:
    assert [one.email for one in read(written(tuple(addresses)))] == [one.email for one in addresses]


@pytest.mark.parametrize(
    ("line", "emails"),
    [
        ("a@x.example; b@y.example", ["a@x.example", "b@y.example"]),
        ("Ana <A@X.example>,", ["a@x.example"]),
        ("", []),
        ("a@x.example\r\nBcc: evil@y.example", None),
        ("Team: Ana <a@x.example>, b@y.example;", ["a@x.example", "b@y.example"]),
        ("undisclosed-recipients:;", []),
        ("mailto:a@x.example", ["a@x.example"]),
        ("a@x.example\nb@y.example\tc@z.example", ["a@x.example", "b@y.example", "c@z.example"]),
        ("Ana Nov a@x.example", ["ana nov a@x.example"]),
    ],
)
def test_lines_of_addresses(line: str, emails: list[str] | None) -> None:
    found = read(line)
    if emails is None:
        assert all("\n" not in one.email + one.name and "\r" not in one.email + one.name for one in found)
    else:
        assert [one.email for one in found] == emails


@pytest.mark.parametrize(
    ("email", "wanted"),
    [
        ("ana@a.example", RecipientStatus.IN_THREAD),
        ("ANA@A.example", RecipientStatus.IN_THREAD),
        ("bob@b.example", RecipientStatus.KNOWN),
        ("new@c.example", RecipientStatus.NEW),
        ("who@paypa1.example", RecipientStatus.LOOK_ALIKE),
        ("nonsense", RecipientStatus.INVALID),
        ("a@b", RecipientStatus.INVALID),
        ("a@b..example", RecipientStatus.INVALID),
    ],
)
def test_standings(email: str, wanted: RecipientStatus) -> None:
    assert standing(Address(email), AROUND) is wanted


def test_surroundings_come_from_the_thread_and_the_flags(store: LivelyStore) -> None:
    review = store.desk().review(store.reviews["flagged"])
    around = recipient_context(review.proposal, ())
    assert standing(FAKE, around) is RecipientStatus.LOOK_ALIKE
    meeting = store.desk().review(store.reviews["meeting"])
    around = recipient_context(meeting.proposal, (store.mails["m04"],))
    assert standing(LEE, around) is RecipientStatus.IN_THREAD
    assert standing(TOM, around) is RecipientStatus.IN_THREAD
    assert standing(ANA, around) is RecipientStatus.NEW


def test_the_field_says_the_worst_first(qtbot: QtBot) -> None:
    field = RecipientField("To")
    qtbot.addWidget(field)
    field.show()
    addresses = (Address("ana@a.example", "Ana"), Address("new@c.example"))
    field.show_addresses(addresses, AROUND)
    assert field.addresses is addresses
    assert field.standings == (RecipientStatus.IN_THREAD, RecipientStatus.NEW)
    assert field.findChild(type(field._chip)) is not None
    assert field._chip.text() == "first mail to 1 of 2 people"
    assert field._chip.property("tone") == "warning"
    edits: list[int] = []
    field.edited.connect(lambda: edits.append(1))
    field.line.clear()
    qtbot.keyClicks(field.line, "x")
    assert edits
    field.activateWindow()
    field.line.setFocus()
    qtbot.waitUntil(field.line.hasFocus)
    qtbot.keyClicks(field.line, "y")
    assert field._chip.isHidden(), "an address that is being typed is not wrong yet"
    press("Backspace", on=field.line)
    field.line.clearFocus()
    assert field._chip.property("tone") == "danger"
    assert field.wrong == "x"
    field.line.clear()
    assert field.wrong == ""
    assert field._chip.isHidden()


def test_every_value_has_words() -> None:
    assert all("%1" not in flag_words(RedFlag(kind, "x")) for kind in FlagKind)
    assert len({standing_words(one)[0] for one in RecipientStatus}) == len(RecipientStatus)
    assert all(respond_words(kind)[0] for kind in ReviewKind)
    assert all(kind_explained(kind) for kind in ReviewKind if kind is not ReviewKind.REPLY)
    assert len({status_words(one) for one in ReviewStatus}) == len(ReviewStatus)


LONG = Address("erin.brandt-schmidtbauer@procurement.longcompanyname.example", "<b>Erin</b> of the Procurement Department")
OTHER = Address("lee@studio.example", "Lee Wong")


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


@pytest.mark.parametrize(
    ("line", "cursor", "piece"),
    [
        ("ana", 3, (0, "ana")),
        ("a@x.org, bo", 11, (8, "bo")),
        ('"Novák, Ana" <a@x>, bo', 10, (0, '"Novák, An')),
        ("a; b", 4, (2, "b")),
        ('"Novák, Jan" <j@x.org>, an', 26, (23, "an")),
    ],
)
def test_the_piece_at_the_cursor(line: str, cursor: int, piece: tuple[int, str]) -> None:
    assert last_piece(line, cursor) == piece


def test_only_what_matches_is_asked_for(qtbot: QtBot) -> None:
    asked: list[tuple[str, int]] = []

    def find(typed: str, most: int) -> tuple[KnownAddress, ...]:
        asked.append((typed, most))
        return (KnownAddress(Address("ana@x.org", "Ana"), 1),) if typed else ()

    line = QLineEdit()
    qtbot.addWidget(line)
    completer = AddressCompleter(line, find, Neighbours(), lambda: None)
    line.show()
    assert asked == []
    QTest.keyClicks(line, "b@x.org, a")
    assert asked[-1] == ("a", MOST)
    assert completer.popup.isVisible()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):  # Down at the last match keeps it
        QTest.keyClick(completer.popup, key)
    assert line.text() == "b@x.org, Ana <ana@x.org>, "
    completer.popup.hide()


def test_a_file_that_cannot_be_read_is_told_once_and_suggests_nobody(qtbot: QtBot) -> None:
    """With each key anew would be a notice a key; once it is whole again there are suggestions, and damage would be told anew."""
    damaged = [True]

    def find(_typed: str, _most: int) -> tuple[KnownAddress, ...]:
        if damaged[0]:
            raise StoreDamaged("bad page")
        return (KnownAddress(Address("ana@x.org", "Ana"), 1),)

    line, notices = QLineEdit(), Neighbours()
    qtbot.addWidget(line)
    completer = AddressCompleter(line, find, notices, lambda: None)
    line.show()
    for state, told in ((True, 1), (False, 1), (True, 2)):
        damaged[0] = state
        QTest.keyClicks(line, "an")
        assert completer.popup.isVisible() is not state
        assert notices.told == [sentence(StoreDamaged.code)] * told
    completer.popup.hide()
