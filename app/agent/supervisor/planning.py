"""A plan for a typed request: one structured call over what the owner typed and what there is; without a model, a search.

Nothing that strangers wrote is in the call, so no mail can plan. Refuses a plan that names what is not there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.agent.deps import Deps
from app.agent.prompts import PromptBook, chat
from app.agent.supervisor.capabilities import offered
from app.agent.supervisor.searching import search_words
from app.agent.supervisor.state import check_pause
from app.agent.supervisor.wording import Words, say
from app.domain.assistant import LONGEST_INSTRUCTION, MOST_STEPS, Capability, PlannedStep, Request, check_plan
from app.domain.mail import Account

CALL_TYPE = "plan"
RULES = "rules"
"""Who made a plan without a model."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps, and who made them: a litellm model id, or `rules`."""

    steps: tuple[PlannedStep, ...]
    maker: str


async def make_plan(request: Request, deps: Deps) -> Plan:
    """The steps for a request. Raises as `Supervisor.plan`."""
    check_pause(deps)
    account = deps.corpus.account(request.account_id)
    if deps.gateway is None:
        return Plan((searching_step(request.text),), RULES)
    able = offered(deps, account)
    messages = chat(_instructions(able, account, deps), request.text)
    answer = await deps.gateway.structured(request.run_id, CALL_TYPE, messages, plan_schema(able))
    return Plan(planned(answer), deps.gateway.model)


def plan_schema(able: Mapping[Capability, str]) -> dict[str, Any]:
    """What the model answers with."""
    step = {
        "type": "object",
        "properties": {
            "capability": {"type": "string", "enum": [one.value for one in able]},
            "instruction": {"type": "string", "minLength": 1, "maxLength": LONGEST_INSTRUCTION, "pattern": r"\S"},
        },
        "required": ["capability", "instruction"],
        "additionalProperties": False,
    }
    steps = {"type": "array", "items": step, "minItems": 1, "maxItems": MOST_STEPS}
    return {"type": "object", "properties": {"steps": steps}, "required": ["steps"], "additionalProperties": False}


def planned(answer: Mapping[str, Any]) -> tuple[PlannedStep, ...]:
    """The steps of an answer that fits the schema. Raises `Refused`."""
    steps = tuple(PlannedStep(Capability(one["capability"]), one["instruction"].strip()) for one in answer["steps"])
    check_plan(steps)
    return steps


def searching_step(text: str) -> PlannedStep:
    """What can be done without a model: a search with the request's own words. Raises `Refused` where it has none to look for."""
    return PlannedStep(Capability.RESEARCH, say(Words.SEARCH_FOR, text, search_words(text)))


def _instructions(able: Mapping[Capability, str], account: Account, deps: Deps) -> str:
    return PromptBook.read(deps.prompts, "plan").fill(
        "plan",
        owner=account.name or account.email,
        address=account.email,
        now=f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}",
        agents="\n".join(f"- {name.value}: {words}" for name, words in able.items()),
        background=deps.background,
        most=str(MOST_STEPS),
    )
