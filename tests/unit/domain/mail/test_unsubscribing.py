"""Ways out of a list: only https and mail, one click only where Google verified the mail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.unsubscribing import way_out

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
    assert found is not None
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
