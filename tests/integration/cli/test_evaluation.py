"""`replyroom eval`: labelled mail with bad lines named, and the owner's past mail beside a running engine."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.mail.message import Address
from app.engine.learning.backtest import BacktestReader
from app.engine.runtime.tables import open_tables
from app.main import main
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import ME, HandClock, remote

FRIEND = Address("friend@home.example", "Friend")
GOOD = {
    "mail": {"headers": {"From": "Ann <ann@x.example>", "To": ME.email, "Subject": "Offer"}, "text": "Could you send the offer?"},
    "gold": {"decision": "respond"},
    "owner": ME.email,
}


def written(folder: Path, *lines: object) -> Path:
    file = folder / "mail.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), encoding="utf-8")
    return file


def test_a_file_of_labelled_mail_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, GOOD, "", GOOD)
    assert main(["eval", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mails"] == 2 and told["decision_accuracy"] == 1.0
    assert main(["eval", str(file)]) == 0
    assert "decision_accuracy" in capsys.readouterr().out


def test_bad_lines_are_named_and_the_others_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsure = {**GOOD, "gold": {"decision": "reply"}}
    nobody = {**GOOD, "owner": "lawyer"}
    undated = {**GOOD, "mail": {"headers": {"From": "a@b.example", "Date": "soon"}, "text": "Hi"}}
    file = written(tmp_path, GOOD, "{not json", unsure, {"mail": {"headers": {}}, "gold": {}}, nobody, undated)
    assert main(["eval", str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["mails"] == 1
    lines = err.splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4", "5", "6"]
    assert "reply" in lines[1] and "gold.decision" in lines[1]
    assert "text" in lines[2]
    assert "--me ADDRESS" in lines[3]
    assert "soon" in lines[4]
    assert main(["eval", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    assert main(["eval", str(written(tmp_path, "{}"))]) == 2
    assert "no line is labelled mail" in capsys.readouterr().err


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """A data folder that an engine has open: thirty days, a mail a day, answered every second day."""
    folder = DataFolder(tmp_path)
    folder.prepare()
    tables = open_tables(folder.database, HandClock())
    account_id = tables.accounts.add(ME.email, ME.name, (ME.email,), "", "#123456")
    mails = []
    for day in range(30):
        asked = remote(f"f{day}", f"t{day}", sender=FRIEND, text="Could you send it?", minutes=day * 1440)
        answer = remote(f"a{day}", f"t{day}", sender=ME, to=(FRIEND,), minutes=day * 1440 + 60, labels=("SENT",))
        mails += [asked, replace(answer, in_reply_to=asked.rfc822_id)] if day % 2 else [asked]
    tables.messages.apply(account_id, SyncPage(messages=tuple(mails)))
    yield tmp_path
    tables.close()


def test_the_archive_is_tried_as_table_and_json(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(archive), "eval", "--archive", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["account"] == ME.email and told["answered"] == 15
    assert told["learned"]["cold_start"] is True
    by_name = {one["miss_at_most"]: one for one in told["choices"]}
    assert by_name["1 in 100"]["missed"] == 0
    assert main(["--data", str(archive), "eval", "--archive"]) == 0
    assert "cold start" in capsys.readouterr().out


def test_wrong_words_and_an_unknown_account(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(archive), "eval", "--archive", "--account", "x@y.example"]) == 2
    assert ME.email in capsys.readouterr().err
    assert main(["--data", str(tmp_path / "empty"), "eval", "--archive"]) == 2
    assert "no mailbox" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["eval"])


def test_it_can_be_cancelled(archive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_self: BacktestReader) -> Iterator[int]:
        raise KeyboardInterrupt

    monkeypatch.setattr(BacktestReader, "steps", interrupted)
    assert main(["--data", str(archive), "eval", "--archive"]) == 130
    assert "cancelled" in capsys.readouterr().err
