"""Tests a model the user is about to choose: whether it does what the program asks of models.

Two calls with a made-up mail: a verdict as an object, and a call of a tool.
"""

import time

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import JsonSchema, UnusableAnswer
from app.domain.ids import RunId
from app.domain.ports.agents import CallLedger, Clock
from app.domain.protocol.commands import ModelTest

PROBE_TIMEOUT_S = 60.0
"""A model on this computer is loaded with the first call."""
PROBE_RUN = RunId("model-test")
MAIL = "From: Dana\nSubject: Saturday\n\nHello, are you open this Saturday, and can I bring two bikes? Dana"
VERDICT: JsonSchema = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": ["respond", "notify", "ignore"]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["decision", "confidence"],
    "additionalProperties": False,
}
TOOL: JsonSchema = {
    "type": "function",
    "function": {
        "name": "find_opening_hours",
        "description": "Finds the opening hours of a day.",
        "parameters": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
    },
}


async def test_model(model: str, api_base: str, key: str, ledger: CallLedger, clock: Clock) -> ModelTest:
    """What the model can do. Raises `ModelUnavailable` or `CapReached` where it does not answer."""
    target = ModelTarget(model, api_base, key, timeout_s=PROBE_TIMEOUT_S)
    gateway = LiteLlmGateway(target, ledger, clock, backoff_s=())
    started = time.perf_counter()
    sorts = await _sorts(gateway)
    latency_ms = (time.perf_counter() - started) * 1000
    return ModelTest(latency_ms, sorts, await _calls_tools(gateway))


async def _sorts(gateway: LiteLlmGateway) -> bool:
    asked = [
        {"role": "system", "content": "Sort the mail: respond if it needs a reply, notify if it only informs, else ignore."},
        {"role": "user", "content": MAIL},
    ]
    try:
        await gateway.structured(PROBE_RUN, "probe", asked, VERDICT)
    except UnusableAnswer:
        return False
    return True


async def _calls_tools(gateway: LiteLlmGateway) -> bool:
    asked = [{"role": "user", "content": f"Answer this mail. Look up the opening hours first.\n\n{MAIL}"}]
    try:
        turn = await gateway.tools(PROBE_RUN, "probe", asked, [TOOL], required=True)
    except UnusableAnswer:
        return False
    return any(call.name == "find_opening_hours" and call.arguments.get("day") for call in turn.calls)
