"""What the owner's commands about requests do: rows first, then whoever works is woken or stopped. A command that comes twice
counts once."""

from collections.abc import Callable

from app.domain.assistant_commands import (
    Ask,
    AssistantCommand,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.engine.assisting.telling import Telling
from app.engine.assisting.worker import Assistant
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables


class AssistantHand:
    """Raises `Refused` and `NotFound`."""

    def __init__(self, tables: Tables, threads: StoreThreads, telling: Telling, assistant: Assistant) -> None:
        self._tables = tables
        self._threads = threads
        self._telling = telling
        self._assistant = assistant

    async def do(self, command: AssistantCommand) -> None:
        """Do it, and tell."""
        await self._threads.run(self._writing(command))
        if isinstance(command, StopRequest):
            await self._assistant.stop(command.request_id)
        else:
            self._assistant.again(command.request_id)
        self._telling.changed(command.request_id, forgotten=isinstance(command, ForgetRequest))

    def _writing(self, command: AssistantCommand) -> Callable[[], object]:
        """What is written."""
        requests = self._tables.requests
        match command:
            case Ask():
                return lambda: self._ask(command)
            case RunPlan(request_id, steps):
                return lambda: requests.run(request_id, steps)
            case PlanAgain(request_id):
                return lambda: requests.plan_again(request_id)
            case StopRequest(request_id):
                return lambda: requests.stop(request_id)
            case RetryStep(request_id, index):
                return lambda: requests.retry(request_id, index)
            case ForgetRequest(request_id):
                return lambda: requests.forget(request_id)
            case RecallRequest(request_id):
                return lambda: requests.forget(request_id, forgotten=False)

    def _ask(self, command: Ask) -> None:
        self._tables.accounts.get(command.account_id)
        self._tables.requests.add(command)
