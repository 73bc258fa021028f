"""Checks that the sample mailbox is whole, consistent and entirely fictional."""

import re
from collections import Counter
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from functools import cache
from pathlib import Path
from typing import TypedDict, cast

import pytest
from ruamel.yaml import YAML

SAMPLE = Path(__file__).resolve().parents[4] / "resources" / "sample"
TOKEN_FORMS = {"weekday", "date", "short", "iso", "cs-weekday", "cs-date", "cs-short"}
TOKEN = re.compile(rb"\{\{[+-]\d{1,2}d ([a-z-]+)\}\}")
AT = re.compile(r"-(?:(\d{1,2})d ([01]\d|2[0-3]):([0-5]\d)|(\d{1,3})m)")
SYSTEM_LABELS = {"INBOX", "UNREAD", "SENT", "STARRED", "SPAM", "TRASH"}
DAY_MIN = 24 * 60
# Every name that looks like an internet host must end in one of these.
RESERVED = re.compile(r"(^|\.)(example\.(com|org|net)|[a-z0-9-]+\.example|[a-z0-9-]+\.(test|invalid))$")
HOST = re.compile(
    r"(?:@|://|\bwww\.)([\w-]+(?:\.[\w-]+)+)"
    r"|\b([a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|cz|sk|de|eu|io|info|biz|fr|it|pl|at|jp|cn|uk))\b",
    re.IGNORECASE,
)
# Mails whose headers are the fault on show: no Message-ID is to be expected.
WITHOUT_ID = {"found-the-pump"}


class Entry(TypedDict, total=False):
    """One entry of index.yaml."""

    file: str
    at: str
    labels: list[str]
    keep_date: bool


class Verdict(TypedDict, total=False):
    """One entry of expected.yaml."""

    file: str
    decision: str
    category: str
    why: str
    answer_from: str
    complete_draft: bool


def load(name: str) -> object:
    return YAML(typ="safe").load((SAMPLE / name).read_text(encoding="utf-8"))


@cache
def index() -> dict[str, Entry]:
    entries = cast(list[Entry], load("index.yaml"))
    assert len({entry["file"] for entry in entries}) == len(entries)
    return {entry["file"]: entry for entry in entries}


@cache
def verdicts() -> dict[str, Verdict]:
    entries = cast(list[Verdict], load("expected.yaml"))
    assert len({entry["file"] for entry in entries}) == len(entries)
    return {entry["file"]: entry for entry in entries}


@cache
def mails() -> dict[str, Message]:
    return {file: message_from_bytes(raw(file)) for file in index()}


def raw(file: str) -> bytes:
    return (SAMPLE / file).read_bytes()


def age_range_min(entry: Entry) -> tuple[int, int]:
    """The least and greatest age in minutes, whatever the time of day the demo is opened."""
    found = AT.fullmatch(entry["at"])
    assert found, entry
    if found[4]:
        return int(found[4]), int(found[4])
    since_midnight = int(found[2]) * 60 + int(found[3])
    least = int(found[1]) * DAY_MIN - since_midnight
    return least, least + DAY_MIN - 1


def is_older(first: Entry, second: Entry) -> bool:
    """Whether `first` is older than `second` at every time of day."""
    if first["at"].endswith("m") == second["at"].endswith("m"):
        return age_range_min(first)[0] > age_range_min(second)[0]
    return age_range_min(first)[0] > age_range_min(second)[1]


def ids_in(message: Message, header: str) -> list[str]:
    return re.findall(r"<[^>]+>", str(message.get(header, "")))


def thread_roots() -> dict[str, str]:
    """The root of each mail's thread, found by References alone."""
    owner_of = {ids_in(message, "Message-ID")[0]: file for file, message in mails().items() if message["Message-ID"]}
    roots: dict[str, str] = {}
    for file, message in mails().items():
        known = [owner_of[ref] for ref in ids_in(message, "References") if ref in owner_of]
        roots[file] = known[0] if known else file
    return roots


