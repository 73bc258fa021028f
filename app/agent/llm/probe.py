"""One small call to a model that the user is about to choose: does it answer, and how fast."""

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
    """A journal for a test of a model that is not chosen yet: there is no run to keep it under."""

    def keep(self, trail: RunRecord) -> None:
        """Nothing."""

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """None."""
        return ()

    def model_call(self, call: ModelCall) -> None:
        """Nothing."""

    def tool(self, execution: ToolExecution) -> None:
        """Nothing."""

    def usage_today(self) -> tuple[int, int, float]:
        """None."""
        return 0, 0, 0.0

    def usage_this_month(self) -> tuple[int, int, float]:
        """None."""
        return 0, 0, 0.0


async def test_model(model: str, api_base: str, key: str, journal: RunJournal | None = None, clock: Clock = _now) -> ModelTest:
    """Ask for one word. Never raises `ExpectedError`: the answer says what went wrong."""
    target = ModelTarget(model, api_base, key, timeout_s=PROBE_TIMEOUT_S, max_tokens=16)
    started = time.perf_counter()
    try:
        gateway = LiteLlmGateway(target, journal or UnrecordedJournal(), clock, backoff_s=())
        words = await gateway.text(PROBE_RUN, "test", [{"role": "user", "content": "Answer with the word ready."}])
    except ExpectedError as trouble:
        return ModelTest(False, (time.perf_counter() - started) * 1000, str(trouble))
    return ModelTest(True, (time.perf_counter() - started) * 1000, words.strip()[:WORDS_SHOWN])
