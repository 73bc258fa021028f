"""Node `profile_agent`: one turn of the profile's model. A turn without a call ends the run."""

import asyncio

from app.agent.agents.calls import NOTHING_LEFT
from app.agent.agents.profiles.casework import ProfileCase, open_case
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, ModelGateway, ModelMisconfigured, UnusableAnswer
from app.agent.runtime.conversation import dump, load, tokens_spent, turns, with_turn
from app.agent.runtime.dependencies import Deps, owner_prompt
from app.agent.runtime.state import MailState, Update, run_id_of
from app.domain.agents.runs import AgentStatus
from app.domain.errors import AgentsPaused, NotAllowed
from app.domain.ids import MessageId

CALL_TYPE = "agent"


async def speak(state: MailState, deps: Deps) -> Update:
    """Adds the model's next turn to the conversation, or says how the run ends."""
    work = open_case(state, deps)
    talk = load(state)
    if turns(talk) >= work.case.profile.max_iterations:
        return {**NOTHING_LEFT, "finish": AgentStatus.MAX_ITERATIONS.value}
    if tokens_spent(talk) > work.case.toolbox.budget.tokens:
        return {**NOTHING_LEFT, "finish": AgentStatus.ERROR.value, "failure": "The run has used up its tokens."}
    if work.case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    gateway = _gateway(work, deps)
    if not talk:
        await asyncio.to_thread(work.case.toolbox.book.begin, run_id_of(state), state["profile"])
    registry = work.registry()
    messages = [*request(work), *talk]
    try:
        deps.check_leaving(work.case.message.thread_id)
        turn = await gateway.tools(run_id_of(state), CALL_TYPE, messages, registry.specs(), required=False)
    except (UnusableAnswer, ModelMisconfigured) as error:
        return {**NOTHING_LEFT, "finish": AgentStatus.ERROR.value, "failure": str(error)}
    spoken = with_turn(talk, turn.text, turn.calls, state.get("stretch", ""))
    ended = "" if turn.calls else AgentStatus.COMPLETED.value
    return {**NOTHING_LEFT, "messages": dump(spoken), "finish": ended}


def request(work: ProfileCase) -> list[ChatMessage]:
    """The messages before the conversation: the profile's instructions and the preprocessed mail."""
    case = work.case
    system = owner_prompt(case.deps, case.account, "profile", instructions=case.profile.system_prompt)
    return chat(system, fence(case.given.prompt, f"mail {MessageId(case.message.id)}", case.message))


def _gateway(work: ProfileCase, deps: Deps) -> ModelGateway:
    """The profile's own model. Raises `NotAllowed` when its key is missing."""
    gateway = deps.profile_gateway(work.case.profile)
    if gateway is None:
        raise NotAllowed(
            f"The agent profile {work.case.profile.name} needs a language model: there is no key for {work.case.profile.model}.",
            "Enter the provider's key in Settings, or name another model in the profile.",
        )
    return gateway
