"""Translated and localised text for values: decisions, categories, dates, sizes, numbers. Also converts Unix milliseconds, as
used on the wire and in the store.
"""

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale


def decision_words(decision: str) -> str:
    words = {
        "respond": QCoreApplication.translate("Words", "needs reply"),
        "notify": QCoreApplication.translate("Words", "FYI"),
        "ignore": QCoreApplication.translate("Words", "low priority"),
    }
    return words.get(decision, decision)


def category_words(category: str) -> str:
    words = {
        "inquiry": QCoreApplication.translate("Words", "inquiry"),
        "meeting_request": QCoreApplication.translate("Words", "meeting request"),
        "complaint": QCoreApplication.translate("Words", "complaint"),
        "follow_up": QCoreApplication.translate("Words", "follow-up"),
        "spam": QCoreApplication.translate("Words", "spam"),
        "other": QCoreApplication.translate("Words", "other"),
    }
    return words.get(category, category)


def tool_name(name: str) -> str:
    """A built-in tool in words; others by their own name."""
    return {
        "mail_search": QCoreApplication.translate("Profiles", "Search your mail"),
        "read_thread": QCoreApplication.translate("Profiles", "Read the conversation"),
        "get_contact": QCoreApplication.translate("Profiles", "Look up a sender"),
        "check_calendar": QCoreApplication.translate("Profiles", "See when you are free"),
        "schedule_meeting": QCoreApplication.translate("Profiles", "Schedule a meeting"),
        "create_draft": QCoreApplication.translate("Profiles", "Write a draft"),
        "send_reply": QCoreApplication.translate("Profiles", "Send a reply"),
        "escalate": QCoreApplication.translate("Profiles", "Hand the email to you"),
        "remember": QCoreApplication.translate("Profiles", "Remember a preference"),
        "read_document": QCoreApplication.translate("Profiles", "Read a document"),
        "write_document": QCoreApplication.translate("Profiles", "Write a document"),
        "web_search": QCoreApplication.translate("Profiles", "Search the web"),
        "fetch_url": QCoreApplication.translate("Profiles", "Read a web page"),
        "search_drugs": QCoreApplication.translate("Profiles", "Search the drug catalog"),
        "manage_reservation": QCoreApplication.translate("Profiles", "Reserve a drug"),
    }.get(name, name)


def kind_words(kind: str) -> str:
    words = {
        "reply": QCoreApplication.translate("Words", "reply"),
        "notify": QCoreApplication.translate("Words", "FYI"),
        "tool_call": QCoreApplication.translate("Words", "action"),
        "question": QCoreApplication.translate("Words", "question"),
        "escalation": QCoreApplication.translate("Words", "escalation"),
        "needs_review": QCoreApplication.translate("Words", "needs attention"),
        "plan": QCoreApplication.translate("Words", "plan"),
    }
    return words.get(kind, kind)


def section_words(kind: str) -> str:
    """The section of the queue that lists reviews of this kind."""
    if kind in ("reply", "tool_call", "plan"):
        return QCoreApplication.translate("Words", "To send")
    if kind == "notify":
        return QCoreApplication.translate("Words", "For your information")
    return QCoreApplication.translate("Words", "Needs attention") if kind else ""


def recipients_words(names: str) -> str:
    """ "To ..." for a row that shows recipients instead of a sender."""
    return QCoreApplication.translate("Words", "To %1").replace("%1", names) if names else ""


def confidence_words(confidence: float) -> str:
    """A confidence as a percentage, "unsure" below the threshold, empty before triage."""
    if confidence <= 0:
        return ""
    from app.domain.mail.triage import UNSURE_BELOW  # not needed for the first frame, which imports this module

    if confidence < UNSURE_BELOW:
        return QCoreApplication.translate("Words", "low confidence")
    return percent_words(round(confidence * 100))


def reason_words(stored: str) -> str:
    """The reason of a verdict; a model's own sentence stays as it is."""
    from app.domain.mail.triage import reason_text  # as above

    return reason_text(stored, lambda text: QCoreApplication.translate("", text))


def maker_words(maker: str) -> str:
    """What made a draft: template, own earlier reply, local or remote model."""
    if maker == "template":
        return QCoreApplication.translate("Words", "From a template (no AI)")
    if maker == "own-reply":
        return QCoreApplication.translate("Words", "From one of your earlier replies (no AI)")
    if maker.startswith(("ollama", "lm_studio", "local/")):
        name = maker.partition("/")[2] or maker
        return QCoreApplication.translate("Words", "Drafted by %1 on this computer. Check the facts.").replace("%1", name)
    return QCoreApplication.translate("Words", "Drafted by %1").replace("%1", maker)