def answered() -> set[str]:
    """Files that some sent mail answers."""
    replied = {ref for file, m in mails().items() if "SENT" in index()[file]["labels"] for ref in ids_in(m, "In-Reply-To")}
    return {file for file, m in mails().items() if replied.intersection(ids_in(m, "Message-ID"))}


def shown_text(message: Message) -> str:
    """Every header and every text part, decoded as well as the mail allows."""
    pieces = [str(make_header(decode_header(value))) for value in map(str, message.values()) if "x-nonsense" not in value]
    for part in message.walk():
        payload = part.get_payload(decode=True)
        if part.get_content_maintype() == "text" and isinstance(payload, bytes):
            pieces.append(payload.decode("utf-8", "replace"))
    return "\n".join(pieces)


def test_index_and_folder_name_the_same_files() -> None:
    on_disk = {f"mail/{path.name}" for path in (SAMPLE / "mail").iterdir()}
    assert on_disk == set(index())


def test_there_is_enough_of_everything() -> None:
    labels = Counter(label for entry in index().values() for label in entry["labels"])
    assert len(index()) >= 150
    assert labels["SENT"] >= 45
    assert labels["SPAM"] >= 3
    assert len(set(thread_roots().values())) >= 70
    assert len(verdicts()) >= 100
    categories = Counter(verdict["category"] for verdict in verdicts().values())
    assert set(categories) == {"inquiry", "meeting_request", "complaint", "follow_up", "spam", "other"}
    assert min(categories.values()) >= 8
    decisions = Counter(verdict["decision"] for verdict in verdicts().values())
    assert min(decisions[name] for name in ("respond", "notify", "ignore")) >= 25


def test_the_review_load_is_about_thirty_recent_mails_of_every_kind() -> None:
    load_files = [
        file
        for file, entry in index().items()
        if {"INBOX", "UNREAD"} <= set(entry["labels"]) and age_range_min(entry)[0] < 7 * DAY_MIN
    ]
    assert 25 <= len(load_files) <= 36
    assert not answered().intersection(load_files)
    assert {verdicts()[file]["decision"] for file in load_files} == {"respond", "notify", "ignore"}


def test_index_entries_are_well_formed() -> None:
    owner = cast(dict[str, list[str]], load("owner.yaml"))
    allowed = SYSTEM_LABELS | set(owner["labels"])
    for entry in index().values():
        found = AT.fullmatch(entry["at"])
        assert found, entry
        assert int(found[1] or 1) in range(1, 41), entry
        assert int(found[4] or 1) in range(1, 601), entry
        assert set(entry["labels"]) <= allowed, entry
        boxes = {"INBOX", "SENT", "SPAM", "TRASH"}.intersection(entry["labels"])
        assert len(boxes) == 1, entry
        assert set(entry) <= {"file", "at", "labels", "keep_date"}, entry


def test_message_ids_are_there_and_unique() -> None:
    ids: list[str] = []
    for file, message in mails().items():
        if any(file.endswith(f"{slug}.eml") for slug in WITHOUT_ID):
            assert message["Message-ID"] is None
            continue
        found = ids_in(message, "Message-ID")
        assert len(found) == 1, file
        ids += found
    assert len(set(ids)) == len(ids)


def test_replies_point_to_older_mails_and_say_so_in_the_subject() -> None:
    owner_of = {mid: file for file, m in mails().items() for mid in ids_in(m, "Message-ID")}
    replies = 0
    for file, message in mails().items():
        references = ids_in(message, "References")
        parents = ids_in(message, "In-Reply-To")
        assert bool(references) == bool(parents), file
        for parent in parents:
            replies += 1
            assert references[-1] == parent, file
            assert is_older(index()[owner_of[parent]], index()[file]), file
            if not message["Auto-Submitted"]:
                assert str(make_header(decode_header(str(message["Subject"])))).startswith("Re: "), file
        assert all(ref in owner_of for ref in references), file
    assert replies >= 80


