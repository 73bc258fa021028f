"""Loads the sample mailbox: a folder of YAML and .eml files with dates relative to today.

Dates are offsets (`-12d 09:41`) and tokens in mail text (`{{+3d weekday}}`, in English and Czech). Errors name file and entry.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.domain.record import Record
from app.sandbox.account import GoogleAccount, Identity
from app.sandbox.gmail.headers import rewrite_head
from app.sandbox.gmail.labels import SYSTEM
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.samples.mail_files import LoadError
from app.sandbox.world.world import SandboxState

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
CS_WEEKDAYS = ("pondělí", "úterý", "středa", "čtvrtek", "pátek", "sobota", "neděle")
CS_MONTHS = (
    "ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu",
    "prosince",
)  # fmt: skip
TOKEN = re.compile(rb"\{\{\s*([+-]\d+)d\s+([a-z-]+)\s*\}\}")
DAYS_AT = re.compile(r"([+-]\d+)d\s+(\d{1,2}):(\d{2})")
MINUTES_AGO = re.compile(r"-(\d+)m")
DAYS = re.compile(r"([+-]\d+)d")


def moment_at(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Parses `-12d 09:41` or `-95m`. Raises `ValueError`."""
    found = DAYS_AT.fullmatch(text.strip())
    if found:
        day = now.astimezone(zone).date() + timedelta(days=int(found[1]))
        return datetime(day.year, day.month, day.day, int(found[2]), int(found[3]), tzinfo=zone)
    ago = MINUTES_AGO.fullmatch(text.strip())
    if ago is None:
        raise ValueError(f"{text!r} is neither like '-12d 09:41' nor like '-95m'")
    return now.astimezone(zone) - timedelta(minutes=int(ago[1]))


def day_at(text: str, now: datetime, zone: ZoneInfo) -> date:
    """Parses `+3d`. Raises `ValueError`."""
    found = DAYS.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not like '+3d'")
    return now.astimezone(zone).date() + timedelta(days=int(found[1]))


def expand_dates(raw: bytes, day: date) -> bytes:
    """Replaces date tokens by dates relative to the mail's own day. Raises `ValueError`."""

    def written(found: re.Match[bytes]) -> bytes:
        return day_text(day + timedelta(days=int(found[1])), found[2].decode("ascii")).encode("utf-8")

    return TOKEN.sub(written, raw)


def day_text(day: date, name: str) -> str:
    """A day in a named form. Raises `ValueError` for an unknown name."""
    weekday, month = day.weekday(), day.month - 1
    forms = {
        "weekday": WEEKDAYS[weekday],
        "date": f"{WEEKDAYS[weekday]} {day.day} {MONTHS[month]}",
        "short": f"{day.day} {MONTHS[month]}",
        "iso": day.isoformat(),
        "cs-weekday": CS_WEEKDAYS[weekday],
        "cs-date": f"{CS_WEEKDAYS[weekday]} {day.day}. {CS_MONTHS[month]}",
        "cs-short": f"{day.day}. {CS_MONTHS[month]}",
    }
    if name not in forms:
        raise ValueError(f"unknown date form {name!r}; known are {', '.join(forms)}")
    return forms[name]


class Owner(Record):
    """The content of `owner.yaml`."""

    identities: list[Identity]
    timezone: str
    labels: Sequence[str]


class SampleMail(Record):
    """A mail of `index.yaml`, ready to be stored."""

    moment: datetime
    raw: bytes
    labels: list[str]


def read_owner(folder: Path) -> Owner:
    """Reads the owner of a sample. Raises `LoadError`."""
    file = folder / "owner.yaml"
    body = _load_yaml(file)
    if not isinstance(body, dict):
        raise LoadError(file, "", "a mapping with name, email and timezone is needed")
    email, name = body.get("email") or "", body.get("name") or ""
    if "@" not in email:
        raise LoadError(file, "email", "an address is needed")
    timezone = body.get("timezone") or "UTC"
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise LoadError(file, "timezone", f"{timezone!r} is no IANA time zone") from error
    identities = [Identity(email, name, body.get("signature") or "", primary=True)]
    others = body.get("send_as")
    aliases = [_send_as(file, entry, name) for entry in (others if isinstance(others, list) else [])]
    identities.extend(alias for alias in aliases if alias.address.lower() != email.lower())
    return Owner(identities, timezone, body.get("labels", []))


