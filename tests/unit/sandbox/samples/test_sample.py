"""The sample mailbox: dates that follow today, tokens, labels, calendar and contacts, and errors that name the entry."""

import io
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.sandbox.calendar_people.calendar import EventWindow
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.samples.sample import load_sample, read_owner
from app.sandbox.world.world import SandboxState, build_world

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
PRAGUE = ZoneInfo("Europe/Prague")
OWNER = """
name: Ann Example
email: ann@example.com
timezone: Europe/Prague
signature: <p>Ann</p>
send_as: [info@example.com, {email: shop@example.com, name: Shop, signature: <p>Shop</p>}, {email: ann@example.com}]
labels: [Work, Family/Kids]
"""
INDEX = """
- {file: mail/1.eml, at: "-12d 09:41", labels: [INBOX, UNREAD, Work]}
- {file: mail/2.eml, at: "-12d 10:00", labels: [SENT]}
- {file: mail/3.eml, at: "-95m", labels: [INBOX, Family/Kids], keep_date: true}
- {file: mail/4.eml, at: "-5m", labels: [DRAFT]}
"""
MAILS = {
    "1.eml": b"From: bob@x.example\nSubject: Bike\nMessage-ID: <1@x>\nDate: old\n\nSee you {{+3d weekday}}, {{+3d iso}}\n",
    "2.eml": b"From: ann@example.com\nSubject: Re: Bike\nIn-Reply-To: <1@x>\n\nok\n",
    "3.eml": "From: b@x.example\nSubject: Čas\nDate: kept\n\n{{-1d cs-date}}\n".encode(),
    "4.eml": b"From: ann@example.com\nTo: b@x.example\nSubject: unfinished\n\n...\n",
}
CALENDAR = """
- {id: lunch001, summary: Lunch, start: "+1d 12:00", end: "+1d 13:00", attendees: [bob@x.example], location: Pub}
- {summary: Holiday, all_day: "+3d"}
- {id: dinner001, summary: Daily, start: "+0d 08:00", end: "+0d 08:15", rrule: "FREQ=DAILY;COUNT=3"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mail").mkdir()
    for name, raw in MAILS.items():
        (tmp_path / "mail" / name).write_bytes(raw)
    (tmp_path / "owner.yaml").write_text(OWNER)
    (tmp_path / "index.yaml").write_text(INDEX)
    (tmp_path / "calendar.yaml").write_text(CALENDAR)
    (tmp_path / "contacts.yaml").write_text("- {name: Bob, emails: [bob@x.example], phones: [123]}\n")
    return tmp_path


def _load(folder: Path) -> SandboxState:
    owner = read_owner(folder)
    world = build_world(owner.identities, [], "token", Spool(io.BytesIO()), owner.timezone)
    world.clock.freeze(True)
    world.clock.set(NOW.timestamp())
    load_sample(world, owner, folder)
    return world


def test_mail_dates_labels_threads_and_drafts(folder: Path) -> None:
    account = _load(folder).owner
    draft, kept, reply, first = account.mailbox.newest_first()
    assert first.internal_ms == int(datetime(2026, 3, 2, 9, 41, tzinfo=PRAGUE).timestamp() * 1000)
    assert first.labels == {"INBOX", "UNREAD", "Label_1"}
    assert reply.thread_id == first.thread_id
    raw = account.mailbox.raw(first)
    assert b"Date: Mon, 02 Mar 2026 09:41:00 +0100\n" in raw
    assert b"See you Thursday, 2026-03-05" in raw
    assert "pátek 13. března".encode() in account.mailbox.raw(kept)
    assert b"Date: kept" in account.mailbox.raw(kept)
    assert kept.internal_ms == int((NOW.timestamp() - 95 * 60) * 1000)
    assert [row.id for _, row in account.drafts.listed()] == [draft.id]


def test_owner_calendar_and_contacts(folder: Path) -> None:
    account = _load(folder).owner
    assert [identity.address for identity in account.identities] == ["ann@example.com", "info@example.com", "shop@example.com"]
    assert account.identities[0].signature == "<p>Ann</p>"
    assert account.identities[2].name == "Shop"
    events = account.calendar.listed(EventWindow(single=True))
    assert [event["summary"] for event in events] == ["Daily", "Daily", "Lunch", "Daily", "Holiday"]
    lunch = account.calendar.get("lunch001")
    assert lunch["start"] == {"dateTime": "2026-03-15T12:00:00+01:00", "timeZone": "Europe/Prague"}
    assert account.contacts.contacts[0].phones == ["123"]


def test_the_shipped_sample_loads(root: Path) -> None:
    folder = root / "resources" / "sample"
    account = _load(folder).owner
    assert len(account.mailbox) > 50
    assert account.contacts.contacts
    assert account.calendar.listed(EventWindow())
