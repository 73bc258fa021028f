"""One run per mail, whatever is repeated; only the newest unanswered mail of a thread; what the user asks for always."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

import pytest

from app.config.rules.rules import rule_set
from app.domain.agents.routing import HeaderPattern, Routed, RoutingRule, RuleAction, RuleMatch, RuleSet
from app.domain.agents.runs import Route, Run
from app.domain.errors import NotFound
from app.domain.ids import GmailId, MessageId
from app.domain.mail.message import Message
from app.domain.protocol.changes import UndoChange
from app.domain.protocol.events import ErrorReported
from app.engine.runs.router import MailRouter
from app.engine.runtime.workers import WakeUp
from app.engine.sync.label_changes import LabelService
from app.store.db.jobs import Job
from app.store.mail.sync_page import SyncPage
from app.store.runs.runs import RunStart
from fakes.engine.engine_parts import Parts
from fakes.engine.store.rows import account_labels, mail_events
from fakes.engine.store.values import ME, remote

SLOW = HeaderPattern("X-Key", r"^(a+)+b$")
QUIETLY = (RuleAction.ARCHIVE, RuleAction.MARK_READ, RuleAction.STAR)
RULES = rule_set(
    (
        RoutingRule("slow", RuleMatch(header_match=(SLOW,)), Route.RESPONSE_AGENT),
        RoutingRule("orders", RuleMatch(subject_contains="order"), Route.RESPONSE_AGENT),
        RoutingRule("drugs", RuleMatch(subject_contains="ibuprofen"), Route.AGENT, "pharmacy"),
        RoutingRule("news", RuleMatch(subject_contains="news"), Route.SORT, label="Reading", actions=QUIETLY),
        RoutingRule("blocked", RuleMatch(subject_contains="casino"), Route.SORT, actions=(RuleAction.SPAM,)),
    )
)


def labelling(parts: Parts) -> LabelService:
    return LabelService(parts.tables, parts.announcer, WakeUp(), lambda: None)


@asynccontextmanager
async def routing(parts: Parts) -> AsyncIterator[MailRouter]:
    """A router at work."""
    router = MailRouter(parts.tables, parts.threads, parts.announcer, lambda: RULES, WakeUp(), 1)
    router.apply_rule = labelling(parts).apply_rule
    working = asyncio.create_task(router.run())
    try:
        yield router
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working


async def routed(parts: Parts) -> None:
    """Wait until nothing is left to route."""
    async with asyncio.timeout(60):
        while parts.tables.jobs.counts().get("route"):
            await asyncio.sleep(0.01)


def runs(parts: Parts, message_id: MessageId) -> tuple[Run, ...]:
    """A mail's runs."""
    return parts.tables.runs.by_message(message_id)


async def test_each_chosen_mail_has_one_run_however_often_it_is_chosen(parts: Parts) -> None:
    mails = parts.mail(remote("a"), remote("b", subject="Your order"), remote("read", labels=("INBOX",)))
    async with routing(parts) as router:
        assert await router.choose(parts.account_id, 0) == 2
        await routed(parts)
        await router.choose(parts.account_id, 0)
        await routed(parts)
    assert [len(runs(parts, mail.id)) for mail in mails] == [1, 1, 0]
    assert [runs(parts, mail.id)[0].route for mail in mails[:2]] == [Route.PIPELINE, Route.RESPONSE_AGENT]
    assert runs(parts, mails[1].id)[0].rule == "orders"
    assert parts.tables.jobs.counts()["classify"] == 2


