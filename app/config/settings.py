"""The user's settings: declared types with defaults and bounds, read from `settings.toml` and checked.

Only reads; `config.settings_file` writes. Also resolves the time zone of the settings.
"""

import re
import tomllib
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from app.config.user_files import deepest_line, read_text
from app.domain.agents.backtest import IGNORE_FROM, RESPOND_FROM, TriageLimits
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import BadFile

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
AutoCategory = Literal["inquiry", "meeting_request", "follow_up", "other"]
Hour = Annotated[str, msgspec.Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


ModelId = Annotated[str, msgspec.Meta(pattern=r"^(gguf/.*|[^ ]*)$")]


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The language model: a litellm model id, empty for none. That of a model file is `gguf/` and its path.

    `triage` and `agent` are other models for verdicts and for the response agent: empty for the same, `none` for none.
    `api_base` is only for local or private servers. Caps of 0 are no caps; a month is a calendar month. Keys are in the keyring
    under the provider's name, never here.
    """

    name: ModelId = ""
    triage: ModelId = ""
    agent: ModelId = ""
    api_base: Annotated[str, msgspec.Meta(pattern=r"^(https?://.*)?$")] = ""
    daily_calls: Count = 500
    daily_usd: Annotated[float, msgspec.Meta(ge=0, le=10_000)] = 5.0
    monthly_calls: Count = 0
    monthly_usd: Annotated[float, msgspec.Meta(ge=0, le=100_000)] = 0.0
    timeout_s: Annotated[int, msgspec.Meta(ge=5, le=600)] = 90


class DraftingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Drafting: unread inbox mail of the last `days`, `concurrency` runs at once.

    `answer_route` is who answers mail that matches no rule, `meeting_route` who answers meeting requests where a calendar is
    connected; both need a model. `mark_ignored_read`: mail that needs no answer is marked read.
    """

    days: Annotated[int, msgspec.Meta(ge=0, le=3650)] = 7
    concurrency: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    paused: bool = False
    background: str = ""
    answer_route: Literal["pipeline", "response_agent"] = "pipeline"
    meeting_route: Literal["pipeline", "response_agent"] = "response_agent"
    mark_ignored_read: bool = False


class TriageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Probabilities from which a message needs a reply, and from which one that does not is ignored.

    They are chosen by trying triage on past mail.
    """

    respond_from: Annotated[float, msgspec.Meta(ge=0.02, le=0.95)] = RESPOND_FROM
    ignore_from: Annotated[float, msgspec.Meta(ge=0.5, le=1)] = IGNORE_FROM

    @property
    def limits(self) -> TriageLimits:
        return TriageLimits(self.respond_from, self.ignore_from)


class MemorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model is told of the owner's wishes while nothing was learned yet; empty for nothing."""

    triage: str = "Answer mail that asks me something or wants me to act. Show me notices I should know of. Skip advertising."
    reply: str = "Friendly, short, exact. Answer every question that was asked. Where a day is named, say what happens by it."
    meetings: str = "30 minutes, unless the mail asks for another length."

    def text(self, namespace: str) -> str:
        """The text for a namespace of preferences; empty for what the owner says of himself."""
        known = {"triage_preferences": self.triage, "response_preferences": self.reply, "cal_preferences": self.meetings}
        return known.get(namespace, "")


class SendingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`undo_s`: seconds between approval and sending. `draft_after_s`: seconds of rest before a letter's draft goes to Gmail."""

    undo_s: Annotated[int, msgspec.Meta(ge=0, le=300)] = 10
    draft_after_s: Annotated[int, msgspec.Meta(ge=1, le=300)] = 4


class AutomationSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Replies that become Gmail drafts without asking, in these categories and up to this number a day.

    Complaints and spam cannot be listed. The policy has further conditions.
    """

    auto_approve_categories: tuple[AutoCategory, ...] = ()
    auto_approve_daily_cap: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10


class CalendarSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Working hours for proposed times. Monday is 0; an empty time zone is the machine's.

    `connected`: Google Calendar is read, and written where the user approves a meeting.
    """

    connected: bool = False
    start: Hour = "09:00"
    end: Hour = "17:00"
    weekdays: tuple[Annotated[int, msgspec.Meta(ge=0, le=6)], ...] = (0, 1, 2, 3, 4)
    time_zone: str = ""


class ContactsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`connected`: Google Contacts are read and merged with the contacts derived from mail."""

    connected: bool = False


class WebSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Web access of agents; nothing by default.

    `searxng` is the address of a SearXNG server with its JSON format enabled, `sites` are hosts whose pages may be read.
    """

    searxng: Annotated[str, msgspec.Meta(pattern=r"^(https?://\S+)?$", max_length=300)] = ""
    sites: tuple[Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9.\-]*\.[a-z]{2,}$", max_length=253)], ...] = ()


class AssistantSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`gmail_service` is the address of a Gmail service (`serve-gmail`) that searches and proposes mail for requests.

    Empty: the engine does it itself. Plain http is allowed for this machine only. `run_at_once`: a plan of one look-up runs
    without being shown first.
    """

    run_at_once: bool = False
    gmail_service: Annotated[str, msgspec.Meta(pattern=r"^(https?://\S+)?$", max_length=300)] = ""


class PrivacySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mail that no language model gets.

    `stays_people` are addresses and domains, `stays_labels` names of labels, each separated by commas; `stays_kinds` are kinds
    that are known by their words.
    """

    stays_people: str = ""
    stays_labels: str = ""
    stays_kinds: tuple[Literal["health", "bank"], ...] = ()


ARCHIVE_MAILS = 50_000
"""The most mails of an archive that are searched by meaning: 80 MB of memory."""


class SyncSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Polling and quota. `budget_units` is Google's quota per minute for the user's own OAuth client.

    `backfill_days` and `largest_mb` limit which older mail is fetched (0: no limit). Mail under `skip_labels` (comma-separated
    names) is not fetched. `older_paused` pauses the backfill only. Files up to `largest_file_mb` are read for search (0: none).
    `archives_by_meaning`: imported archives are searched by meaning too.
    """

    poll_s: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 20
    budget_units: Annotated[int, msgspec.Meta(ge=100, le=10_000_000)] = 6000
    backfill_days: Annotated[int, msgspec.Meta(ge=0, le=36_500)] = 0
    largest_mb: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    largest_file_mb: Annotated[int, msgspec.Meta(ge=0, le=100)] = 10
    skip_labels: str = ""
    older_paused: bool = False
    archives_by_meaning: bool = False


class AppearanceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Appearance of the window. An empty language follows the system; `text_percent` scales all text."""

    theme: Literal["system", "light", "dark", "contrast-light", "contrast-dark"] = "system"
    language: Literal["", "en", "cs"] = ""
    text_percent: Annotated[int, msgspec.Meta(ge=80, le=200)] = 100


class ReadingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mail lists. `mark_read`: when an opened conversation counts as read. `after_archive`: what is opened after a conversation
    left the list. `splits` are the owner's parts of the inbox, each as `name: search`.
    """

    mark_read: Literal["now", "2s", "5s", "never"] = "now"
    after_archive: Literal["older", "newer", "list"] = "older"
    density: Literal["comfortable", "compact"] = "comfortable"
    splits: tuple[Annotated[str, msgspec.Meta(pattern=r"^[^:]{1,60}: ?\S.{0,500}$")], ...] = ()


class NotificationSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Desktop notifications while the window is not in front. `new_mail`: which new mail of the inbox is announced.

    None between `quiet_from` and `quiet_to` (local time, may cross midnight; equal times: no quiet hours), and with
    `quiet_weekend` none on days that are not working days. `in_tray`: closing the window keeps the program in the tray, where
    there is one.
    """

    shown: bool = True
    new_mail: Literal["answer", "all", "never"] = "answer"
    in_tray: bool = True
    quiet_from: Hour = "21:00"
    quiet_to: Hour = "07:00"
    quiet_weekend: bool = False


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults."""

    model: ModelSettings = ModelSettings()
    drafting: DraftingSettings = DraftingSettings()
    triage: TriageSettings = TriageSettings()
    memory: MemorySettings = MemorySettings()
    sending: SendingSettings = SendingSettings()
    automation: AutomationSettings = AutomationSettings()
    calendar: CalendarSettings = CalendarSettings()
    contacts: ContactsSettings = ContactsSettings()
    web: WebSettings = WebSettings()
    assistant: AssistantSettings = AssistantSettings()
    privacy: PrivacySettings = PrivacySettings()
    sync: SyncSettings = SyncSettings()
    appearance: AppearanceSettings = AppearanceSettings()
    notifications: NotificationSettings = NotificationSettings()
    reading: ReadingSettings = ReadingSettings()


def load(path: Path) -> Settings:
    """Reads the settings; a missing file means all defaults. Raises `BadFile` with the line."""
    return parse(read_text(path), path)


def parse(text: str, path: Path) -> Settings:
    """Checks `text` as the contents of `path`. Raises `BadFile`."""
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise BadFile(str(path), _line_of_error(text, error), Cause.NOT_TOML, error) from error
    except RecursionError as error:
        raise BadFile(str(path), deepest_line(text), Cause.TOML_TOO_DEEP) from error
    try:
        settings = msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        keys = _keys_of(str(error))
        raise BadFile(str(path), _line_of(text, keys), _text_of(str(error), ".".join(keys))) from error
    try:
        zone_of(settings.calendar.time_zone)
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        keys = ["calendar", "time_zone"]
        raise BadFile(str(path), _line_of(text, keys), Cause.NO_TIME_ZONE, settings.calendar.time_zone) from error
    return settings


def _line_of_error(text: str, error: ValueError) -> int:
    """The line that tomllib names, or that of a number with too many digits, or the last one."""
    if found := re.search(r"at line (\d+)", str(error)):
        return int(found.group(1))
    number = None if isinstance(error, tomllib.TOMLDecodeError) else re.search(r"\d[\d_]{4000}", text)
    return text.count("\n", 0, number.start() if number else len(text)) + 1


def _keys_of(message: str) -> list[str]:
    """The dotted key that msgspec's message is about, with the unknown field if it names one."""
    path = re.search(r"at `\$([^`]*)`", message)
    keys = re.findall(r"\.([A-Za-z_]\w*)", path.group(1)) if path else []
    unknown = re.search(r"unknown field `([^`]*)`", message)
    return [*keys, unknown.group(1)] if unknown else keys


def _text_of(message: str, key: str) -> ErrorText:
    """msgspec's message about a key as a text that the window can translate."""
    if unknown := re.search(r"unknown field `([^`]*)`", message):
        return ErrorText.of(Cause.UNKNOWN_SETTING, key, unknown[1])
    if types := re.match(r"Expected (.+), got (.+?)(?:\s*-\s*at `[^`]*`)?$", message):
        return ErrorText.of(Cause.SETTING_OF_OTHER_TYPE, key, types[1], types[2])
    return ErrorText.of(Cause.SETTING_INVALID, key, re.sub(r"\s*-\s*at `[^`]*`", "", message))


def _line_of(text: str, keys: list[str]) -> int:
    """The 1-based line of a dotted key in TOML text, or of the first one below it, else of the table that holds it."""
    section: list[str] = []
    for number, line in enumerate(re.sub("[\"']", "", text).splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([^\[\]]+?)\s*\]", line)
        name = re.match(r"\s*([\w.\-]+)\s*=", line)
        if header:
            section = header.group(1).split(".")
        here = section if header else [*section, *name.group(1).split(".")] if name else []
        if keys and here[: len(keys)] == keys:
            return number
    return _line_of(text, keys[:-1]) if keys else 0


def zone_of(name: str) -> tzinfo:
    """The named time zone; for an empty name the machine's."""
    from dateutil.tz import tzlocal  # 9 ms that a start of the window does not need

    return ZoneInfo(name) if name else tzlocal()
