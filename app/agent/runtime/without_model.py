"""What a run notes when its model gives no usable answer and code takes its place.

`without_model` in the state is the reason; the review shows it. The mail is asked about again when the model is back, unless the
reason is the mail itself or the form of the model's answers. The repetition changes nothing before it has the model's answer, and
nothing that the owner decided meanwhile.
"""

from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, Update
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import ReviewStatus
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import RunId


def without_model(state: MailState, error: ModelUnavailable | CapReached) -> Update:
    """The fields that say why there is no answer. A repetition ends with them: what it repeats stays as it is."""
    again = not isinstance(error, UnusableAnswer)
    ended: Update = {"outcome": RunStatus.SUPERSEDED.value} if state.get("repeats") else {}
    return {"without_model": error.text.stored(), "ask_again": again, **ended}


def may_ask(state: MailState) -> bool:
    """Whether the model may be asked: not after it could not deal with this mail."""
    return not state.get("without_model") or bool(state.get("ask_again"))


def came_too_late(state: MailState, deps: Deps) -> bool:
    """Whether the owner has decided on what this run repeats."""
    if not state.get("repeats"):
        return False
    review_id = deps.desk.newest_of_run(RunId(state["repeats"]))
    return bool(review_id) and deps.desk.standing(review_id) != (ReviewStatus.PENDING, 1)
