"""Works off memory jobs: learns preferences and corrected verdicts from decisions, by rules first, then by the model if there is
one.

What rules teach is written at once and only once. If the model does not answer, the job is retried later.
"""

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Lock

import numpy as np

from app.agent.learning.decisions import DecisionContext, DecisionLessons, learn_from_decision, propose_lessons, subject_of
from app.agent.llm.turns import ModelGateway, UnusableAnswer
from app.agent.triage.classifier import Correction, TaughtTriage, text_of
from app.config.paths import resource
from app.domain.agents.memory import (
    PROFILE,
    MailFeedback,
    Namespace,
    Preference,
    RejectionReason,
    sender_of,
)
from app.domain.drafting.review import Action
from app.domain.errors import ExpectedError, NotFound
from app.domain.ids import ReviewId
from app.domain.mail.message import Message
from app.domain.ports.agents import Embedder
from app.domain.protocol.events import MemoryChanged
from app.engine.learning.memory import StoredMemory
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp, doubled_s
from app.store.db.jobs import Job
from app.store.learning.lessons import Corrected, Teaching

log = logging.getLogger(__name__)

MEMORY = "memory"
LEASE_S = 600.0
IDLE_S = 15.0
FIRST_RETRY_S = 30.0
LONGEST_RETRY_S = 3600.0


class Learner:
    """Learns from decisions. `gateway` returns the gateway to the model that may get a message, None without one."""

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        triage: TaughtTriage,
        embedder: Embedder,
        memory: StoredMemory,
        gateway: Callable[[Message], ModelGateway | None],
    ) -> None:
        self._tables, self._announcer, self._triage = tables, announcer, triage
        self._embedder, self._memory, self._gateway = embedder, memory, gateway
        self._wake_up = WakeUp()
        self._known: dict[str, Correction] = {}
        self._fitting = Lock()

    def wake(self) -> None:
        """Makes `run` look for new jobs."""
        self._wake_up.ring()

    async def relearn(self) -> None:
        """Refits triage after a decision was undone or the user changed the memory."""
        await self._tables.run(self._refit)

    async def run(self) -> None:
        """Learns until cancelled."""
        await self.relearn()
        while True:
            job = await self._tables.run(self._tables.jobs.claim, MEMORY, LEASE_S)
            if job is not None:
                await self._learn(job)
                continue
            await self._tables.run(self._memory.count_uses)
            await self._wake_up.wait(IDLE_S)

    async def _learn(self, job: Job) -> None:
        """Learns from one decision. The job ends after rules and model are done."""
        try:
            seen = await self._tables.run(self._experience, job)
            if seen is not None:
                self._tell(await self._tables.run(self._by_rules, job.key, seen))
                self._tell(await self._by_model(job.key, seen))
        except UnusableAnswer:
            log.info("the model had nothing usable to say about decision %s", job.key)
        except ExpectedError as error:
            wait_s = doubled_s(FIRST_RETRY_S, job.attempts, LONGEST_RETRY_S)
            log.info("decision %s is learned from in %.0f s: %s", job.key, wait_s, error.code)
            retry_at = self._tables.clock() + timedelta(seconds=wait_s)
            await self._tables.run(self._tables.jobs.fail, job.id, error.code, retry_at)
            return
        await self._tables.run(self._tables.jobs.done, job.id)

    def _tell(self, changed: tuple[int, ...]) -> None:
        if changed:
            self._announcer.tell(MemoryChanged(changed))

    def _experience(self, job: Job) -> DecisionContext | None:
        """The decided review with its context. None if the decision was undone or the message is gone."""
        tables, payload = self._tables, json.loads(job.payload)
        if not tables.lessons.stands(job.key):
            return None
        try:
            review = tables.reviews.review(ReviewId(payload["review_id"]))
            message = tables.messages.get(review.proposal.message_id)
        except NotFound:
            return None
        card = tables.contacts.card(message.account_id, message.sender.email)
        sender = sender_of(message, written_to=card is not None and card.sent > 0)
        said = partial(tables.lessons.said, sender.email, scope=f"sender:{sender.email}")
        return DecisionContext(
            review=review,
            action=Action(payload["action"]),
            reason=RejectionReason(payload["reason"]),
            words=payload["text"],
            message=message,
            account=tables.accounts.get(message.account_id),
            sender=sender,
            rejections=tuple(one for one in said(MailFeedback.REJECTED) if one != review.id),
            wishes=tuple(one for one in said(MailFeedback.WISHED) if one != review.id),
        )

    def _by_rules(self, key: str, seen: DecisionContext) -> tuple[int, ...]:
        """Writes what rules learn, and refits triage when a verdict was corrected."""
        learned = learn_from_decision(seen, self._known_preferences())
        changed = self._tables.lessons.write(self._teaching(key, seen, learned), learned.lessons)
        if learned.corrected is not None:
            self._refit()
        return changed

    async def _by_model(self, key: str, seen: DecisionContext) -> tuple[int, ...]:
        """Writes what the model learns. The teaching itself is already written."""
        gateway = self._gateway(seen.message)
        if gateway is None or subject_of(seen) is None:
            return ()
        known = await self._tables.run(self._known_preferences)
        lessons = await propose_lessons(gateway, resource("prompts"), seen, known)
        teaching = self._teaching(key, seen, DecisionLessons(MailFeedback.NOTHING))
        return await self._tables.run(self._tables.lessons.write, teaching, lessons)

    def _known_preferences(self) -> tuple[Preference, ...]:
        """Every preference, also those seen only once, without the profile."""
        found = (one for namespace in Namespace for one in self._tables.preferences.known(namespace))
        return tuple(one for one in found if one.rule is None or one.rule.kind not in PROFILE)

    def _teaching(self, key: str, seen: DecisionContext, learned: DecisionLessons) -> Teaching:
        """The row of a decision, with the message's vector if its verdict was corrected."""
        corrected = None
        if learned.corrected is not None:
            (vector,) = self._embedder.embed([text_of(seen.message)])
            packed = np.asarray(vector, dtype="<f4").tobytes()
            corrected = Corrected(*learned.corrected, self._embedder.model_id, packed)
        return Teaching(key, seen.review.id, seen.message.id, seen.sender.email, learned.said, corrected)

    def _refit(self) -> None:
        """Trains triage with all valid corrections. Known corrections are not built again."""
        with self._fitting:
            rows = (*self._tables.lessons.corrections(), *self._tables.corrections.learned())
            known = {one.memory_key: self._known.get(one.memory_key) or self._correction(one) for one in rows}
            if known.keys() != self._known.keys():
                self._triage.learn(tuple(known.values()))
                log.info("triage knows %d corrections", len(known))
            self._known = known

    def _correction(self, row: Teaching) -> Correction:
        """Builds a correction from its row. Embeds the message again if the vector is another model's."""
        assert row.corrected is not None
        message = self._tables.messages.get(row.message_id)
        if row.corrected.model_id == self._embedder.model_id:
            vector = tuple(np.frombuffer(row.corrected.vector, dtype="<f4").astype(float).tolist())
        else:
            vector = tuple(self._embedder.embed([text_of(message)])[0])
            if not row.review_id:
                packed = np.asarray(vector, dtype="<f4").tobytes()
                self._tables.corrections.keep_vector(row.message_id, self._embedder.model_id, packed)
        return Correction(
            message=message,
            thread=self._tables.messages.thread(message.thread_id),
            account=self._tables.accounts.get(message.account_id),
            contact=self._tables.contacts.card(message.account_id, message.sender.email),
            vector=vector,
            decision=row.corrected.decision,
            category=row.corrected.category,
        )
