"""Dates of the sample mailbox: offsets from today and `{{+3d weekday}}` in mail text, in English and Czech."""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

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
    """`-12d 09:41` or `-95m` as an aware moment. Raises ValueError."""
    found = DAYS_AT.fullmatch(text.strip())
    if found:
        day = now.astimezone(zone).date() + timedelta(days=int(found[1]))
        return datetime(day.year, day.month, day.day, int(found[2]), int(found[3]), tzinfo=zone)
    ago = MINUTES_AGO.fullmatch(text.strip())
    if ago is None:
        raise ValueError(f"{text!r} is neither like '-12d 09:41' nor like '-95m'")
    return now.astimezone(zone) - timedelta(minutes=int(ago[1]))


def day_at(text: str, now: datetime, zone: ZoneInfo) -> date:
    """`+3d` as a day. Raises ValueError."""
    found = DAYS.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not like '+3d'")
    return now.astimezone(zone).date() + timedelta(days=int(found[1]))


def expand_dates(raw: bytes, day: date) -> bytes:
    """The mail with its date tokens written out, relative to the mail's own day. Raises ValueError."""

    def written(found: re.Match[bytes]) -> bytes:
        return day_text(day + timedelta(days=int(found[1])), found[2].decode("ascii")).encode("utf-8")

    return TOKEN.sub(written, raw)


def day_text(day: date, name: str) -> str:
    """A day in one of the named forms. Raises ValueError for another name."""
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
