"""Who answers meeting requests is a setting that reaches the agents; nonsense is refused."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.agent.runtime.dependencies import Deps, Tier
from app.config.settings import Settings, load
from app.config.settings_file import change
from app.domain.agents.runs import Route
from app.domain.errors import BadFile
from app.engine.accounts.connections import GoogleServices
from app.engine.runs.agent_dependencies import AgentBackends
from fakes.engine.engine_parts import Parts


def deps(settings: Settings, parts: Parts) -> Deps:
    """What the agents are told."""
    mind: Any = SimpleNamespace(vectors=None, embedder=None, triage=None, providers=None)
    memory: Any = SimpleNamespace(writing_rules=None, meeting_rules=None, note=None)
    nobody: Any = None
    profiles: Any = SimpleNamespace(dress=lambda deps, *_: deps)
    return AgentBackends(parts.tables, nobody, nobody, memory, GoogleServices(), profiles).deps(mind, settings, {})


@pytest.mark.anyio
async def test_the_setting_reaches_the_agents(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert deps(load(path), parts).meeting_route is Route.RESPONSE_AGENT
    changed = change(path, [("drafting.meeting_route", '"pipeline"')])
    assert deps(changed, parts).meeting_route is Route.PIPELINE
    with pytest.raises(BadFile):
        change(path, [("drafting.meeting_route", '"agent"')])
    assert load(path) == changed


@pytest.mark.anyio
async def test_some_work_may_have_another_model_or_none(parts: Parts, tmp_path: Path) -> None:
    chosen = [("model.name", '"openai/a"'), ("model.triage", '"none"'), ("model.agent", '"ollama/b"')]
    found = deps(change(tmp_path / "settings.toml", chosen), parts)
    models = [found.model_for(one) for one in (Tier.TRIAGE, Tier.DRAFT, Tier.AGENT)]
    assert [one.model if one else "" for one in models] == ["", "openai/a", "ollama/b"]
