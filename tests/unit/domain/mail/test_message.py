"""Messages: headers, ways out of lists, names of files.

The outbox's state machine: what may follow what, and that nothing leaves the final states.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import NotAllowed
from app.domain.mail.files import LONGEST_NAME, runs_when_opened, safe_name
from app.domain.mail.message import way_out
from app.domain.mail.outbox import TRANSITIONS, UNDOABLE, OutboxState, check_transition

POST = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
GOOD = ("Authentication-Results", "mx.google.com; spf=pass; dkim=pass header.i=@l.example")


def test_one_click_needs_the_header_and_the_proof() -> None:
    out = ("List-Unsubscribe", "<mailto:u@l.example>, <https://l.example/u?x=1>")
    assert [getattr(way_out(headers), "one_click", None) for headers in ((out, POST, GOOD), (out, POST), (out, GOOD))] == [
        True,
        False,
        False,
    ]
    found = way_out((out,))
    assert (found.url, found.host, found.mailto) == ("https://l.example/u?x=1", "l.example", "mailto:u@l.example")


@pytest.mark.parametrize(
    "value",
    ["", "https://l.example/u", "<http://l.example/u>", "<https://me@l.example/>", "<https://l.example:8443/>", "<javascript:1>"],
)
def test_what_is_no_way_out(value: str) -> None:
    assert way_out((("List-Unsubscribe", value), POST, GOOD)) is None


@given(st.text(max_size=200))
def test_nothing_else_comes_through(value: str) -> None:
    found = way_out((("List-Unsubscribe", f"<{value}>"), POST, GOOD))
    assert found is None or found.url.lower().startswith("https://") or found.mailto.lower().startswith("mailto:")


FORBIDDEN = set('<>:"/\\|?*\x00\x1f\x7f\u202e\u200b\ufeff')


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_name_becomes_a_safe_one(name: str) -> None:
    made = safe_name(name)
    assert made
    assert not FORBIDDEN & set(made)
    assert len(made.encode()) <= LONGEST_NAME
    assert made == made.strip(" .")
    assert made.split(".")[0].lower() not in {"con", "aux", "nul", "prn"}
    assert safe_name(made) == made


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_._etc_passwd"),
        ("con.txt", "_con.txt"),
        ("", "file"),
        (" ... ", "file"),
        ("účet č. 4.pdf", "účet č. 4.pdf"),
        ("bill\u202efdp.exe", "bill_fdp.exe"),
        ("caf\udce9.pdf", "caf_.pdf"),
    ],
)
def test_names(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    "name", ["a.exe", "a.pdf.JS", "a.Desktop", "x.sh", "run.lnk", "a.PY", "Setup.MSIX", "x.appref-ms", "x.terminal"]
)
def test_programs(name: str) -> None:
    assert runs_when_opened(name)


@pytest.mark.parametrize("final", [OutboxState.SENT, OutboxState.CANCELLED])
def test_final_states_stay(final: OutboxState) -> None:
    for state in OutboxState:
        with pytest.raises(NotAllowed):
            check_transition(final, state)


def test_sending_is_reached_only_from_a_known_draft() -> None:
    """One way leads to `sending`, so a send can never start without a draft id to ask about."""
    assert [old for old, new in TRANSITIONS.items() if OutboxState.SENDING in new] == [OutboxState.DRAFTED]


def test_nothing_can_be_cancelled_while_it_may_be_leaving() -> None:
    for state in (OutboxState.SENDING, OutboxState.DRAFTING):
        assert OutboxState.CANCELLED not in TRANSITIONS[state]
        assert state not in UNDOABLE


def test_uncertain_never_goes_back_to_sending_by_itself() -> None:
    assert OutboxState.SENDING not in TRANSITIONS[OutboxState.UNCERTAIN]
    assert OutboxState.QUEUED not in TRANSITIONS[OutboxState.UNCERTAIN]


@pytest.mark.parametrize(("old", "new"), [(o, n) for o in OutboxState for n in OutboxState])
def test_the_check_agrees_with_the_table(old: OutboxState, new: OutboxState) -> None:
    if new in TRANSITIONS[old]:
        check_transition(old, new)
    else:
        with pytest.raises(NotAllowed, match=f"from {old} to {new}"):
            check_transition(old, new)
