"""The labelled mail in tests/data/judgement agrees with itself, is balanced, and is enough."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "data" / "judgement"
HALVES = ("tuning", "held")


def _rows(pattern: str) -> list[dict[str, Any]]:
    lines = (line for path in sorted(FOLDER.glob(pattern)) for line in path.read_text(encoding="utf-8").splitlines())
    return [json.loads(line) for line in lines]


SENT, DRAFTS = _rows("sent-*.jsonl"), _rows("drafts-*.jsonl")
RECEIVED = [row for half in HALVES for row in _rows(f"{half}-*.jsonl")]


def test_the_labels_of_a_mail_agree() -> None:
    for row in RECEIVED:
        gold, name = row["gold"], row["id"]
        asked = {act["kind"] for act in gold["acts"]} & {"question", "request", "proposal"}
        assert gold["spam"] == (gold["kind"] in {"spam", "phishing"}), name
        assert gold["phishing"] == (gold["kind"] == "phishing"), name
        assert not gold["spam"] or (gold["decision"] == "ignore" and not gold["looks_like_phishing"]), name
        assert not gold["needs_reply"] or (gold["decision"] == "respond" and asked), name
        automatic = re.search("no-?reply|donotreply", row["mail"]["headers"]["From"].lower())
        assert gold["decision"] != "respond" or not automatic, name
    for row in DRAFTS:
        assert row["gold"]["reuse"] in {"none", *(exchange["id"] for exchange in row["earlier"])}


def test_both_halves_have_the_same_make_up() -> None:
    counts = {half: Counter[str]() for half in HALVES}
    for row in RECEIVED:
        gold = row["gold"]
        counts[row["half"]].update([row["owner"], row["lang"], gold["decision"], f"phishing {gold['phishing']}"])
    for what, number in counts["tuning"].items():
        assert abs(number - counts["held"][what]) <= max(6, number // 8), what
    texts = Counter(" ".join(row["mail"]["text"].lower().split()) for row in RECEIVED)
    assert not [text for text, number in texts.items() if number > 1]


def test_there_is_enough_of_everything() -> None:
    golds = [row["gold"] for row in RECEIVED]
    assert len(golds) >= 600
    assert sum(gold["phishing"] for gold in golds) >= 40
    assert sum(gold["looks_like_phishing"] for gold in golds) >= 30
    assert 0.08 <= sum(gold["spam"] for gold in golds) / len(golds) <= 0.12
    assert len(SENT) >= 160
    assert sum(bool(row["gold"]["promise"]) for row in SENT) >= 30
    assert len(DRAFTS) >= 60
    assert sum(row["gold"]["reuse"] == "none" for row in DRAFTS) * 2 >= len(DRAFTS)
