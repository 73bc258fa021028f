"""The bundle for a report: what helps is in it, and nothing of the mail, the user or the secrets."""

import json
import logging
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import logs
from app.config.diagnostics import redacted_lines, write_bundle
from app.config.paths import DataFolder

CANARIES = {
    "address": "quetzal.canary@secret-partner.example",
    "host": "mail.secret-partner.example",
    "token": "ya29.canary-token-0123456789",
    "refresh": "1//canary-refresh-token-0123456789",
    "key": "sk-canary-0123456789abcdef",
    "subject": "Zanzibar contract for the merger",
    "text": "the quick canary fox",
    "background": "We are a family of canary breeders",
    "private server": "models.canary.internal",
    "search server": "search.canary.internal",
    "site": "canary-lovers.example.org",
    "label": "Canary divorce",
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    """A data folder with settings, and a log into which everything wrote what it should not."""
    data = DataFolder(tmp_path / "Quetzal's files" / "data")
    data.prepare()
    data.settings.write_text(
        f'[model]\nname = "openai/canary-tune"\napi_base = "https://{CANARIES["private server"]}/v1"\n'
        f'[drafting]\nbackground = "{CANARIES["background"]}"\n'
        f'[web]\nsearxng = "http://{CANARIES["search server"]}:8080"\nsites = ["{CANARIES["site"]}"]\n'
        f'[sync]\nskip_labels = "{CANARIES["label"]}"\n'
    )
    before = list(logging.getLogger().handlers)
    logs.setup(data.logs, "engine")
    yield data
    for handler in logging.getLogger().handlers:
        if handler not in before:
            logging.getLogger().removeHandler(handler)
            handler.close()


def wrote_everything() -> None:
    """Our log with ids and slips, another library's log, and an exception with mail in its message."""
    ours, other = logging.getLogger("app.engine.sync"), logging.getLogger("chatty.module")
    ours.info("account %d: message %d fetched, 42 units", 3, 1234)
    ours.info("from %s at %s: '%s'", CANARIES["address"], CANARIES["host"], CANARIES["subject"])
    ours.info('Authorization: Bearer %s, refresh_token="%s", %s', CANARIES["token"], CANARIES["refresh"], CANARIES["key"])
    other.warning("subject %s, text %s", CANARIES["subject"], CANARIES["text"])
    try:
        raise ValueError(f"cannot parse {CANARIES['subject']}\nsecond line: {CANARIES['text']}")
    except ValueError:
        ours.exception("run 17 failed")


def contents(path: Path) -> dict[str, str]:
    """The bundle's files."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


@pytest.mark.expects_warnings
def test_no_canary_is_in_it_and_what_helps_is(folder: DataFolder, tmp_path: Path) -> None:
    wrote_everything()
    finding = {
        "name": "Routing rules",
        "ok": False,
        "detail": f"There is no route '{CANARIES['subject']}'.",
        "remedy": f"Mend {folder.rules}.",
    }
    names = write_bundle(folder, tmp_path / "bundle.zip", "0.1.0", [finding], {"messages": 12, "outbox": 3})
    found = contents(tmp_path / "bundle.zip")
    assert list(found) == names
    whole = "\n".join(found.values())
    assert {name: value for name, value in CANARIES.items() if value in whole} == {}
    assert "Quetzal" not in whole
    assert str(Path.home()) not in whole
    log = found["logs/engine.log"]
    assert "account 3: message 1234 fetched, 42 units" in log
    assert "run 17 failed" in log
    assert "test_diagnostics.py:" in log
    assert "ValueError" in log
    assert json.loads(found["about.json"])["packages"]["msgspec"]
    settings = json.loads(found["settings.json"])
    assert (settings["model"]["name"], settings["model"]["api_base"]) == ("openai", "https://<host>")
    assert settings["drafting"]["background"] == "<34 characters>"
    assert settings["web"] == {"searxng": "http://<host>", "sites": "<1 hosts>"}
    assert settings["sync"]["skip_labels"] == "<14 characters>"
    assert settings["sending"]["undo_s"] == 10
    assert json.loads(found["counts.json"]) == {"messages": 12, "outbox": 3}
    assert json.loads(found["findings.json"])[0]["remedy"] == "Mend <data>/routing.yaml."
    if os.name != "nt":
        assert (tmp_path / "bundle.zip").stat().st_mode & 0o077 == 0


def test_broken_settings_give_their_line_only(folder: DataFolder, tmp_path: Path) -> None:
    folder.settings.write_text(f'[sending]\nundo_s = "{CANARIES["text"]}"\n')
    write_bundle(folder, tmp_path / "bundle.zip", "0.1.0", [], {})
    assert json.loads(contents(tmp_path / "bundle.zip")["settings.json"]) == {"broken": True, "line": 2}


def test_source_lines_of_tracebacks_are_left_out(folder: DataFolder) -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "/home/q/app/x.py", line 3, in run',
        f'    raise E("{CANARIES["text"]}")',
        "builtins.KeyError: 'zanzibar'",
        "zanzibar goes on",
    ]
    assert list(redacted_lines("\n".join(lines), folder)) == ["  x.py:3 run", "builtins.KeyError"]


def test_the_command_writes_it(folder: DataFolder, tmp_path: Path, root: Path) -> None:
    """`replyroom doctor --bundle FILE`, as a user runs it, over a folder with a real store."""
    from app.store.accounts import Accounts
    from app.store.db.database import Database

    db = Database.open(folder.database)
    Accounts(db).add(CANARIES["address"], "Quetzal", (), CANARIES["text"], "")
    db.close()
    target = tmp_path / "out.zip"
    command = [sys.executable, "-m", "app", "--data", str(folder.root), "doctor", "--bundle", str(target)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = contents(target)
    assert json.loads(found["counts.json"])["accounts"] == 1
    whole = "\n".join(found.values())
    assert {name: value for name, value in CANARIES.items() if value in whole} == {}
    assert {one["name"] for one in json.loads(found["findings.json"])} >= {"Python", "Settings", "Mail store"}
