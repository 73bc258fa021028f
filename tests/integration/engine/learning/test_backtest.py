"""The trial of triage on past mail in the engine: it looks only backwards, tells how far it is, and can be cancelled."""

import asyncio
from dataclasses import replace

import pytest

from app.agent.triage.backtest import Backtest
from app.agent.triage.classifier import LocalTriage, TaughtTriage
from app.domain.agents.backtest import STANDARD, TriageLimits, figures, limits_for
from app.domain.errors import NotAllowed
from app.domain.mail.message import Address, Message, RemoteMessage
from app.domain.mail.triage import Decision
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.events import BacktestProgress
from app.engine.learning.backtest import BacktestService
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import ME, remote

pytestmark = pytest.mark.anyio

DAY = 24 * 60
FRIEND, SHOP = Address("friend@home.example", "Friend"), Address("news@shop.example", "Shop")


def archive(days: int = 120) -> list[RemoteMessage]:
    """The friend's mail is answered the same day, the shop's never."""
    made: list[RemoteMessage] = []
    for day in range(days):
        asked = remote(f"f{day}", f"tf{day}", sender=FRIEND, text="Could you send it?", minutes=day * DAY, labels=("INBOX",))
        answer = remote(f"a{day}", f"tf{day}", sender=ME, to=(FRIEND,), minutes=day * DAY + 60, labels=("SENT",))
        shop = remote(f"s{day}", f"ts{day}", sender=SHOP, text="Our news.", minutes=day * DAY + 90)
        made += [asked, replace(answer, in_reply_to=asked.rfc822_id), shop]
    return made


async def test_each_message_is_judged_and_compared_with_what_was_answered(parts: Parts) -> None:
    mails = {one.id: one for one in parts.mail(*archive(), remote("spam", labels=("SPAM",), minutes=119 * DAY))}
    before = parts.tables.db.read("SELECT decision FROM messages WHERE decision <> ''")
    done = await service_of(parts).answer(RunBacktest(parts.account_id, 2))
    assert isinstance(done, BacktestDone)
    received = [one for one in mails.values() if not one.outgoing]
    since = max(one.date for one in received).timestamp() - 60 * 24 * 3600
    expected = [one.id for one in received if one.date.timestamp() >= since and "SPAM" not in one.labels]
    assert sorted(one.message_id for one in done.rows) == sorted(expected)
    told = {mails[one.message_id].gmail_id: one for one in done.rows}
    assert told["f70"].answered and told["s70"].answered is False
    assert told["s119"].answered is None, "too new to know"
    assert told["f100"].respond > told["s100"].respond
    found = figures(done.rows, limits_for(done.rows, 2))
    assert found.missed <= found.answered * 0.02
    assert done.answered >= 20 and done.strongest
    assert parts.tables.db.read("SELECT decision FROM messages WHERE decision <> ''") == before, "it writes nothing"
    progress = parts.events(BacktestProgress)
    assert progress[-1].done == progress[-1].total > 0


def service_of(parts: Parts) -> BacktestService:
    return BacktestService(parts.tables.db.path.parent, parts.tables, parts.announcer)


def scores(account_mail: list[Message], parts: Parts, until: int) -> dict[int, float]:
    """The scores of the first `until` messages' rows."""
    backtest = Backtest(parts.account, account_mail[0].date)
    for one in account_mail[:until]:
        backtest.add(one)
    return {row.message_id: row.respond for row in backtest.rows()}


async def test_what_came_later_changes_no_score(parts: Parts) -> None:
    mails = sorted(parts.mail(*archive(60)), key=lambda one: one.date)
    half, whole = scores(mails, parts, 90), scores(mails, parts, len(mails))
    assert {key: whole[key] for key in half} == half


async def test_it_can_be_cancelled_and_only_one_runs(parts: Parts) -> None:
    parts.mail(*archive(40))
    service = service_of(parts)
    first = asyncio.create_task(service.answer(RunBacktest(parts.account_id)))
    while not parts.events(BacktestProgress):
        await asyncio.sleep(0.02)
    with pytest.raises(NotAllowed):
        await service.answer(RunBacktest(parts.account_id))
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert isinstance(await service.answer(RunBacktest(parts.account_id)), BacktestDone)


async def test_triage_obeys_the_chosen_limits(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", text="Could you send it?"))
    limits = [STANDARD]
    triage = TaughtTriage(LocalTriage(), tuple, lambda _ids: None, lambda: limits[0])
    assert triage.judge(mail, (mail,), parts.account, (), None).decision is Decision.RESPOND
    limits[0] = TriageLimits(0.95)
    assert triage.judge(mail, (mail,), parts.account, (), None).decision is not Decision.RESPOND
