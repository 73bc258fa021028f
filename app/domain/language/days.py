"""Reads which day a text names, relative to the day it was written. English, Czech and German. Pure functions."""

import re
from datetime import date, datetime, time, timedelta

from app.domain.language.facts import FactKind, facts
from app.domain.language.words import fold

EN_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
CS_MONTHS = (
    "ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu", "prosince",
)  # fmt: skip
DE_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
DAY_STEMS = (
    ("mon", "pondel"), ("tue", "uter", "dienstag"), ("wed", "stred", "mittwoch"), ("thu", "ctvrt", "donnerstag"),
    ("fri", "patek", "patku", "freitag"), ("sat", "sobot", "samstag"), ("sun", "nedel", "sonntag"),
)  # fmt: skip
NEXT_WEEK = re.compile(r"\bnext week\b|\bpristi(?:ho)? tyd\w+|\bnachste[rn]? woche\b|\bkommende[rn]? woche\b")
THIS_WEEK = re.compile(
    r"\bthis week\b|\btento tyden\b|\btohoto tydne\b|\bdiese[r]? woche\b|\bend of (?:the )?week\b|\bkonc\w* tydne\b"
)
_NEXT_MONTH = re.compile(r"\bnext month\b|\bpristi mesic\b|\bnachste[nrs]? monat\w*")
_THIS_MONTH = re.compile(
    r"\bthis month\b|\bend of (?:the |this )?month\b|\bkonc\w* mesice\b|\btento mesic\b|\bdiesen monat\b|\bmonatsende\b"
)
_TONIGHT = re.compile(r"\b(?:later today|today|tonight|this (?:morning|afternoon|evening)|eod|dnes\w*|heute|vecer)\b")


def day_named(text: str, today: date) -> date | None:
    """The day that a phrase such as "on Friday" names: the next one after `today` where several fit."""
    folded = fold(text)
    if re.search(r"\b(?:pozitri|ubermorgen)\b", folded):
        return today + timedelta(days=2)
    if re.search(r"\b(?:tomorrow|zitra)\b|^morgen\b", folded):
        return today + timedelta(days=1)
    if re.search(r"\b(?:today|tonight|this (?:morning|afternoon)|dnes\w*|heute)\b", folded):  # not the dnes in Wednesday
        return today
    dated = _dated(folded, today)
    if dated is not None:
        return dated
    for number, stems in enumerate(DAY_STEMS):
        if any(stem in folded for stem in stems):
            ahead = (number - today.weekday()) % 7 or 7
            return today + timedelta(days=ahead)
    return None


