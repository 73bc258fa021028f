"""Mail that had no model is asked about again as soon as the model answers, and tries are not wasted before."""

from collections.abc import AsyncIterator

import pytest

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.providers import Providers
from app.agent.llm.target import ModelTarget
from app.domain.agents.routing import RuleSet
from app.domain.agents.runs import Run, RunRecord, RunStatus
from app.domain.errors import ModelUnavailable
from app.domain.ids import MessageId, RunId
from app.engine.runs.router import MailRouter, ModelRetry
from app.engine.runtime.workers import WakeUp
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import remote
from fakes.models.model_server import Answer, ModelServer

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S


class Stage:
    """Three mails whose runs had no model, and a gateway to a server over HTTP."""

    def __init__(self, parts: Parts, server: ModelServer) -> None:
        self.parts, self.now_s, self._server = parts, 1000.0, server
        self._providers = Providers(now_s=lambda: self.now_s)
        self.gateway = self.capped_at(0)
        self.router = MailRouter(parts.tables, parts.announcer, lambda: RuleSet(()), WakeUp(), 1)
        self.retry = ModelRetry(parts.tables, self.router, lambda: self.gateway)
        self.mails = [one.id for one in parts.mail(remote("a"), remote("b"), remote("c"))]

    def capped_at(self, daily_calls: int) -> LiteLlmGateway:
        target = ModelTarget("openai/scripted", self._server.api_base, timeout_s=5.0, daily_calls=daily_calls)
        return LiteLlmGateway(target, self.parts.tables.runs, self.parts.clock, (), self._providers)

    def without_key(self) -> LiteLlmGateway:
        target = ModelTarget("openai/scripted")
        return LiteLlmGateway(target, self.parts.tables.runs, self.parts.clock, (), self._providers)

    def runs(self, mail: MessageId) -> tuple[Run, ...]:
        return self.parts.tables.runs.by_message(mail)

    def without_model(self, mail: MessageId) -> None:
        """The newest run of a mail ends without its model."""
        newest = self.runs(mail)[0]
        status = RunStatus.SUPERSEDED if newest.repeats else RunStatus.DONE
        self.parts.tables.runs.keep(RunRecord(newest.id, status=status, ask_again=True))

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        self.parts.clock.pass_s(seconds)

    async def call(self, *answers: Answer) -> None:
        """Calls the model once for each answer."""
        for one in answers:
            self._server.enqueue(one)
            try:
                await self.gateway.text(RunId("r"), "agent", [{"role": "user", "content": "Hello?"}])
            except ModelUnavailable:
                assert one.status != 200

    async def looked(self) -> list[int]:
        """The number of runs of each mail, fewest first, after a look."""
        await self.retry.look()
        return sorted(len(self.runs(one)) for one in self.mails)


@pytest.fixture
async def stage(parts: Parts) -> AsyncIterator[Stage]:
    with ModelServer() as server:
        stage = Stage(parts, server)
        for mail in stage.mails:
            await stage.router.force(mail)
        await stage.retry.look()
        for mail in stage.mails:
            stage.without_model(mail)
        yield stage
        await close_litellm()


DOWN = Answer("down", status=500)
UP = Answer("Hello.")


async def test_one_mail_tries_a_server_that_fails_and_all_follow_at_once_when_it_answers(stage: Stage) -> None:
    assert await stage.looked() == [1, 1, 1], "not at once"
    await stage.call(DOWN, DOWN, DOWN)
    stage.pass_s(10)
    assert await stage.looked() == [1, 1, 1], "not while it is left alone"
    stage.pass_s(60)
    assert await stage.looked() == [1, 1, 2], "one mail tries it"
    stage.without_model(next(one for one in stage.mails if len(stage.runs(one)) == 2))
    await stage.call(UP)
    assert await stage.looked() == [2, 2, 3], "those whose time has not come too"
    first = stage.runs(stage.mails[0])[-1]
    assert stage.runs(stage.mails[0])[0].repeats == first.id
    assert not await stage.router.repeat(first.id), "it has been repeated"


async def test_a_used_up_cap_and_a_missing_key_cost_no_tries_and_their_end_is_noticed(stage: Stage) -> None:
    await stage.call(UP)
    stage.gateway = stage.capped_at(1)
    for _ in range(20):
        stage.pass_s(HOUR_S / 4)
        assert await stage.looked() == [1, 1, 1]
    stage.pass_s(DAY_S)
    reached, stage.gateway = stage.gateway, stage.without_key()
    assert await stage.looked() == [1, 1, 1], "while the keyring is locked"
    stage.gateway = reached
    assert await stage.looked() == [2, 2, 2]