async def test_a_crash_between_run_and_job_end_makes_no_second_run(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a"))
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
        parts.tables.jobs.put("route", str(mail.id), "")
        router.wake()
        await routed(parts)
    assert len(runs(parts, mail.id)) == 1
    assert parts.tables.jobs.counts()["classify"] == 1


async def test_only_the_newest_unanswered_mail_of_a_thread_has_a_run(parts: Parts) -> None:
    first, second, *_ = parts.mail(
        remote("a", "t"),
        remote("b", "t", minutes=1),
        remote("d", "t", labels=("DRAFT",), minutes=2),
        remote("q", "answered"),
        remote("mine", "answered", sender=ME, labels=("SENT",), minutes=1),
    )
    answered = parts.tables.messages.by_gmail_id(parts.account_id, GmailId("q"))
    assert answered is not None
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
    assert [len(runs(parts, one.id)) for one in (first, second, answered)] == [0, 1, 0]
    assert parts.tables.messages.triage(first.id) is not None, "lists say why there is no run"


async def test_what_lies_in_spam_or_trash_is_no_newer_mail_but_an_answer_is_one(parts: Parts) -> None:
    mails = parts.mail(
        remote("a", "t"),
        remote("spam", "t", labels=("SPAM", "UNREAD"), minutes=1),
        remote("b", "u"),
        remote("trash", "u", labels=("TRASH",), minutes=1),
        remote("c", "v"),
        remote("mine", "v", sender=ME, labels=("SENT", "TRASH"), minutes=1),
    )
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
    assert [len(runs(parts, one.id)) for one in mails] == [1, 0, 1, 0, 0, 0]


async def test_what_was_thrown_away_meanwhile_is_routed_when_it_comes_back(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a"))
    parts.tables.accounts.set_consent(parts.account_id, 0)
    parts.tables.messages.modify_local([mail.id], ("SPAM",), ("INBOX",))
    async with routing(parts) as router:
        parts.tables.jobs.put("route", str(mail.id), "")
        router.wake()
        await routed(parts)
        assert not runs(parts, mail.id)
        for _ in range(2):
            back, off = ((mail.gmail_id, frozenset({label})) for label in ("INBOX", "SPAM"))
            parts.tables.messages.apply(parts.account_id, SyncPage(add_labels=(back,), remove_labels=(off,)))
            router.wake()
            await routed(parts)
            parts.tables.messages.modify_local([mail.id], ("SPAM",), ("INBOX",))
    assert len(runs(parts, mail.id)) == 1


async def test_mail_that_is_gone_needs_no_route(parts: Parts) -> None:
    parts.tables.jobs.put("route", "4711", "")
    async with routing(parts):
        await routed(parts)


async def test_what_the_user_asks_for_is_drafted_again_and_goes_first(parts: Parts) -> None:
    old, new = parts.mail(remote("a", labels=("INBOX",)), remote("b", minutes=5))
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
        await router.force(old.id)
        await router.force(old.id)
        with pytest.raises(NotFound):
            await router.force(MessageId(99))
    forced = runs(parts, old.id)
    assert len({run.id for run in forced}) == 2
    assert all(run.answer for run in forced)
    job = parts.tables.jobs.claim("answer", 60)
    assert json.loads(job.payload)["run_id"] in {run.id for run in forced}
    assert not runs(parts, new.id)[0].answer


async def test_an_agents_mail_has_a_job_of_its_own_and_the_route_is_in_the_audit_trail(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", subject="Do you have Ibuprofen?"))
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
    (run,) = runs(parts, mail.id)
    assert (run.route, run.rule, run.profile) == (Route.AGENT, "drugs", "pharmacy")
    job = parts.tables.jobs.claim("agent_process", 60)
    assert json.loads(job.payload) == {"run_id": run.id}
    (event,) = [one for one in mail_events(parts.tables.runs, mail.id) if one.kind == "routed"]
    assert json.loads(event.detail_json) == {
        "route": "agent",
        "rule": "drugs",
        "profile": "pharmacy",
        "because": ["subject_contains"],
        "slow": [],
        "label": "",
        "actions": [],
    }


@pytest.mark.expects_warnings
async def test_a_pattern_that_takes_too_long_is_no_match_and_is_told_once(parts: Parts) -> None:
    mails = parts.mail(*(remote("a" * length + "!", subject="Your order") for length in (4000, 4001)))
    async with routing(parts) as router:
        await router.choose(parts.account_id, 0)
        await routed(parts)
    assert [runs(parts, mail.id)[0].rule for mail in mails] == ["orders", "orders"]
    assert [(one.code, str(one.text)) for one in parts.events(ErrorReported)] == [("slow_pattern", "slow/x-key")]


async def test_a_mail_that_cannot_be_routed_holds_up_no_other(parts: Parts) -> None:
    """The router is started again after a fault; the mail it failed on stands back, and is tried again when it is woken."""
    bad, good = parts.mail(remote("bad", minutes=5), remote("good"))
    faults = 1

    class Faulty:
        """Rules that fail on one mail, once."""

        def route(self, message: Message) -> Routed:
            nonlocal faults
            if message.id == bad.id and faults:
                faults -= 1
                raise ZeroDivisionError
            return RULES.route(message)

    router = MailRouter(parts.tables, parts.threads, parts.announcer, lambda: cast(RuleSet, Faulty()), WakeUp(), 1)
    for one in (bad, good):
        parts.tables.jobs.put("route", str(one.id), "", newest=one.date)
    with pytest.raises(ZeroDivisionError):
        await router.run()
    working = asyncio.create_task(router.run())
    async with asyncio.timeout(30):
        while not runs(parts, good.id):
            await asyncio.sleep(0.01)
        assert not runs(parts, bad.id)
        while not runs(parts, bad.id):
            router.wake()
            await asyncio.sleep(0.01)
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def test_what_may_begin_at_once_is_handed_over_and_routed_once(parts: Parts) -> None:
    """As long as its job stands it is in somebody's hands; agents' runs, and what nobody takes, wait in the store."""
    taken: list[tuple[Job, RunStart]] = []

    def take(job: Job, start: RunStart) -> bool:
        taken.append((job, start))
        return start.run.message_id != mails[1].id

    async with routing(parts) as router:
        router.take = take
        mails = parts.mail(remote("a"), remote("b", minutes=1), remote("c", minutes=2, subject="Your order"))
        await router.choose(parts.account_id, 0)
        async with asyncio.timeout(60):
            while not runs(parts, mails[1].id) or not runs(parts, mails[2].id) or len(taken) < 2:
                router.wake()
                await asyncio.sleep(0.01)
        for _ in range(5):
            router.wake()
            await asyncio.sleep(0.01)
        assert sorted(start.run.message_id for _, start in taken) == [mails[0].id, mails[1].id]
        assert not runs(parts, mails[0].id)
        assert parts.tables.jobs.counts()["route"] == 1
        job, start = next(one for one in taken if one[1].run.message_id == mails[0].id)
        assert start.done == job.id
        parts.tables.runs.queue(start, begun=True)
        assert parts.tables.jobs.counts()["classify"] == 3
        assert not parts.tables.jobs.counts().get("route")
    assert [one.id for one in runs(parts, mails[0].id)] == [start.run.id]


async def test_a_rule_changes_the_message_once_and_undo_takes_it_back(parts: Parts) -> None:
    (news, other) = parts.mail(remote("n", "t", subject="News of May", minutes=1), remote("o", "t", minutes=0))
    async with routing(parts) as router:
        for _ in range(2):  # a crash routes it again
            parts.tables.jobs.put("route", str(news.id), "")
            router.wake()
            await routed(parts)
    (label,) = [one for one in account_labels(parts.tables.accounts, parts.account_id) if one.name == "Reading"]
    assert parts.labels(news.id) == {label.gmail_label_id, "STARRED"}
    assert parts.labels(other.id) == {"INBOX", "UNREAD"}, "another message of the conversation"
    assert [run.route for run in runs(parts, news.id)] == [Route.SORT]
    (made,) = parts.tables.db.read("SELECT DISTINCT message_gmail_ids FROM outbox WHERE kind = 'modify'")
    assert made[0] == '["n"]'
    await labelling(parts).do(UndoChange(f"rule:{news.id}"))
    assert parts.labels(news.id) == {"INBOX", "UNREAD"}


async def test_mail_of_a_blocked_sender_goes_to_spam_and_has_no_run(parts: Parts) -> None:
    (mail,) = parts.mail(remote("c", subject="Casino"))
    async with routing(parts) as router:
        parts.tables.jobs.put("route", str(mail.id), "")
        router.wake()
        await routed(parts)
    assert parts.labels(mail.id) == {"SPAM", "UNREAD"}
    assert not runs(parts, mail.id)
