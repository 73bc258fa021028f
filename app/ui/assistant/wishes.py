"""What the owner wants of a request and the engine has not dealt with yet, and what it refused.

Refuses to guess whose refusal it is: commands of a kind are dealt with in their order.
"""

from app.domain.assistant_commands import ForgetRequest, PlanAgain, RecallRequest, RetryStep, RunPlan, StopRequest
from app.domain.events import CommandFailed
from app.domain.ids import RequestId
from app.domain.ports.window import EngineLink
from app.ui.trouble import sentence

Wish = RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


class Wishes:
    """One at a time for each request."""

    def __init__(self, link: EngineLink) -> None:
        self._link = link
        self._under_way: dict[RequestId, Wish] = {}
        self._refused: dict[RequestId, str] = {}

    def send(self, wish: Wish) -> None:
        """Ask the engine for it."""
        self._refused.pop(wish.request_id, None)
        self._under_way[wish.request_id] = wish
        self._link.send(wish)

    def under_way(self, request_id: RequestId) -> bool:
        """Whether something is wanted of it that was not done yet."""
        return request_id in self._under_way

    def refusal(self, request_id: RequestId) -> str:
        """Why the last wish was not done, empty if it was."""
        return self._refused.get(request_id, "")

    def forgotten(self, request_id: RequestId) -> bool:
        """Whether it is on its way out of the list."""
        return isinstance(self._under_way.get(request_id), ForgetRequest)

    def done(self, request_id: RequestId, gone: bool) -> None:
        """The request stands otherwise, or is `gone` from the list."""
        wish = self._under_way.get(request_id)
        if not isinstance(wish, RecallRequest if gone else ForgetRequest):
            self._under_way.pop(request_id, None)
        self._refused.pop(request_id, None)

    def expects(self, event: CommandFailed) -> RequestId | None:
        """Whose wish failed, None where it was nobody's."""
        return next((key for key, one in self._under_way.items() if type(one).__name__ == event.command), None)

    def failed(self, event: CommandFailed) -> RequestId | None:
        """Note why; whose wish it was."""
        key = self.expects(event)
        if key is not None:
            del self._under_way[key]
            self._refused[key] = sentence(event.code, event.detail, event.remedy)
        return key
