"""Turns `route` jobs into runs by the rules. Only the newest unanswered message of a conversation gets a run.

Mail that the model gave no answer for is asked about again once the model is back.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from uuid import uuid4

from app.domain.agents.routing import Routed, RuleAction, RuleSet
from app.domain.agents.runs import AGAIN, BY_RULE, Route, Run, RunStatus
from app.domain.drafting.review import ReviewStatus
from app.domain.error_texts import ErrorText
from app.domain.errors import NotFound, SlowPattern
from app.domain.ids import AccountId, JobId, MessageId, RunId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.triage import Category, Decision, ReasonCode, Triage
from app.domain.protocol.events import ErrorReported, RunChanged
from app.domain.record import asdict, replace
from app.engine.runs.run_repository import ANSWER, kind_of
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.db.jobs import Job
from app.store.runs.runs import ASK_AGAIN, RunStart, run_name

if TYPE_CHECKING:
    from app.agent.llm.turns import ModelGateway


log = logging.getLogger(__name__)

AT_ONCE = 20
MOST_REPETITIONS = 7
"""How often a mail is asked about again whose model gave no answer: within four days."""
_THROWN_AWAY = frozenset({SystemLabel.SPAM, SystemLabel.TRASH})
"""Mail with these labels is not routed until it comes back."""
Rules = Callable[[], RuleSet]
ApplyRule = Callable[[Message, Routed], Awaitable[None]]
"""Does to a message what the rule that matched it says."""


async def nothing(_message: Message, _routed: Routed) -> None:
    pass


class MailRouter:
    """Queues runs with their jobs.

    `rules` returns the current rules of the rules file. `queued` is set after new jobs.
    """

    def __init__(self, tables: Tables, announcer: EventBus, rules: Rules, queued: WakeUp, graph_version: int) -> None:
        self._tables, self._announcer = tables, announcer
        self._rules, self._queued, self._graph_version = rules, queued, graph_version
        self.apply_rule: ApplyRule = nothing
        self._wake_up = WakeUp()
        self._reported_slow: set[str] = set()
        self._stuck: set[JobId] = set()

    def wake(self) -> None:
        """Makes `run` look for new `route` jobs."""
        self._wake_up.ring()

    async def run(self) -> None:
        """Routes until cancelled.

        Jobs are read, not claimed, since no other worker takes them. A job that failed is tried again after all others.
        """
        while True:
            jobs = self._tables.jobs.due(("route",), AT_ONCE, self._stuck)
            for job in jobs:
                self._stuck.add(job.id)
                await self._route(job)
                self._stuck.discard(job.id)
            if not jobs:
                self._stuck.clear()
                await self._wake_up.wait()

    async def force(self, message_id: MessageId, answer: bool = True, by_model: bool = True) -> None:
        """Starts a run; with `answer` it drafts an answer whatever triage says. Raises `NotFound`."""

        def start() -> Run:
            message = self._tables.messages.get(message_id)
            which = f"{uuid4()}{'' if by_model else BY_RULE}"
            run = self._run(message, Routed(Route.PIPELINE), run_name(message_id, which), answer)
            self._tables.runs.queue(_start(run, message, ANSWER, run.id))
            return run

        run = await self._tables.run(start)
        self._announcer.tell(RunChanged(run.id, message_id, run.status))
        self._queued.ring()

    async def repeat(self, run_id: RunId) -> bool:
        """Starts a run that does again what one did without its model. Returns whether there is still something to do."""
        run = await self._tables.run(self._start_again, run_id)
        if run is not None:
            self._queued.ring()
        return run is not None

    def _start_again(self, run_id: RunId) -> Run | None:
        """Queues the repetition, unless the owner decided meanwhile, a newer mail came, or it was tried often enough."""
        first = RunId(run_id.partition(AGAIN)[0])
        try:
            before = self._tables.runs.get(first)
            message = self._tables.messages.get(before.message_id)
            review_id = self._tables.reviews.newest_of_run(first)
            untouched = not review_id or self._tables.reviews.standing(review_id) == (ReviewStatus.PENDING, 1)
        except NotFound:
            return None
        waits = untouched and before.status in (RunStatus.WAITING, RunStatus.DONE)
        newest = self._tables.runs.by_message(message.id)[0].id
        if not waits or newest != run_id or run_id.count(AGAIN) >= MOST_REPETITIONS or self._later(message):
            return None
        run = replace(before, id=RunId(f"{run_id}{AGAIN}"), status=RunStatus.QUEUED, created_at=self._tables.clock())
        self._tables.runs.queue(_start(run, message, kind_of(run.route), f"{message.id}{AGAIN}"))
        return run

    async def choose(self, account_id: AccountId, since_ms: int) -> int:
        """Queues the unread inbox mail from `since_ms` on for routing. Returns its number."""
        ids = await self._tables.run(self._tables.messages.unread_inbox_since, account_id, since_ms)

        def put_routes() -> None:
            for message_id in ids:
                if not self._tables.runs.by_message(message_id):
                    self._tables.jobs.put("route", str(message_id), "", newest=self._tables.messages.get(message_id).date)

        await self._tables.run(put_routes)
        self._wake_up.ring()
        return len(ids)

    async def _route(self, job: Job) -> None:
        """Routes one message: does what its rule says, then queues its run, if it needs one.

        Every step may be repeated after a crash, since the keys of the changes and of the run are derived from the message's id.
        """
        found = await self._tables.run(self._find, job)
        if found is None:
            return
        message, routed, start = found
        for pattern in set(routed.slow) - self._reported_slow:  # such a pattern counts as no match
            self._reported_slow.add(pattern)
            log.warning("a pattern took too long: %s", pattern)
            self._announcer.tell(ErrorReported(SlowPattern.code, ErrorText.of(pattern)))
        if routed.changes:
            await self.apply_rule(message, routed)
            start = await self._tables.run(self._started, job, message, routed)
        if start is not None:
            await self._tables.run(self._tables.runs.queue, start)
            self._queued.ring()

    def _find(self, job: Job) -> tuple[Message, Routed, RunStart | None] | None:
        """Returns the message with its route, and its run unless a rule changes the message first.

        None, and the job ends, if there is nothing to route.
        """
        try:
            message = self._tables.messages.get(MessageId(int(job.key)))
        except NotFound:
            message = None
        if message is None or self._tables.runs.by_message(message.id) or message.labels & _THROWN_AWAY:
            self._tables.jobs.done(job.id)
            return None
        routed = self._rules().route(message)
        return message, routed, None if routed.changes else self._started(job, message, routed)

    def _started(self, job: Job, message: Message, routed: Routed) -> RunStart | None:
        """Returns the message's run. None, and the job ends, if it needs none."""
        later = self._later(message)
        if later:
            answered = any(one.outgoing for one in later)
            why = (ReasonCode.ANSWERED, "rule:answered") if answered else (ReasonCode.NEWER, "rule:newer-in-thread")
            self._tables.messages.set_triage(message.id, Triage(Decision.IGNORE, Category.OTHER, 1.0, *why))
        if later or RuleAction.SPAM in routed.actions:
            self._tables.jobs.done(job.id)
            return None
        run = self._run(message, routed, run_name(message.id, "0"))
        log.info("message %d goes to %s", message.id, routed.route)
        return _start(run, message, kind_of(run.route), str(message.id), job.id)

    def _later(self, message: Message) -> list[Message]:
        """Later messages of the conversation, without drafts and without others' mail in spam or trash.

        The owner's own messages count wherever they lie.
        """
        thread = self._tables.messages.thread(message.thread_id)
        later = [one for one in thread if one.date > message.date and SystemLabel.DRAFT not in one.labels]
        return [one for one in later if one.outgoing or not one.labels & _THROWN_AWAY]

    def _run(self, message: Message, routed: Routed, run_id: RunId, answer: bool = False) -> Run:
        return Run(
            id=run_id,
            account_id=message.account_id,
            message_id=message.id,
            thread_id=message.thread_id,
            route=routed.route,
            rule=routed.rule,
            profile=routed.profile,
            status=RunStatus.QUEUED,
            graph_version=self._graph_version,
            created_at=self._tables.clock(),
            answer=answer,
            routed=json.dumps(asdict(routed)),
        )


