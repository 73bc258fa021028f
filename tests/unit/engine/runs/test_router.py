"""One run per mail, whatever is repeated; only the newest unanswered mail of a thread; what the user asks for always."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from app.config.rules.rules import rule_set
from app.domain.agents.routing import HeaderPattern, RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route, Run
from app.domain.errors import NotFound
from app.domain.ids import GmailId, MessageId
from app.domain.protocol.changes import UndoChange
from app.engine.runs.router import MailRouter
from app.engine.runtime.workers import WakeUp
from app.engine.sync.label_changes import LabelService
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
    router = MailRouter(parts.tables, parts.announcer, lambda: RULES, WakeUp(), 1)
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
