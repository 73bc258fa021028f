"""A response agent's run that goes on from a decided row, its checkpoints gone: the call in question and the word on it."""

import json

from app.agent.responder.conversation import Status, last_calls, with_result, with_turn
from app.agent.responder.tools import QUESTION
from app.agent.state import MailState
from app.agent.talk import dump
from app.agent.turns import ToolCall
from app.domain.review import Review
from app.domain.runs import Route


def is_call(review: Review) -> bool:
    """Whether the row is about a call of the response agent."""
    return bool(review.proposal.request_json and review.proposal.plan_hash)


def after_word(state: MailState, review: Review, words: str) -> MailState:
    """`state` of a fresh run with the conversation as far as the row knows it. New calls get ids of their own."""
    request = json.loads(review.proposal.request_json)
    stretch = f"r{review.id}_{review.revision}_"
    talk = with_turn([], "", [ToolCall("", str(request["action"]), dict(request["args"]))], stretch)
    (call,) = last_calls(talk)
    result = (
        {"status": Status.ANSWER, "answer": words} if call.name == QUESTION else {"status": Status.FEEDBACK, "feedback": words}
    )
    changed = MailState(**{**state, "route": Route.RESPONSE_AGENT.value, "feedback": ""})
    changed["stretch"] = stretch
    changed["messages"] = dump(with_result(talk, call, result))
    return changed
