"""Who answers meeting requests is a setting that reaches the agents; nonsense is refused."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.config.settings import Settings, load
from app.config.settings_file import change
from app.domain.agents.runs import Route
from app.domain.errors import BadFile
from app.engine.accounts.connections import GoogleServices
from app.engine.runs.agent_dependencies import AgentBackends
from fakes.engine.engine_parts import Parts


def route(settings: Settings, parts: Parts) -> Route:
    """What the agents are told."""
    mind: Any = SimpleNamespace(vectors=None, embedder=None, triage=None, providers=None)
    memory: Any = SimpleNamespace(writing_rules=None, meeting_rules=None, note=None)
    nobody: Any = None
    profiles: Any = SimpleNamespace(dress=lambda deps, *_: deps)
    return AgentBackends(parts.tables, nobody, nobody, memory, GoogleServices(), profiles).deps(mind, settings, {}).meeting_route


@pytest.mark.anyio
async def test_the_setting_reaches_the_agents(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert route(load(path), parts) is Route.PIPELINE
    changed = change(path, [("drafting.meeting_route", '"response_agent"')])
    assert route(changed, parts) is Route.RESPONSE_AGENT
    with pytest.raises(BadFile):
        change(path, [("drafting.meeting_route", '"agent"')])
    assert load(path) == changed
