"""Settings and rules in force: changes are heard, a broken file is told and the last good state stays."""

import asyncio
import os
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.config.settings import Settings
from app.domain.errors import BadFile
from app.domain.events import Event, Trouble
from app.domain.runs import Route
from app.engine.announcer import Announcer
from app.engine.live_files import live_files, model_label

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]

RULES = """routing:
  rules:
    - name: boss
      match: {sender_domain: boss.example}
      route: response_agent
"""


@pytest.fixture
def told() -> list[Event]:
    return []


async def test_a_change_is_heard_with_old_and_new(tmp_path: Path, told: list[Event]) -> None:
    settings, _ = live_files(DataFolder(tmp_path), Announcer(told.append))
    heard: list[tuple[Settings, Settings]] = []
    settings.listen(lambda old, new: heard.append((old, new)))
    settings.change([("model.name", '"ollama/llama3"')])
    assert [(model_label(old), model_label(new)) for old, new in heard] == [("", "ollama/llama3")]
    with pytest.raises(BadFile):
        settings.change([("sync.poll_s", "0")])
    assert len(heard) == 1
    assert settings.now.sync.poll_s == Settings().sync.poll_s


async def test_broken_settings_give_defaults_and_a_line(tmp_path: Path, told: list[Event]) -> None:
    (tmp_path / "settings.toml").write_text("[sending]\nundo_s = 9999\n")
    settings, _ = live_files(DataFolder(tmp_path), Announcer(told.append))
    assert settings.now == Settings()
    (trouble,) = told
    assert isinstance(trouble, Trouble)
    assert "settings.toml:2" in trouble.detail


async def test_rules_follow_their_file_and_survive_a_broken_one(tmp_path: Path, told: list[Event]) -> None:
    path = tmp_path / "routing.yaml"
    _, rules = live_files(DataFolder(tmp_path), Announcer(told.append))
    assert rules() == ()
    path.write_text(RULES)
    assert [(rule.name, rule.route) for rule in rules()] == [("boss", Route.RESPONSE_AGENT)]
    path.write_text("rules: [")
    os.utime(path, ns=(1, 1))
    assert [rule.name for rule in rules()] == ["boss"]
    assert [rule.name for rule in rules()] == ["boss"]
    await asyncio.sleep(0)
    assert len(told) == 1, "a broken file is told once, not at every mail"
    path.unlink()
    assert rules() == ()
