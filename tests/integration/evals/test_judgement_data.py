"""The labelled mail in tests/data/judgement is well formed, balanced and what its README states."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from email.utils import getaddresses, parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "data" / "judgement"
OWNERS: dict[str, dict[str, Any]] = json.loads((FOLDER / "owners.json").read_text(encoding="utf-8"))
HALVES = ("tuning", "held")
KINDS = {
    "question", "task", "appointment", "complaint", "order", "introduction", "update", "thanks",
    "social", "auto_reply", "invitation", "receipt", "bill", "account", "security", "delivery",
    "newsletter", "list", "machine", "sales", "spam", "phishing", "bounce",
}  # fmt: skip
ACTS = frozenset(["question", "request", "proposal", "commitment", "thanks", "notice", "decline"])

Row = dict[str, Any]


def _rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def _received() -> Iterator[Row]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        half, _, owner = path.stem.partition("-")
        if half in HALVES:
            for row in _rows(path.name):
                assert (row["half"], row["owner"]) == (half, owner), row["id"]
                yield row


def _both(kind: str) -> list[Row]:
    rows = [row for path in sorted(FOLDER.glob(f"{kind}-*.jsonl")) for row in _rows(path.name)]
    assert len({row["id"] for row in rows}) == len(rows), kind
    return rows


RECEIVED = list(_received())
SENT = _both("sent")
DRAFTS = _both("drafts")


def _assert_mail(mail: Row, name: str) -> None:
    headers = mail["headers"]
    assert {"From", "To", "Subject", "Date", "Message-ID"} <= set(headers), name
    assert parsedate_to_datetime(headers["Date"]).year == 2026, name
    assert not [value for value in headers.values() if "\n" in value or "\r" in value], name
    assert re.fullmatch(r"[^@\s]+@\S+\.example", parseaddr(headers["From"])[1]), name
    assert all("@" in one for _name, one in getaddresses([headers["To"]])), name
    assert mail["text"].strip(), name


def _words(text: str) -> str:
    lines = (line.removeprefix(">").removeprefix(" ") for line in text.splitlines())
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("owner", OWNERS)
def test_received_mail_is_well_formed(owner: str) -> None:
    for row in (row for row in RECEIVED if row["owner"] == owner):
        gold, name = row["gold"], row["id"]
        _assert_mail(row["mail"], name)
        assert row["mail"]["headers"]["Authentication-Results"].startswith("mx.google.com; "), name
        assert row["lang"] in OWNERS[owner]["languages"], name
        assert row["known"] in {"none", "known", "colleague"}, name
        assert 0 <= row["answered"] <= row["earlier"], name
        assert row["known"] != "none" or row["earlier"] == 0, name
        assert gold["decision"] in {"respond", "notify", "ignore"}, name
        assert gold["kind"] in KINDS, name
        assert gold["why"], name
        assert {act["kind"] for act in gold["acts"]} <= ACTS, name
        assert all(act["sentence"] in _words(row["mail"]["text"]) for act in gold["acts"]), name


def test_the_labels_of_a_mail_agree() -> None:
    for row in RECEIVED:
        gold, name = row["gold"], row["id"]
        sender = row["mail"]["headers"]["From"].lower()
        asked = {act["kind"] for act in gold["acts"]} & {"question", "request", "proposal"}
        assert gold["spam"] == (gold["kind"] in {"spam", "phishing"}), name
        assert gold["phishing"] == (gold["kind"] == "phishing"), name
        assert not gold["spam"] or gold["decision"] == "ignore", name
        assert not (gold["spam"] and gold["looks_like_phishing"]), name
        assert gold["decision"] == "respond" or not gold["needs_reply"], name
        assert asked or not gold["needs_reply"], name
        assert gold["decision"] != "respond" or not re.search("no-?reply|donotreply", sender), name


def test_both_halves_have_the_same_make_up() -> None:
    counts = {half: Counter[str]() for half in HALVES}
    for row in RECEIVED:
        gold = row["gold"]
        counts[row["half"]].update([row["owner"], row["lang"], gold["decision"], f"phishing {gold['phishing']}"])
    for what, number in counts["tuning"].items():
        assert abs(number - counts["held"][what]) <= max(6, number // 8), what


def test_no_text_stands_twice() -> None:
    texts = Counter(_words(row["mail"]["text"]).lower() for row in RECEIVED)
    assert not [text for text, number in texts.items() if number > 1]
    assert len({row["id"] for row in RECEIVED}) == len(RECEIVED)


def test_sent_mail_is_well_formed() -> None:
    for row in SENT:
        _assert_mail(row["mail"], row["id"])
        assert OWNERS[row["owner"]]["address"] in row["mail"]["headers"]["From"]
        assert isinstance(row["gold"]["waits"], bool)
        promise = row["gold"]["promise"]
        if promise:
            assert promise["text"] in _words(row["mail"]["text"])
            due = promise["due"]
            assert due is None or date.fromisoformat(due) >= parsedate_to_datetime(row["mail"]["headers"]["Date"]).date()


def test_drafts_name_an_earlier_exchange_or_none() -> None:
    for row in DRAFTS:
        _assert_mail(row["mail"], row["id"])
        assert row["earlier"]
        for exchange in row["earlier"]:
            _assert_mail(exchange["incoming"], exchange["id"])
            _assert_mail(exchange["reply"], exchange["id"])
            came, answered = (parsedate_to_datetime(exchange[one]["headers"]["Date"]) for one in ("incoming", "reply"))
            assert came <= answered < parsedate_to_datetime(row["mail"]["headers"]["Date"]), exchange["id"]
        assert row["gold"]["reuse"] in {"none", *(exchange["id"] for exchange in row["earlier"])}


def test_there_is_enough_of_everything() -> None:
    golds = [row["gold"] for row in RECEIVED]
    owners = Counter(row["owner"] for row in RECEIVED)
    assert len(golds) >= 600
    assert set(owners) == set(OWNERS)
    assert min(owners.values()) >= 60
    assert sum(gold["phishing"] for gold in golds) >= 40
    assert sum(gold["looks_like_phishing"] for gold in golds) >= 30
    assert 0.08 <= sum(gold["spam"] for gold in golds) / len(golds) <= 0.12
    assert len(SENT) >= 160
    assert sum(bool(row["gold"]["promise"]) for row in SENT) >= 30
    assert len(DRAFTS) >= 60
    assert sum(row["gold"]["reuse"] == "none" for row in DRAFTS) * 2 >= len(DRAFTS)
