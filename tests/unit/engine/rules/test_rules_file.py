"""Rules and profiles in force: changes are heard without a restart, a broken file is told once and the last good state stays."""

import asyncio
import os
from pathlib import Path

import pytest

from app.domain.agents.runs import Route
from app.domain.protocol.events import ErrorReported, Event, RulesChanged
from app.engine.rules.rules_file import RulesFile, fingerprint
from app.engine.runtime.event_bus import EventBus

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]

RULES = """routing:
  rules:
    - name: boss
      match: {sender_domain: boss.example}
      route: response_agent
"""
PROFILE = """agent:
  profiles:
    shop:
      system_prompt_file: shop.txt
      tools: [escalate]
"""


@pytest.fixture
def told() -> list[Event]:
    return []


def rules_file(folder: Path, told: list[Event]) -> RulesFile:
    return RulesFile(folder / "routing.yaml", EventBus(told.append), lambda: ("escalate",))


def write(path: Path, text: str, at: int) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(at, at))


async def test_rules_follow_their_file_and_survive_a_broken_one(tmp_path: Path, told: list[Event]) -> None:
    rules = rules_file(tmp_path, told)
    assert rules().rules == ()
    write(rules.path, RULES, 1)
    assert [(rule.name, rule.route) for rule in rules().rules] == [("boss", Route.RESPONSE_AGENT)]
    write(rules.path, "routing: [", 2)
    assert [rule.name for rule in rules().rules] == ["boss"]
    fault = rules.look().error
    assert fault is not None
    assert fault.line == 1
    assert rules.look(again=True).error is not None
    write(rules.path, RULES.replace("boss", "chief"), 3)
    assert rules.look().error is None
    assert [rule.name for rule in rules().rules] == ["chief"]
    rules.path.unlink()
    assert rules().rules == ()
    await asyncio.sleep(0)
    assert len([one for one in told if isinstance(one, ErrorReported)]) == 1, "a broken file is told once, not at every mail"
    assert len([one for one in told if isinstance(one, RulesChanged)]) == 4


async def test_profiles_follow_the_file_and_their_prompts(tmp_path: Path, told: list[Event]) -> None:
    rules = rules_file(tmp_path, told)
    heard: list[int] = []
    rules.listen(lambda: heard.append(len(rules.look().profiles)))
    write(tmp_path / "shop.txt", "Be kind.", 1)
    write(rules.path, PROFILE, 1)
    assert [one.system_prompt for one in rules.look().profiles] == ["Be kind."]
    write(tmp_path / "shop.txt", "Be brief.", 2)
    assert [one.system_prompt for one in rules.look().profiles] == ["Be brief."]
    write(rules.path, RULES + PROFILE, 3)
    assert [rule.name for rule in rules().rules] == ["boss"]
    await asyncio.sleep(0)
    assert heard == [1, 1], "other rules alone are no reason to build agents again"


async def test_an_unknown_tool_is_a_fault(tmp_path: Path, told: list[Event]) -> None:
    rules = rules_file(tmp_path, told)
    write(tmp_path / "shop.txt", "Be kind.", 1)
    write(rules.path, PROFILE.replace("escalate", "escalade"), 1)
    fault = rules.look().error
    assert fault is not None
    assert "escalade" in fault.detail
    assert fault.line == 5


async def test_a_fingerprint_names_the_contents(tmp_path: Path) -> None:
    path = tmp_path / "routing.yaml"
    assert fingerprint(path) == ""
    path.write_text("a", encoding="utf-8")
    first = fingerprint(path)
    path.write_text("b", encoding="utf-8")
    assert len({first, fingerprint(path), ""}) == 3