def due_day(sentence: str, sent: date) -> date | None:
    """The last day that a promise names: next week ends on its Friday, a month on its last day. None where it names none."""
    told = [one.text for one in facts(sentence) if one.kind in {FactKind.DATE, FactKind.DAY}]
    named = [day for one in told if (day := day_named(one, sent)) is not None and day >= sent]
    if named:
        return named[-1]
    folded = fold(sentence)
    friday = sent + timedelta(days=4 - sent.weekday())
    if NEXT_WEEK.search(folded):
        return friday + timedelta(days=7)
    if THIS_WEEK.search(folded):
        return max(friday, sent)
    if _THIS_MONTH.search(folded):
        return (sent.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return sent if _TONIGHT.search(folded) else None


def _dated(folded: str, today: date) -> date | None:
    iso = re.search(r"(\d{4})-(\d\d)-(\d\d)", folded)
    if iso:
        return _valid(int(iso[1]), int(iso[2]), int(iso[3]))
    numbers = re.search(r"(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?", folded)
    if numbers:
        return _upcoming(int(numbers[1]), int(numbers[2]), int(numbers[3] or 0), today)
    month, day = _month(folded), re.search(r"\d{1,2}", folded)
    return _upcoming(int(day[0]), month, 0, today) if month and day else None


def _month(folded: str) -> int | None:
    names = enumerate(zip(EN_MONTHS, CS_MONTHS, DE_MONTHS, strict=True), 1)
    return next((number for number, called in names if _names_month(folded, called)), None)


def _names_month(folded: str, names: tuple[str, ...]) -> bool:
    return any(re.search(rf"\b{fold(name)[:3]}" if i == 0 else rf"\b{fold(name)}", folded) for i, name in enumerate(names))


def _upcoming(day: int, month: int, year: int, today: date) -> date | None:
    found = _valid(year or today.year, month, day)
    return _valid(today.year + 1, month, day) if found is not None and not year and found < today else found


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


MORNING, EVENING = time(8, 0), time(18, 0)
_COUNTS = {
    "half an": 0.5, "pul": 0.5, "einer halben": 0.5, "an": 1, "a": 1, "one": 1,
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "jednu": 1, "jeden": 1, "dva": 2, "dve": 2, "tri": 3, "ctyri": 4, "pet": 5, "sest": 6,
    "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6,
}  # fmt: skip
_AHEAD = re.compile(
    rf"(?P<za>za )?(?:in )?(?:(?P<count>\d{{1,3}}) ?|(?P<word>{'|'.join(_COUNTS)}) )?"
    r"(?:(?P<minutes>min\w*|m)|(?P<hours>h(?:rs?|ours?|od\w*)?|stunden?)|(?P<days>d(?:ays?|en|n[iuy])?|tage?n?)"
    r"|(?P<weeks>w(?:eeks?|ks?)?|tyd\w*|wochen?)|(?P<months>months?|mesic\w*|monate?n?))"
)
_CLOCK = re.compile(
    r"\b(?P<half>\d{1,2})(?:[:.](?P<half_minutes>\d\d))? ?(?P<side>am|pm)\b|\b(?P<hour>\d{1,2}):(?P<minutes>\d\d)\b"
    r"|\b(?:at|ve?|um) (?P<whole>\d{1,2})(?: (?:uhr|hod\w*))?\b|\b(?P<oclock>\d{1,2}) ?(?:uhr|hod\w*)\b"
    r"|\b(?P<part>noon|poledne|mittag|morning|rano|fruh|afternoon|odpoledne|nachmittag|evening|tonight|vecer|abend)\b"
)
_BARE = re.compile(r"(?P<day>.*\D) (?P<hour>\d{1,2})")
_PARTS = dict.fromkeys(("noon", "poledne", "mittag"), time(12, 0)) | dict.fromkeys(("morning", "rano", "fruh"), MORNING)
_PARTS |= dict.fromkeys(("afternoon", "odpoledne", "nachmittag"), time(13, 0))
_WEEKDAYS = (
    ("monday", "pondeli", "montag"), ("tuesday", "utery", "dienstag"), ("wednesday", "streda", "mittwoch"),
    ("thursday", "ctvrtek", "donnerstag"), ("friday", "patek", "freitag"), ("saturday", "sobota", "samstag"),
    ("sunday", "nedele", "sonntag"),
)  # fmt: skip


def moment_named(text: str, now: datetime) -> datetime | None:
    """The time that words such as "tom", "next tue 3pm" or "in 2 hours" name. None for none, or one that is over.

    Both are wall-clock times in the zone of `now`. A day without a time means its morning.
    """
    folded = " ".join(fold(text).split())
    ahead = _AHEAD.fullmatch(folded)
    if ahead:
        return _ahead(ahead, now)
    clock, bare = _CLOCK.search(folded), _BARE.fullmatch(folded)
    at = _clock(clock) if clock else None
    rest = f"{folded[: clock.start()]} {folded[clock.end() :]}" if clock else folded
    if clock is None and bare and (re.search(r"\d", bare["day"]) or not _month(folded)):
        clock, rest, at = bare, bare["day"], _hour(int(bare["hour"]))
    day = _day_begun(rest, now.date())
    if (clock and at is None) or (day is None and (at is None or rest.strip())):
        return None
    if day is None:
        day = now.date() if at is not None and at > now.time() else now.date() + timedelta(days=1)
    found = datetime.combine(day, at or (EVENING if day == now.date() else MORNING), now.tzinfo)
    return found if found > now else None


def _ahead(found: re.Match[str], now: datetime) -> datetime | None:
    """A while from now; whole days begin in the morning. A unit without a number names nothing."""
    count = float(found["count"] or _COUNTS.get(found["word"] or "", 1 if found["za"] else 0))
    if found["minutes"] or found["hours"]:
        while_ = timedelta(minutes=count) if found["minutes"] else timedelta(hours=count)
        return (now + while_).replace(second=0, microsecond=0) if count else None
    day = now.date() + timedelta(days=int(count * (7 if found["weeks"] else 1)))
    if found["months"]:
        first = _month_after(now.date(), int(count))
        day = min(first + timedelta(days=now.day - 1), _month_after(first, 1) - timedelta(days=1))
    return datetime.combine(day, MORNING, now.tzinfo) if day > now.date() else None


def _month_after(day: date, count: int) -> date:
    """The first day of the month that is so many months later."""
    years, month = divmod(day.month - 1 + count, 12)
    return date(day.year + years, month + 1, 1)


def _clock(found: re.Match[str]) -> time | None:
    if found["part"]:
        return _PARTS.get(found["part"], EVENING)
    if found["whole"] or found["oclock"]:
        return _hour(int(found["whole"] or found["oclock"]))
    if found["half"]:
        hour, minute = int(found["half"]), int(found["half_minutes"] or 0)
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["side"] == "pm" else 0)
    else:
        hour, minute = int(found["hour"]), int(found["minutes"])
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _hour(bare: int) -> time | None:
    """The hour that a number alone means beside a day: from 1 to 6 in the afternoon."""
    hour = bare + 12 if 1 <= bare <= 6 else bare
    return time(hour) if hour < 24 else None


def _day_begun(folded: str, today: date) -> date | None:
    """The day that words name, also by their first letters."""
    weekend = (5 - today.weekday()) % 7 or 7
    near = {"tomorrow": 1, "zitra": 1, "today": 0, "tonight": 0, "dneska": 0, "heute": 0, "weekend": weekend, "vikend": weekend}
    for word in folded.split():
        if len(word) > 2 and word != "week" and (named := [near[name] for name in near if name.startswith(word)]):
            return today + timedelta(days=named[0])
    if NEXT_WEEK.search(folded):
        return today + timedelta(days=7 - today.weekday())
    if _NEXT_MONTH.search(folded):
        return _month_after(today, 1)
    ends = _THIS_MONTH.search(folded) or THIS_WEEK.search(folded)
    dated = _dated(folded, today) or (due_day(folded, today) if ends else None)
    if dated is not None:
        return dated
    for word in folded.split():
        for number, names in enumerate(_WEEKDAYS):
            if len(word) > 1 and any(name.startswith(word) for name in names):
                return today + timedelta(days=(number - today.weekday()) % 7 or 7)
    if re.search(r"\b(?:pozitri|ubermorgen)\b", folded):
        return today + timedelta(days=2)
    return today + timedelta(days=1) if re.search(r"\bmorgen\b", folded) else None
