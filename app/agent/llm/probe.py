"""Tests a model the user is about to choose with one small call."""

import time
from datetime import UTC, datetime

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.agents.runs import ModelCall, RunRecord, StepLog, ToolExecution
from app.domain.errors import ExpectedError
from app.domain.ids import RunId
from app.domain.ports.agents import Clock, RunJournal
from app.domain.protocol.commands import ModelTest

WORDS_SHOWN = 200
PROBE_TIMEOUT_S = 30.0
PROBE_RUN = RunId("model-test")


def _now() -> datetime:
    return datetime.now(UTC)


class UnrecordedJournal:
    """A journal that stores nothing: a test call belongs to no run."""

    def keep(self, trail: RunRecord) -> None: ...

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        return ()

    def model_call(self, call: ModelCall) -> None: ...

    def tool(self, execution: ToolExecution) -> None: ...

    def usage_today(self) -> tuple[int, int, float]:
        return 0, 0, 0.0

    def usage_this_month(self) -> tuple[int, int, float]:
        return 0, 0, 0.0


async def test_model(model: str, api_base: str, key: str, journal: RunJournal | None = None, clock: Clock = _now) -> ModelTest:
    """Asks for one word. Reports an `ExpectedError` in the result instead of raising it."""
    target = ModelTarget(model, api_base, key, timeout_s=PROBE_TIMEOUT_S)
    started = time.perf_counter()
    try:
        gateway = LiteLlmGateway(target, journal or UnrecordedJournal(), clock, backoff_s=())
        words = await gateway.text(PROBE_RUN, "test", [{"role": "user", "content": "Answer with the word ready."}])
    except ExpectedError as error:
        return ModelTest(False, (time.perf_counter() - started) * 1000, str(error))
    return ModelTest(True, (time.perf_counter() - started) * 1000, words.strip()[:WORDS_SHOWN])
