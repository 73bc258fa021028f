"""The one request that leaves a list: what is sent, and what is never asked. And invitations as they are read."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from app.domain.errors import NotAllowed, NotFound, RejectedByServer, ServerError
from app.mail.mime.calendar_parts import calendar_summary, read_invitation
from app.mail.unsubscribe import AddressGuard, leave_list, public_guard
from fakes.gmail.web_server import Handler, WebServer


class Lists(WebServer):
    """A list's server on this machine."""

    status = 200

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.asked: list[tuple[str, str, bytes, dict[str, str]]] = []

    @property
    def url(self) -> str:
        """Under the name that the tests resolve."""
        return f"http://list.example:{self.server_port}/leave?id=7"


class _Handler(Handler):
    server: Lists

    def respond(self) -> None:
        self.server.asked.append((self.command, self.path, self.body(), {k.lower(): v for k, v in self.headers.items()}))
        self.answer(self.server.status, headers={"Location": "http://127.0.0.1:1/"})


@pytest.fixture
def lists() -> Iterator[Lists]:
    with Lists() as server:
        yield server


HERE = AddressGuard(lambda host: ["127.0.0.1"], lambda _: True, ("http",))


def test_one_post_without_cookies_or_redirects(lists: Lists) -> None:
    leave_list(lists.url, HERE)
    ((command, path, body, headers),) = lists.asked
    assert (command, path, body) == ("POST", "/leave?id=7", b"List-Unsubscribe=One-Click")
    assert headers["host"].startswith("list.example:")
    assert not {"cookie", "authorization", "referer"} & headers.keys()


@pytest.mark.parametrize(("status", "error"), [(302, RejectedByServer), (404, RejectedByServer), (503, ServerError)])
def test_other_answers_are_told(lists: Lists, status: int, error: type[Exception]) -> None:
    lists.status = status
    with pytest.raises(error):
        leave_list(lists.url, HERE)
    assert len(lists.asked) == 1


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "::1", "fe80::1%eth0", "nonsense"]
)
def test_private_addresses_are_never_asked(address: str) -> None:
    with pytest.raises(NotAllowed):
        leave_list("https://list.example/u", AddressGuard(lambda _: ["93.184.216.34", address], public_guard().allowed))


@pytest.mark.parametrize("url", ["http://list.example/u", "https://me@list.example/u", "ftp://list.example/", "https:///u"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(NotAllowed):
        leave_list(url, AddressGuard(lambda _: ["93.184.216.34"], public_guard().allowed))


@pytest.mark.parametrize(
    "url",
    ["http://[::1/u", "http://list.example:x/u", "http://list.example:99999/u", "http://a..example/u",
     f"http://{'a' * 70}.example/u", "http://\ud800.example/u", "http://list.example/?q=\ud800",
     "http://list.example/" + "u" * 70_000],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(NotAllowed):
        leave_list(url, HERE)


NOW = datetime(2026, 11, 1, tzinfo=UTC)


def calendar(*lines: str) -> bytes:
    """A calendar with one event."""
    return "\r\n".join(
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "METHOD:CANCEL", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"]
    ).encode()


def test_an_event_is_read_whole() -> None:
    found = read_invitation(
        calendar("SUMMARY:Plan", "DTSTART;VALUE=DATE:20261110", "RRULE:FREQ=DAILY", "ORGANIZER;CN=Olga R:mailto:o@x.example",
            "ATTENDEE:mailto:a@x.example", "ATTENDEE;CN=Bo:mailto:b@x.example"),
        NOW,
    )  # fmt: skip
    assert (found.method, found.start, found.end, found.repeats) == ("cancel", "2026-11-10", "", "daily")
    assert (found.organizer, found.attendees) == ("Olga R", ("a@x.example", "Bo"))


@pytest.mark.parametrize(
    ("lines", "start", "end", "words"),
    [
        ("DTSTART;VALUE=DATE:20261110 DTEND;VALUE=DATE:20261113", "2026-11-10", "2026-11-12", "Ends: 2026-11-12"),
        ("DTSTART;VALUE=DATE:20261110 DTEND;VALUE=DATE:20261111", "2026-11-10", "2026-11-10", "Starts: 2026-11-10"),
        ("DTSTART;VALUE=DATE:20261110 DURATION:P2D", "2026-11-10", "2026-11-11", "Ends: 2026-11-11"),
        ("DTSTART:20261110T100000 DURATION:PT90M", "2026-11-10T10:00:00", "2026-11-10T11:30:00", "Ends: 2026-11-10 11:30"),
        ("DTSTART:20261110T100000", "2026-11-10T10:00:00", "", "Starts: 2026-11-10 10:00"),
        ("DURATION:PT90M", "", "", "Calendar: cancel"),
    ],
)
def test_the_end_of_an_event_is_its_last_day_or_its_duration(lines: str, start: str, end: str, words: str) -> None:
    data = calendar("SUMMARY:Plan", *lines.split())
    found = read_invitation(data, NOW)
    assert (found.start, found.end) == (start, end)
    said = calendar_summary(data.decode()).splitlines()
    assert words in said
    assert (end in ("", start)) == (not any(line.startswith("Ends") for line in said))


@pytest.mark.parametrize("data", [b"", b"nonsense", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR", b"\xff\xfe\x00"])
def test_what_is_no_event_is_named(data: bytes) -> None:
    with pytest.raises(NotFound):
        read_invitation(data, NOW)
