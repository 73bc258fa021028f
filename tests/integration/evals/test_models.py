"""Two scripted models on labelled mail: totals, answers as JSON lines, and a page with both side by side."""

import argparse
import json
from pathlib import Path

import pytest

from app.domain.errors import BadFile
from app.evals.judgement_mail import read_file
from app.evals.models import measured
from fakes.providers.server import ProviderServer
from fakes.providers.shapes import OPENAI, Asked, Reply


def row(name: str, text: str, decision: str, **gold: object) -> str:
    headers = {"From": "Ann <ann@a.example>", "To": "me@b.example", "Subject": "Hello", "Date": "Mon, 07 Sep 2026 19:12:56 +0200"}
    return json.dumps({"id": name, "mail": {"headers": headers, "text": text}, "gold": {"decision": decision, **gold}})


async def test_two_models_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    rows = [
        row("price", "What does it cost?", "respond", must_not_give=["99"]),
        row("news", "We moved to a new house.", "notify"),
    ]
    file.write_text("\n".join(rows))

    def behave(asked: Asked, _number: int) -> Reply:
        news, good = "new house" in asked.text, asked.model == "good"
        body = "" if news and good else "Hello Ann, it costs [[the price]]." if good else "Sure! It costs 99 EUR."
        decision = "notify" if not body else "respond"
        said = {"decision": decision, "category": "inquiry", "confidence": 0.9, "reason": "It asks.", "body": body}
        return Reply(json.dumps({**said, "language": "English", "questions": []}))

    with ProviderServer(OPENAI, behave) as server:
        options = argparse.Namespace(
            file=file, me="me@b.example", model=["openai/good", "openai/bad"], api_base=server.address, most=0,
            html=tmp_path / "page.html", out=tmp_path / "out.jsonl",
        )  # fmt: skip
        good, bad = (await measured(options, "key"))[0]
    assert (good.messages, good.failed, good.decided, good.drafts, good.drafted) == (2, 0, 2, 1, 1)
    assert (bad.decided, bad.drafts, bad.drafted) == (1, 2, 0)
    assert good.seconds > 0 and good.tokens > 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert lines[2]["wrong"] == ["unsupported", "preamble", "gives 99"]
    page = (tmp_path / "page.html").read_text()
    assert page.index("openai/good") < page.index("openai/bad")
    assert "Sure! It costs 99 EUR." in page


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text(row("a", "x", "respond") + "\n{}")
    with pytest.raises(BadFile) as caught:
        read_file(tmp_path / "set.jsonl", "me@b.example")
    assert caught.value.line == 2
