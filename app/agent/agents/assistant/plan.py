"""Plans a typed request with one structured model call. Without a model the plan is a single search.

The call holds only what the owner typed and which agents are available, so no mail can influence the plan.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.agent.agents.assistant.search import asks_for_more, search_words
from app.agent.agents.assistant.state import LocalizedText, check_pause, say
from app.agent.llm.prompts import chat
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps, owner_prompt
from app.domain.agents.requests import LONGEST_INSTRUCTION, MOST_STEPS, RULES, Capability, PlannedStep, Request, check_plan
from app.domain.errors import NotAllowed
from app.domain.mail.message import GMAIL, Account
from app.domain.record import Record


def offered(deps: Deps, account: Account) -> Mapping[Capability, str]:
    """The available capabilities with a description for the planner."""
    box = deps.toolbox
    able: dict[Capability, str] = {}
    if box is not None:
        places = {
            "the owner's mail and what it knows of people": True,
            "when the owner is busy and free": deps.calendar is not None,
            "the web": box.web is not None,
            "pages of sites that the owner allowed or names": box.reader is not None,
            "files of the owner and of this plan": box.artifacts is not None,
        }
        able[Capability.RESEARCH] = f"looks things up and answers in words: {', '.join(one for one in places if places[one])}."
    if box is not None and box.artifacts is not None:
        able[Capability.CREATE_DOCUMENT] = "writes one file (Markdown, text, CSV, Word or PDF) from what earlier steps found."
    if account.kind == GMAIL:
        able[Capability.GMAIL] = (
            "writes one mail, new or in answer to one, with files of this plan attached, and puts it before the owner, who "
            "sends it; or finds one mail and gives back what it says."
        )
    able[Capability.DIRECT_ANSWER] = "answers from general knowledge, or sums up what earlier steps found; looks nothing up."
    return able


CALL_TYPE = "plan"


class Plan(Record):
    """Steps and who made them: a litellm model id, or `rules`."""

    steps: tuple[PlannedStep, ...]
    maker: str


async def make_plan(request: Request, deps: Deps, before: Sequence[Request] = ()) -> Plan:
    """Plans the steps of a request. `before` are those it follows up on; only what the owner typed of them is told.

    Raises as `Supervisor.plan`.
    """
    check_pause(deps)
    account = deps.corpus.account(request.account_id)
    if deps.gateway is None:
        return Plan((searching_step(request.text),), RULES)
    able = offered(deps, account)
    given = "".join(f"\n- {one.name}" for one in request.files)
    asked = f"{request.text}\n\nFiles that the owner gives with it:{given}" if given else request.text
    if request.scope.words:
        asked += f"\n\nThe owner limits the mail that is read: {request.scope.words}. The agents know this."
    if before:
        asked = "\n\n".join((*(f"Earlier request:\n{one.text}" for one in before), f"Request, which follows up on it:\n{asked}"))
    system = owner_prompt(
        deps,
        account,
        "plan",
        agents="\n".join(f"- {name.value}: {words}" for name, words in able.items()),
        background=deps.background,
        most=str(MOST_STEPS),
    )
    try:
        answer = await deps.gateway.structured(request.run_id, CALL_TYPE, chat(system, asked), plan_schema(able))
    except UnusableAnswer as error:
        if asks_for_more(request.text):  # to write or send, which no search does
            raise
        try:
            return Plan((searching_step(request.text),), RULES)
        except NotAllowed:
            raise error from None
    return Plan(planned(answer), deps.gateway.model)


SYNONYMS = {
    **dict.fromkeys(("search", "find", "look up", "researcher", "mail search", "calendar"), Capability.RESEARCH.value),
    **dict.fromkeys(("email", "mail", "send", "reply", "send email", "write mail", "gmail send"), Capability.GMAIL.value),
    **dict.fromkeys(("document", "file", "documentcreator"), Capability.CREATE_DOCUMENT.value),
    **dict.fromkeys(("answer", "summarize", "respond"), Capability.DIRECT_ANSWER.value),
}
"""Other words of models for what an agent does."""


def plan_schema(able: Mapping[Capability, str]) -> dict[str, Any]:
    """JSON schema of the model's answer."""
    step = {
        "type": "object",
        "properties": {
            "capability": {"type": "string", "enum": [one.value for one in able], "synonyms": SYNONYMS},
            "instruction": {"type": "string", "minLength": 1, "maxLength": LONGEST_INSTRUCTION, "pattern": r"\S"},
        },
        "required": ["capability", "instruction"],
        "additionalProperties": False,
    }
    steps = {"type": "array", "items": step, "minItems": 1, "maxItems": MOST_STEPS}
    return {"type": "object", "properties": {"steps": steps}, "required": ["steps"], "additionalProperties": False}


def planned(answer: Mapping[str, Any]) -> tuple[PlannedStep, ...]:
    """The steps of an answer that fits the schema. Raises `NotAllowed`."""
    steps = tuple(PlannedStep(Capability(one["capability"]), one["instruction"].strip()) for one in answer["steps"])
    check_plan(steps)
    return steps


def searching_step(text: str) -> PlannedStep:
    """The plan without a model: a search. Raises `NotAllowed` when the request names nothing to search for."""
    return PlannedStep(Capability.RESEARCH, say(LocalizedText.SEARCH_FOR, text, search_words(text)))
