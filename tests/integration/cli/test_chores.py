"""The chores of the command line: a catalogue in, the audit out, and never beside a running engine."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.agents.runs import AgentRun, AgentStatus, LoggedCall, ModelCall
from app.domain.ids import MessageId, RunId
from app.domain.mail.message import Address
from app.domain.record import replace
from app.engine.learning.backtest import BacktestReader
from app.engine.runtime.process_control import FolderLock
from app.engine.runtime.tables import open_tables
from app.main import main
from app.store.db.database import Database
from app.store.mail.sync_page import SyncPage
from app.store.runs.audit import AuditTable
from app.store.runs.model_calls import ModelCalls
from fakes.engine.store.values import ME, HandClock, remote


def test_a_made_up_catalogue_comes_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "drugs.csv"
    assert main(["pharmacy", "generate", str(file), "--rows", "40"]) == 0
    assert main(["--data", str(tmp_path / "data"), "pharmacy", "import", str(file)]) == 0
    stock = tmp_path / "stock.csv"
    stock.write_text("code,pharmacy_id,stock\n9000001,P9,4\n")
    assert main(["--data", str(tmp_path / "data"), "pharmacy", "import", str(file), "--stock", str(stock)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "drugs: 40"
    assert lines[1].startswith("drugs: 40, pharmacies: 3, ")
    assert lines[2] == "drugs: 40, pharmacies: 1, lines of stock: 1"


def test_a_faulty_file_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.csv").write_text("code,name\n1,A\n,B\n")
    assert main(["--data", str(tmp_path / "data"), "pharmacy", "import", str(tmp_path / "bad.csv")]) == 2
    assert "bad.csv:3:" in capsys.readouterr().err


def test_what_left_goes_out_as_lines_and_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert main(["--data", str(data), "audit", "sent"]) == 0
    db = Database.open(data / "mail.db")
    calls = ModelCalls(db, lambda: datetime.now(UTC))
    call = ModelCall(
        RunId("r"), "triage", "openai/x", 9, 1, 0.5, 1.0, "api.example", 700, "", datetime.now(UTC), 80, "ab", (3, 4), ("=a@b.c",)
    )
    for one in (call, replace(call, host="other.example"), replace(call, sent_bytes=0)):
        calls.model_call(one)
    db.close()
    assert main(["--data", str(data), "audit", "sent", "--host", "api.example"]) == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (line["host"], line["sent_bytes"], line["got_bytes"], line["mails"], line["people"]) == (
        "api.example",
        700,
        80,
        [3, 4],
        ["=a@b.c"],
    )
    assert main(["--data", str(data), "audit", "sent", "--format", "csv"]) == 0
    head, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert len(rows) == 2
    assert dict(zip(head, rows[0], strict=True))["people"] == "'=a@b.c"


def test_the_audit_goes_out_as_json_lines(tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert main(["--data", str(data), "audit", "export"]) == 0
    db = Database.open(data / "mail.db")
    call = LoggedCall("escalate", {"reason": "žluť"}, {"status": "escalated"}, 1)
    done = AgentRun(RunId("r"), "pharmacy", AgentStatus.COMPLETED, (call,), "Ok", 2)
    AuditTable(db, lambda: datetime.now(UTC)).finish(done, MessageId(1))
    db.close()
    out = tmp_path / "audit.jsonl"
    out.touch(mode=0o644)
    assert main(["--data", str(data), "audit", "export", "--out", str(out), "--days", "1"]) == 0
    assert capsys.readouterr().out == ""
    run, event = [json.loads(line) for line in out.read_text().splitlines()]
    assert (run["record"], run["status"], run["tool_calls_log"][0]["tool"]) == ("agent_run", "completed", "escalate")
    assert (event["record"], event["detail"]["tool_calls"]) == ("email_event", 1)
    assert out.stat().st_mode & 0o077 == 0
    command = [sys.executable, "-m", "app", "--data", str(data), "audit", "export"]
    done = subprocess.run(command, cwd=root, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode("utf-8")) == (0, out.read_text())
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as cut:
        cut.stdout.close()
        _, said = cut.communicate(timeout=60)
    assert (cut.returncode, said) == (0, b"")


@pytest.mark.parametrize("words", [["audit", "export", "--out"], ["pharmacy", "generate"], ["doctor", "--bundle"]])
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["--data", str(tmp_path / "data"), *words, str(tmp_path / "file" / "out")]) == 2
    assert "out could not be written" in capsys.readouterr().err


def test_a_running_engine_keeps_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    with FolderLock(folder.lock):
        assert main(["--data", str(folder.root), "audit", "export"]) == 2
    assert "already works in" in capsys.readouterr().err


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
