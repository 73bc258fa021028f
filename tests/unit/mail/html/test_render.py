"""Chosen parts as text and HTML: limits, joins and the summaries of mails without text.

Flowed text is joined where it says it is flowed, and nowhere else; no word gets lost.
"""

import base64

from hypothesis import given
from hypothesis import strategies as st

from app.mail.html.render import LONGEST_TEXT, render, unflowed
from app.mail.mime.parts import choose, parts_of


def rendered(*parts: tuple[str, str]) -> tuple[str, str]:
    """Text and HTML of a mixed mail with these parts."""
    payload: dict[str, object] = {
        "mimeType": "multipart/mixed",
        "parts": [{"mimeType": kind, "body": {"data": base64.urlsafe_b64encode(text.encode()).decode()}} for kind, text in parts],
    }
    tree = parts_of(payload)
    found = render(tree.parts, choose(tree.parts))
    return found.text, found.html


def test_plain_mail_has_no_html_and_clean_line_ends() -> None:
    assert rendered(("text/plain", "\r\n\r\nOne  \r\nTwo\t\r\n\r\n")) == ("One\nTwo", "")


def test_several_html_parts_become_one_page() -> None:
    text, page = rendered(("text/html", "<p>One"), ("text/html", "<p>Two<script>x</script>"))
    assert text == "One\n\nTwo"
    assert page == "<div><p>One</p></div><div><p>Two</p></div>"


def test_plain_text_beside_html_cannot_smuggle_markup() -> None:
    _, page = rendered(("text/html", "<p>One"), ("text/plain", "<script>alert(1)</script>"))
    assert "<script" not in page and "&lt;script&gt;" in page


def test_a_part_that_is_too_long_is_cut_with_a_mark() -> None:
    text, _ = rendered(("text/plain", "x" * (LONGEST_TEXT + 5)))
    assert text == "x" * LONGEST_TEXT + "\n\n[the rest of this mail is not shown: it is too long]"


def test_a_report_without_text_shows_its_status() -> None:
    assert rendered(("message/disposition-notification", "Disposition: displayed")) == ("Disposition: displayed", "")


FLOWED = "text/plain; charset=utf-8; format=flowed"


def test_lines_are_joined_and_fixed_ones_stay() -> None:
    assert unflowed("one \ntwo\nthree \n", FLOWED) == "one two\nthree "
    assert unflowed("one \ntwo", "text/plain") == "one \ntwo"


def test_quotes_flow_within_their_depth() -> None:
    text = "> asked \n> in two lines\n>> older \n> newer\nanswered"
    assert unflowed(text, FLOWED) == "> asked in two lines\n>> older \n> newer\nanswered"


def test_stuffed_spaces_go_and_the_signature_stays() -> None:
    assert unflowed(" >no quote \nat all\n-- \nOlga", FLOWED) == ">no quote at all\n-- \nOlga"


def test_a_deleted_space_joins_without_one() -> None:
    assert unflowed("Dlou \nhé \nslovo", f"{FLOWED}; delsp=yes") == "Dlouhéslovo"


@given(st.lists(st.text("ab >", max_size=8), max_size=8))
def test_no_letter_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert [one for one in unflowed(text, FLOWED) if one in "ab"] == [one for one in text if one in "ab"]