def when_short(at: datetime, now: datetime) -> str:
    """Short date for a list. The time today, the weekday within a week, else the day, with the year if it differs."""
    local, today, locale = _local(at), _local(now), QLocale()
    days = local.date().daysTo(today.date())
    if days == 0:
        return locale.toString(local.time(), QLocale.FormatType.ShortFormat)
    if 0 < days < 7:
        return locale.standaloneDayName(local.date().dayOfWeek(), QLocale.FormatType.ShortFormat)
    if local.date().year() == today.date().year():
        return locale.toString(local.date(), QCoreApplication.translate("Words", "d MMM"))
    return locale.toString(local.date(), QCoreApplication.translate("Words", "d MMM yyyy"))


def periods(now: datetime) -> tuple[tuple[datetime, str], ...]:
    """The periods of a list by date, newest first: when each began, and its words. Months of two years, then years."""
    today, locale = _local(now).date(), QLocale()
    week = today.addDays(-((today.dayOfWeek() - locale.firstDayOfWeek().value) % 7))
    month = QDate(today.year(), today.month(), 1)
    named = [
        (today, QCoreApplication.translate("Words", "Today")),
        (today.addDays(-1), QCoreApplication.translate("Words", "Yesterday")),
        (week, QCoreApplication.translate("Words", "Earlier this week")),
        (week.addDays(-7), QCoreApplication.translate("Words", "Last week")),
        (month, QCoreApplication.translate("Words", "Earlier this month")),
    ]
    for first in (month.addMonths(-back) for back in range(1, 25)):
        name = locale.standaloneMonthName(first.month())
        named.append((first, name if first.year() == today.year() else f"{name} {first.year()}"))
    named += [(QDate(year, 1, 1), str(year)) for year in range(month.addMonths(-24).year(), 1970, -1)]
    return tuple((datetime(began.year(), began.month(), began.day()).astimezone(UTC), words) for began, words in named)


def when_back(at: datetime, now: datetime) -> str:
    local, today, clock = _local(at), _local(now), clock_words(at)
    days = today.date().daysTo(local.date())
    if days == 0:
        return QCoreApplication.translate("Words", "back at %1").replace("%1", clock)
    if days == 1:
        return QCoreApplication.translate("Words", "back tomorrow %1").replace("%1", clock)
    same = local.date().year() == today.date().year()
    form = QCoreApplication.translate("Words", "ddd d MMM") if same else QCoreApplication.translate("Words", "d MMM yyyy")
    words = QCoreApplication.translate("Words", "back on %1, %2")
    return words.replace("%1", QLocale().toString(local.date(), form)).replace("%2", clock)


def when_long(at: datetime) -> str:
    return f"{day_words(_local(at).date())}, {clock_words(at)}"


def day_words(day: QDate) -> str:
    return QLocale().toString(day, QCoreApplication.translate("Words", "ddd d MMM yyyy"))


def local_day(at: datetime) -> QDate:
    """The day of a time on the wall."""
    return _local(at).date()


def clock_words(at: datetime) -> str:
    return QLocale().toString(_local(at).time(), QLocale.FormatType.ShortFormat)


def _local(at: datetime) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(int(at.timestamp() * 1000))


def seconds_words(elapsed_ms: float) -> str:
    if elapsed_ms < 1000:
        return QLocale().toString(round(elapsed_ms)) + " ms"
    return QLocale().toString(elapsed_ms / 1000, "f", 1) + " s"


def size_words(size: int) -> str:
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)


def number_words(number: int) -> str:
    return QLocale().toString(number)


def filled(words: str, *values: str | int) -> str:
    """Puts values in place of %1, %2 and so on."""
    for at, value in enumerate(values, 1):
        words = words.replace(f"%{at}", value if isinstance(value, str) else number_words(value))
    return words


def money_words(usd: float) -> str:
    words = QLocale()
    return ("$" + words.toString(usd, "f", 2)) if words.language() == QLocale.Language.C else words.toCurrencyString(usd, "$", 2)


def percent_words(percent: int) -> str:
    """Percentage; English has no space before the sign."""
    words = QLocale()
    gap = "" if words.language() in (QLocale.Language.C, QLocale.Language.English) else "\N{NO-BREAK SPACE}"
    return words.toString(percent) + gap + words.percent()


def initials(name: str) -> str:
    words = [word for word in name.replace(".", " ").replace("@", " ").split() if word[:1].isalnum()]
    letters = words[0][0] + (words[1][0] if len(words) > 1 and "@" not in name else "") if words else "?"
    return letters.upper()


def from_ms(unix_ms: int) -> datetime:
    """Unix milliseconds to an aware UTC datetime."""
    return datetime.fromtimestamp(unix_ms / 1000, UTC)


def to_ms(at: datetime) -> int:
    """Datetime to Unix milliseconds."""
    return int(at.timestamp() * 1000)
