"""A profile tried on a mail: what reads is carried out, every effect is held back and listed, and no row is written."""

import json
from typing import Any

import pytest

from app.agent.agents.profiles.trial import try_profile
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.agents.tools import AgentProfile
from app.domain.errors import NotAllowed
from app.domain.protocol.agent_commands import ProfileTried
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN, PROFILE, inquiry, limited, toolbox

REPLY = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Dobrý den."}
ROWS = ("runs", "reviews", "agent_runs", "tool_calls", "run_steps", "email_events", "outbox")


async def tried(
    room: Room, model: ModelServer, *turns: Answer, profile: AgentProfile = PROFILE, name: str = "", **changes: Any
) -> ProfileTried:
    """Try it on a fresh inquiry with a scripted model."""
    (message,) = room.put(inquiry("Máte Paralen?"))

    def gateway(asked: AgentProfile) -> LiteLlmGateway:
        target = ModelTarget(asked.model, model.api_base, "key", 20)
        return LiteLlmGateway(target, room.runs, room.clock, (0.0, 0.0))

    values: dict[str, Any] = {
        "gateway": gateway(profile),
        "profile": {profile.name: profile}.get,
        "profile_gateway": gateway,
        "toolbox": toolbox(room),
        **changes,
    }
    model.enqueue(*turns)
    return await try_profile(name or profile.name, message.id, room.deps(FixedTriage(verdict()), **values))


def rows(room: Room) -> dict[str, int]:
    """How many rows stand where a run would write."""
    return {name: room.db.read(f"SELECT count(*) FROM {name}")[0][0] for name in ROWS}


async def test_reads_run_and_effects_are_held_back(room: Room, model: ModelServer) -> None:
    before = rows(room)
    turn = calls(
        ("search_drugs", {"query": "paralen"}),
        ("create_draft", REPLY),
        ("send_reply", REPLY),
        ("no_such_tool", {}),
        ("search_drugs", {"nonsense": 1}),
    )
    found = await tried(room, model, turn, Answer("Hotovo."))
    assert (found.status, found.final_message, found.error) == ("completed", "Hotovo.", "")
    assert found.given.startswith("New support inquiry from Jana Nováková (jana@patients.example):")
    assert [(one.tool, one.ran, one.verdict) for one in found.calls] == [
        ("search_drugs", True, "allow"),
        ("create_draft", False, "allow"),
        ("send_reply", False, "ask"),
        ("no_such_tool", False, "deny"),
        ("search_drugs", False, "deny"),
    ]
    assert json.loads(found.calls[0].result)["drugs"][0]["code"] == PARALEN.code
    told = [one for one in model.history[-1]["messages"] if one["role"] == "tool"]
    assert "trial" in told[1]["content"]
    assert rows(room) == before


async def test_turns_are_limited(room: Room, model: ModelServer) -> None:
    search = calls(("search_drugs", {"query": "paralen"}))
    found = await tried(room, model, search, search, profile=limited(max_iterations=2))
    assert (found.status, len(found.calls)) == ("max_iterations", 2)


async def test_trouble_of_the_model_is_told_with_what_was_done_before(room: Room, model: ModelServer) -> None:
    found = await tried(room, model, calls(("search_drugs", {"query": "paralen"})), *[Answer(status=400)] * 4)
    assert (found.status, len(found.calls)) == ("error", 1)
    assert found.error


async def test_without_profile_or_key_it_says_so(room: Room, model: ModelServer) -> None:
    with pytest.raises(NotAllowed, match="no agent profile"):
        await tried(room, model, name="other")
    with pytest.raises(NotAllowed, match="no key"):
        await tried(room, model, profile_gateway=lambda _profile: None)