def test_sent_mails_come_from_the_owner_and_are_signed() -> None:
    owner = cast(dict[str, str], load("owner.yaml"))
    for file, entry in index().items():
        from_owner = owner["email"] in str(mails()[file].get_all("From", [""])[0])
        assert from_owner == ("SENT" in entry["labels"]), file
        if from_owner:
            text = shown_text(mails()[file])
            assert re.search(r"^(Hi|Dobrý den|Ahoj)\b.*,$", text, re.MULTILINE), file
            assert re.search(r"^(Cheers,\nOndřej|S pozdravem,\nOndřej Havelka|Ondra)$", text, re.MULTILINE), file


def test_tokens_are_well_formed_and_reach_the_loader_unencoded() -> None:
    seen: set[str] = set()
    for file in index():
        content = raw(file)
        forms = [form.decode() for form in TOKEN.findall(content)]
        assert len(forms) == content.count(b"{{"), file
        assert set(forms) <= TOKEN_FORMS, file
        seen.update(forms)
        for part in mails()[file].walk():
            assert_tokens_fit(file, part)
        subject = str(mails()[file].get("Subject", "")).encode()
        assert not any(form.startswith(b"cs-") for form in TOKEN.findall(subject)), file
    assert {"date", "weekday", "cs-date", "cs-weekday"} <= seen


def assert_tokens_fit(file: str, part: Message) -> None:
    """A part with tokens is text, not transfer-encoded, and its charset holds what they become."""
    payload = part.get_payload(decode=True)
    if part.is_multipart() or not isinstance(payload, bytes) or not TOKEN.search(payload):
        return
    assert part.get_content_maintype() == "text", file
    assert str(part.get("Content-Transfer-Encoding", "8bit")).lower() in ("7bit", "8bit"), file
    assert str(part.get_content_charset("utf-8")) == "utf-8", file


def test_expected_is_consistent() -> None:
    for file, verdict in verdicts().items():
        assert file in index(), file
        assert "SENT" not in index()[file]["labels"], file
        assert verdict["decision"] in ("respond", "notify", "ignore"), file
        assert verdict["why"].strip().endswith("."), file
        assert (verdict["category"] == "spam") <= (verdict["decision"] == "ignore"), file
        if {"SPAM", "TRASH"}.intersection(index()[file]["labels"]):
            assert verdict["category"] == "spam", file
        if verdict["category"] in ("inquiry", "meeting_request", "complaint"):
            assert verdict["decision"] == "respond", file
        assert ("answer_from" in verdict) == verdict.get("complete_draft", False), file


def test_asked_again_is_answered_by_an_older_sent_mail_to_somebody_else() -> None:
    asking = {file: verdict for file, verdict in verdicts().items() if "answer_from" in verdict}
    assert len(asking) >= 15
    for file, verdict in asking.items():
        source = verdict["answer_from"]
        assert "SENT" in index()[source]["labels"], file
        assert is_older(index()[source], index()[file]), file
        assert {"INBOX", "UNREAD"} <= set(index()[file]["labels"]), file
        assert file not in answered(), file
        assert str(mails()[file]["From"]) != str(mails()[source]["To"]), file
        text = shown_text(mails()[source])
        assert "\n>" not in text and "{{" not in text, f"{source} does not stand by itself"
    czech = [file for file, v in asking.items() if "Dobrý den," in shown_text(mails()[v["answer_from"]])]
    assert len(czech) >= 3


def test_no_question_is_left_behind() -> None:
    done = answered()
    waiting = [file for file, verdict in verdicts().items() if verdict["decision"] == "respond" and file not in done]
    for file in waiting:
        assert "UNREAD" in index()[file]["labels"], file
        assert age_range_min(index()[file])[0] < 7 * DAY_MIN, file


def test_every_address_and_link_is_reserved() -> None:
    texts = {file: shown_text(message) for file, message in mails().items()}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in SAMPLE.glob("*.*ml")}
    for name, text in texts.items():
        for found in HOST.finditer(text):
            host = (found[1] or found[2]).lower().rstrip(".")
            assert RESERVED.search(host), f"{name}: {host}"


