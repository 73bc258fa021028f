"""Tests a model the user is about to choose: whether it does what the program asks of models.

Verdicts on made-up mail whose decision is known, and a call of a tool. By these a new model's verdicts count on its first mail.
"""

import asyncio
import time

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.providers import Providers
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import JsonSchema, UnusableAnswer
from app.domain.ids import RunId
from app.domain.mail.triage import Decision
from app.domain.ports.agents import CallLedger, Clock
from app.domain.protocol.commands import ModelTest

PROBE_TIMEOUT_S = 60.0
"""A model on this computer is loaded with the first call."""
PROBE_RUN = RunId("model-test")
PROBE_BUDGET_S = 20.0
"""After this no further mail is sorted: the owner waits."""
MAIL = "From: Dana\nSubject: Saturday\n\nHello, are you open this Saturday, and can I bring two bikes? Dana"
KNOWN_MAIL = (
    (Decision.RESPOND, MAIL),
    (
        Decision.IGNORE,
        "From: Bike World\nSubject: Only today: 40 % off all helmets\n\nShop now and save. You get this because you subscribed. "
        "Unsubscribe",
    ),
    (Decision.NOTIFY, "From: Sam\nSubject: Re: Keys\n\nThanks, I have picked up the keys. No need to answer. Sam"),
    (
        Decision.NOTIFY,
        "From: Rail Service\nSubject: Change of your journey\n\nYour train on Friday leaves at 14:10 instead of 12:40. Your "
        "ticket stays valid. This mail was sent automatically.",
    ),
    (
        Decision.RESPOND,
        "From: Pat\nSubject: Invoice 118\n\nThe invoice still has our old address. Please send me a corrected one by Friday. Pat",
    ),
    (
        Decision.IGNORE,
        "From: Cycling Forum\nSubject: Your weekly digest\n\nThe ten most read posts of this week: 1. Which tyre for winter? ...",
    ),
)
SORT = (
    "Sort the mail for its reader: respond if somebody waits for their answer, notify if they should know of it and nobody "
    "waits, ignore if it is advertising, a newsletter, or automatic mail without consequence."
)
VERDICT: JsonSchema = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": [one.value for one in Decision]},
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


async def test_model(model: str, api_base: str, key: str, ledger: CallLedger, clock: Clock, providers: Providers) -> ModelTest:
    """What the model can do. Raises `ModelUnavailable` or `CapReached` where it does not answer."""
    target = ModelTarget(model, api_base, key, timeout_s=PROBE_TIMEOUT_S)
    gateway = await asyncio.to_thread(LiteLlmGateway, target, ledger, clock, (), providers)
    new, started, right, asked, latency_ms = not gateway.trust.measured, time.perf_counter(), 0, 0, 0.0
    for decision, mail in KNOWN_MAIL:
        said = await _sorted(gateway, mail)
        spent_s = time.perf_counter() - started
        latency_ms = latency_ms or spent_s * 1000
        asked += said is not None
        right += said is decision
        if said is not None and new:
            await asyncio.to_thread(gateway.trust.learn, decision, said)
        if not asked or spent_s > PROBE_BUDGET_S:
            break
    return ModelTest(latency_ms, bool(asked), await _calls_tools(gateway), right, asked)


async def _sorted(gateway: LiteLlmGateway, mail: str) -> Decision | None:
    """The model's decision, None without a usable answer."""
    asked = [{"role": "system", "content": SORT}, {"role": "user", "content": mail}]
    try:
        return Decision((await gateway.structured(PROBE_RUN, "probe", asked, VERDICT))["decision"])
    except UnusableAnswer:
        return None


async def _calls_tools(gateway: LiteLlmGateway) -> bool:
    asked = [{"role": "user", "content": f"Answer this mail. Look up the opening hours first.\n\n{MAIL}"}]
    try:
        turn = await gateway.tools(PROBE_RUN, "probe", asked, [TOOL], required=True)
    except UnusableAnswer:
        return False
    return any(call.name == "find_opening_hours" and call.arguments.get("day") for call in turn.calls)
