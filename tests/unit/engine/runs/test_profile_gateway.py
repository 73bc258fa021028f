"""Which model a profile gets, with which key and address, and that its settings go along."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import ModelSettings, Settings
from app.domain.agents.tools import AgentProfile
from app.engine.runs.agent_dependencies import profile_gateway
from app.engine.runtime.tables import open_tables
from fakes.engine.agent_mailbox import Room

PROFILE = AgentProfile("p", Path("p.txt"), "Do.", (), "gemini/gemini-2.5-pro", max_tokens=9, temperature=0.9)


@pytest.mark.parametrize(
    ("model", "name", "base", "keys", "target"),
    [
        ("gemini/gemini-2.5-pro", "openai/gpt", "", {"gemini": "k"}, ("", "k")),
        ("gemini/gemini-2.5-pro", "openai/gpt", "http://127.0.0.1:1", {"gemini": "k", "openai": "o"}, ("", "k")),
        ("openai/local", "openai/gpt", "http://127.0.0.1:1", {}, ("http://127.0.0.1:1", "")),
        ("ollama/qwen", "openai/gpt", "", {}, ("", "")),
        ("gemini/gemini-2.5-pro", "openai/gpt", "http://127.0.0.1:1", {"openai": "o"}, None),
        ("gemini/gemini-2.5-pro", "", "", {}, None),
    ],
)
def test_a_profile_has_its_own_model_with_its_own_key(
    tmp_path: Path, model: str, name: str, base: str, keys: dict[str, str], target: tuple[str, str] | None
) -> None:
    caps = {"daily_calls": 7, "daily_usd": 2.5, "monthly_calls": 70, "monthly_usd": 25.0}
    settings = Settings(model=ModelSettings(name=name, api_base=base, timeout_s=33, **caps))  # type: ignore[arg-type]
    with Room(tmp_path) as room:
        tables = open_tables(tmp_path / "mail.db", room.clock)
        made: Any = profile_gateway(replace(PROFILE, model=model), tables, settings, keys)
        tables.db.close()
    if target is None:
        assert made is None
        return
    asked = made._target
    assert (asked.api_base, asked.api_key) == target
    assert (asked.model, asked.max_tokens, asked.temperature, asked.timeout_s) == (model, 9, 0.9, 33.0)
    assert {name: getattr(asked, name) for name in caps} == caps
