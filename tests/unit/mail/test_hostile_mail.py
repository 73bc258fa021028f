"""Mail made to be slow: nothing takes more time than its length or than its budget, and the rest is shown as text."""

from math import inf

import pytest

from app.mail.archives.resource import resource_of
from app.mail.html import bounds
from app.mail.html.bounds import TooSlow
from app.mail.html.clean import clean_html
from app.mail.html.visible import visible_text
from app.mail.parse import parse_message
from fakes.clock.growth import grows_with_size, takes_less
from fakes.providers.hostile_mail import HEAD, mails

BUDGET_S = 0.01
ENDED = ("html fonts", "html many styles", "html numbers", "html style attributes", "html descendants", "html css declarations")


def read(source: bytes) -> bool:
    """Reads and cleans a mail. Returns whether its time ended before."""
    message = parse_message(resource_of(source, "a", "t", []), clean=False)
    try:
        clean_html(message.html_source)
    except TooSlow:
        assert message.body_text or not message.html_source
        return True
    return message.too_slow


@pytest.mark.parametrize("name", [*ENDED, "header content type", "mime messages"])
def test_what_was_slow_ends_with_its_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest step that does not look at the time grows with the length of the mail."""
    monkeypatch.setattr(bounds, "MAIL_S", BUDGET_S)
    ended = []
    assert grows_with_size(lambda size: mails(size)[name], lambda source: ended.append(read(source)), 20_000)
    assert ended[0] is (name in ENDED)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_no_mail_takes_more_time_than_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAIL_S", BUDGET_S)
    made = {size: mails(size) for size in (125_000, 500_000)}
    assert [name for name in mails(1) if not grows_with_size(lambda size, name=name: made[size][name], read, 125_000)] == []


def of_html(page: str, plain: str = "") -> bytes:
    """A mail with HTML, perhaps with the same as plain text before it."""
    if not plain:
        return f"{HEAD}Content-Type: text/html\r\n\r\n{page}".encode()
    parts = f"--b\r\n\r\n{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n{page}\r\n--b--\r\n"
    return f"{HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n{parts}".encode()


PAGE = "<style>p{color:red}</style><title>No</title><p>Dear Ann, 3 &lt; 4.</p><script>x()</script>"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (of_html(PAGE), "Dear Ann, 3 < 4."),
        (of_html(PAGE, "Dear Ann as text."), "Dear Ann as text."),
        (of_html("<style>p{}Dear Ann", ""), ""),
    ],
)
@pytest.mark.parametrize("clean", [True, False])
def test_a_mail_without_time_is_its_plain_text(source: bytes, text: str, clean: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAIL_S", 0.0)
    message = parse_message(resource_of(source, "a", "t", []), clean=clean)
    assert (message.too_slow, message.body_html, message.html_source) == (True, "", "")
    assert " ".join(message.body_text.split()) == text


def test_cleaning_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "".join(f"<p style='margin:{number}px;color:red'>Text</p>" for number in range(1_500))

    def cleaned(within_s: float) -> None:
        monkeypatch.setattr(bounds, "MAIL_S", within_s)
        clean_html(page)

    def ended() -> None:
        with pytest.raises(TooSlow):
            cleaned(BUDGET_S)

    assert takes_less(ended, lambda: cleaned(inf), times=0.5)


@pytest.mark.parametrize(
    "page",
    [
        f"<p style='margin:{'1' * 5000}px'>Text</p>",
        f"<style>p{{margin:{'1' * 5000}}}</style><p>Text</p>",
        f"<style>p:nth-child({'1' * 5000}){{display:none}}</style><p>Text</p>",
        f"<p><font color='{'1' * 5000}' bgcolor='{'1' * 5000}'>Text</font></p>",
        f"<p>Text&#{'1' * 5000};</p>",
    ],
)
def test_numbers_longer_than_python_reads_are_read(page: str) -> None:
    assert visible_text(page).startswith("Text")
    assert "Text" in clean_html(page)
