"""Recipients: written and read alike, and judged by what the thread and the flags say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.domain.drafting.review import FlagKind, RedFlag, ReviewKind
from app.domain.mail.message import Address
from app.ui.editor.recipient_field import (
    RecipientContext,
    RecipientField,
    RecipientStatus,
    read,
    recipient_context,
    standing,
    standing_words,
    written,
)
from app.ui.pages.review.review_texts import flag_words, kind_explained, respond_words, status_words
from fakes.engine.store.sample_store import ANA, FAKE, LEE, TOM, LivelyStore
from fakes.window.keyboard import press

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
    from app.domain.drafting.review import ReviewStatus

    assert len({status_words(one) for one in ReviewStatus}) == len(ReviewStatus)