@pytest.mark.parametrize(
    ("what", "needle"),
    [
        ("one-click unsubscribe", b"List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
        ("delivery report", b"message/delivery-status"),
        ("invitation", b"text/calendar"),
        ("signed part", b"application/pkcs7-signature"),
        ("absence reply", b"Auto-Submitted: auto-replied"),
        ("format=flowed", b"flowed"),
        ("quoted-printable", b"quoted-printable"),
        ("ISO-8859-2", b"iso-8859-2"),
        ("windows-1250", b"windows-1250"),
        ("list mail", b"List-Id:"),
        ("picture", b"image/png"),
        ("document", b"application/pdf"),
        ("table", b"text/csv"),
        ("gradient", b"linear-gradient"),
        ("deep quote", b"\n>>>>> "),
        ("hidden text", b"display:none"),
        ("zero-width", "\u200b".encode()),
        ("CRLF", b"\r\n"),
        ("Japanese", "はじめまして".encode()),
        ("Chinese", "您好".encode()),
        ("Korean", "안녕하세요".encode()),
        ("Arabic", "السلام".encode()),
        ("Hebrew", "שלום".encode()),
        ("emoji", "🚲".encode()),
    ],
)
def test_every_kind_of_mail_is_there(what: str, needle: bytes) -> None:
    assert any(needle in raw(file) for file in index()), what


def test_the_broken_mails_are_really_broken() -> None:
    by_slug = {re.sub(r"mail/\d{4}-|\.eml", "", file): file for file in index()}
    message = mails()[by_slug["toddler-seat"]]
    assert "CloseBoundaryNotFoundDefect" in [type(defect).__name__ for defect in message.defects]
    assert len(mails()[by_slug["parcel-held"]].get_all("From", [])) == 2
    assert mails()[by_slug["the-bell"]]["Date"] is None
    assert mails()[by_slug["no-subject"]]["Subject"] is None
    assert mails()[by_slug["found-the-pump"]].keys() == ["From"]
    assert not raw(by_slug["stare-kolo"]).isascii()
    assert "Šlapátka".encode() in raw(by_slug["slapatka"]).split(b"\n\n")[0]
    assert raw(by_slug["mleko"]).split(b"\n\n", 1)[1].strip() == b""
    assert {file for file, entry in index().items() if entry.get("keep_date")} == {
        by_slug["the-bell"],
        by_slug["weekly-summary"],
    }
    party = message_from_bytes(raw(by_slug["open-streets-day-who-brings-what"]), policy=policy.default)
    assert len(party["To"].addresses) >= 30


def test_calendar_and_contacts_are_complete() -> None:
    events = cast(list[dict[str, object]], load("calendar.yaml"))
    assert len(events) >= 25
    assert len({event["id"] for event in events}) == len(events)
    when = re.compile(r"[+-]\d{1,2}d ([01]\d|2[0-3]):[0-5]\d")
    for event in events:
        assert re.fullmatch(r"[0-9a-v]{5,}", str(event["id"])), event
        assert event["summary"], event
        if "all_day" in event:
            assert re.fullmatch(r"[+-]\d{1,2}d", str(event["all_day"])), event
        else:
            assert when.fullmatch(str(event["start"])) and when.fullmatch(str(event["end"])), event
            assert str(event["start"]).split()[0] == str(event["end"]).split()[0], event
            assert str(event["start"]).split()[1] < str(event["end"]).split()[1], event
    contacts = cast(list[dict[str, object]], load("contacts.yaml"))
    assert len(contacts) >= 35
    assert all(contact["name"] and contact["emails"] for contact in contacts)


def test_the_folder_stays_small_and_git_leaves_the_bytes_alone() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 1_500_000
    assert "mail/*.eml -text" in (SAMPLE / ".gitattributes").read_text(encoding="utf-8")