def _start(run: Run, message: Message, kind: str, key: str, done: JobId = JobId("")) -> RunStart:
    """The run with its job and the `route` job that ends with it."""
    return RunStart(run, kind, key, json.dumps({"run_id": run.id}), int(message.date.timestamp() * 1000), done)


LOOK_EVERY_S = 15.0
ASKED_AT_ONCE = 10
"""Mails asked about in one go: more than one only while the model answers."""


class ModelRetry:
    """Starts the repetitions of runs that had no model: one while calls fail, and all as soon as it answers again."""

    def __init__(self, tables: Tables, router: MailRouter, gateway: "Callable[[], ModelGateway | None]") -> None:
        self._tables, self._router, self._gateway = tables, router, gateway
        self._failing = True  # before this start it may have failed

    async def run(self) -> None:
        """Looks for due jobs until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Starts what may be asked now. Without a model the waiting jobs are dropped."""
        gateway = self._gateway()
        closed = gateway is not None and await gateway.closed()
        in_doubt = gateway is not None and gateway.in_doubt
        if self._failing and not closed and not in_doubt:
            await self._tables.run(self._tables.jobs.run_now, ASK_AGAIN, "")
        self._failing = closed or in_doubt
        most = 0 if closed else 1 if in_doubt else ASKED_AT_ONCE
        for job in await self._tables.run(self._tables.jobs.due, (ASK_AGAIN,), most, ()):
            if gateway is not None:
                await self._router.repeat(RunId(job.key))
            await self._tables.run(self._tables.jobs.done, job.id)