def load_sample(world: SandboxState, owner: Owner, folder: Path) -> int:
    """Fills the owner's account and returns the number of mails. Raises `LoadError`."""
    account, now = world.owner, world.clock.moment()
    for name in owner.labels:
        try:
            account.mailbox.labels.create({"name": name})
        except ApiError as error:
            raise LoadError(folder / "owner.yaml", f"label {name!r}", error.message) from error
    mails = sorted(_mails(account, folder, now, ZoneInfo(owner.timezone)), key=lambda mail: mail.moment)
    for mail in mails:
        row = world.office.arrive(account, mail.raw, mail.labels, int(mail.moment.timestamp() * 1000))
        if "DRAFT" in row.labels:
            account.drafts.adopt(row)
    _load_calendar(account, folder / "calendar.yaml", now, ZoneInfo(owner.timezone))
    _load_contacts(account, folder / "contacts.yaml")
    return len(mails)


def _mails(account: GoogleAccount, folder: Path, now: datetime, zone: ZoneInfo) -> Iterator[SampleMail]:
    index = folder / "index.yaml"
    for number, entry in _entries(index, required=True):
        name = entry.get("file") or ""
        place = f"entry {number} ({name or 'no file'})"
        try:
            moment = moment_at(entry.get("at") or "", now, zone)
            raw = expand_dates((folder / name).read_bytes(), moment.date())
        except (ValueError, OSError) as error:
            raise LoadError(index, place, str(error)) from error
        if not entry.get("keep_date"):
            raw = rewrite_head(raw, {"Date": format_datetime(moment)})
        labels = [_label_id(account, index, place, label) for label in entry.get("labels", [])]
        yield SampleMail(moment, raw, labels)


def _label_id(account: GoogleAccount, index: Path, place: str, name: str) -> str:
    label_id = name if name in SYSTEM else account.mailbox.labels.id_for_name(name)
    if label_id is None:
        raise LoadError(index, place, f"label {name!r} is neither Gmail's nor listed in owner.yaml")
    return label_id


def _load_calendar(account: GoogleAccount, file: Path, now: datetime, zone: ZoneInfo) -> None:
    for number, entry in _entries(file):
        place = f"entry {number} ({entry.get('summary') or entry.get('id') or '?'})"
        try:
            account.calendar.insert(_event(entry, now, zone))
        except ValueError as error:
            raise LoadError(file, place, str(error)) from error
        except ApiError as error:
            raise LoadError(file, place, error.message) from error


_PLAIN_FIELDS = ("id", "iCalUID", "summary", "location", "description")


def _event(entry: JsonObject, now: datetime, zone: ZoneInfo) -> JsonObject:
    event: JsonObject = {name: entry[name] for name in _PLAIN_FIELDS if entry.get(name)}
    whole_day = entry.get("all_day")
    if whole_day:
        day = day_at(whole_day, now, zone)
        event["start"], event["end"] = _day(day), _day(day + timedelta(days=1))
    else:
        for name in ("start", "end"):
            moment = moment_at(entry.get(name) or "", now, zone)
            event[name] = {"dateTime": moment.isoformat(), "timeZone": str(zone)}
    guests = entry.get("attendees")
    if isinstance(guests, list):
        event["attendees"] = [guest if isinstance(guest, dict) else {"email": str(guest)} for guest in guests]
    rule = entry.get("rrule")
    if rule:
        event["recurrence"] = [rule if rule.startswith("RRULE:") else f"RRULE:{rule}"]
    return event


def _day(day: date) -> JsonObject:
    return {"date": day.isoformat()}


def _load_contacts(account: GoogleAccount, file: Path) -> None:
    for number, entry in _entries(file):
        if not entry.get("name") and not entry.get("emails"):
            raise LoadError(file, f"entry {number}", "a contact needs a name or an address")
        given = {name: entry[name] for name in ("name", "emails", "organization", "notes") if entry.get(name)}
        account.contacts.add(**given, phones=[str(phone) for phone in entry.get("phones") or []])


def _send_as(file: Path, entry: object, name: str) -> Identity:
    if isinstance(entry, str) and "@" in entry:
        return Identity(entry, name)
    if isinstance(entry, dict):
        address = entry.get("email") or entry.get("address") or ""
        if "@" in address:
            return Identity(address, entry.get("name") or name, entry.get("signature") or "")
    raise LoadError(file, "send_as", f"{entry!r} is no address")


def _entries(file: Path, *, required: bool = False) -> Iterator[tuple[int, JsonObject]]:
    if not required and not file.exists():
        return
    entries = _load_yaml(file)
    if entries is None and not required:
        return
    if not isinstance(entries, list):
        raise LoadError(file, "", "a list of entries is needed")
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise LoadError(file, f"entry {number}", "a mapping is needed")
        yield number, entry


def _load_yaml(file: Path) -> object:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe").load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise LoadError(file, "", str(error)) from error
