"""Reads the stored mail of each account in the background: adapts triage to whom its owner answers, makes the owner's profile.

What was learned is stored with the rows it is fitted on. So later starts read only new mail, and a correction is learned within
a second. Reading is done in small steps, since it takes some milliseconds of processor time a mail.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, tzinfo

import msgspec

from app.agent.learning.sent_mail import read_sent_mail
from app.agent.triage.classifier import TaughtTriage, shipped_weights
from app.agent.triage.habits import MailHistory
from app.agent.triage.owner_model import AnswerHistory, ArchiveRow, OwnerModel, SavedModel, learn_owner, saved_model
from app.domain.agents.owner_profile import profile_rules
from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Account
from app.domain.mail.triage import OwnerVerdict
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.learning.corrections import StoredModel

log = logging.getLogger(__name__)

NEWEST = 4000
"""Messages an account's model is learned from, sent ones included."""

STEP = 10
STEP_KNOWN = 100
"""Messages read at once whose features are stored: only senders and answers are counted."""

PAUSE_S = 0.1
FIRST_S = 20.0
"""Wait before an archive is read for the first time, when others need the processor."""

AGAIN_S = 6 * 3600.0
STRONGEST = 12

SENT_READ = 400
"""Newest sent messages that the owner's profile is made from. Reading them takes some 100 ms, in the background."""
PROFILE_AGAIN_S = 120.0
"""Between looks for sent mail that came meanwhile, as in the first hour."""


class ArchiveLearner:
    """Learns from the archive at the start, and again every few hours."""

    def __init__(
        self,
        tables: Tables,
        triage: TaughtTriage,
        zone: Callable[[], tzinfo] = lambda: UTC,
        changed: Callable[[Sequence[int]], None] = lambda _ids: None,
    ) -> None:
        """`changed` is told the preferences that hold a new profile."""
        self._tables, self._triage, self._zone, self._changed = tables, triage, zone, changed
        self._profiled: dict[AccountId, tuple[int, ...]] = {}
        self._shipped = shipped_weights()
        self._wake_up = WakeUp()
        self._corrected: dict[AccountId, Mapping[MessageId, OwnerVerdict]] = {}

    def wake(self) -> None:
        """Makes `run` learn from corrections."""
        self._wake_up.ring()

    async def run(self) -> None:
        """Learns until cancelled."""
        accounts = await self._tables.run(self._tables.accounts.all)
        if not any([await self._saved(account.id) for account in accounts]):
            await asyncio.sleep(FIRST_S)
        while True:
            await self.learn_profiles()
            for account in await self._tables.run(self._tables.accounts.all):
                await self.learn(account)
            due = asyncio.get_running_loop().time() + AGAIN_S
            while (left_s := due - asyncio.get_running_loop().time()) > 0:  # corrections are learned meanwhile
                await self._wake_up.wait(min(left_s, PROFILE_AGAIN_S))
                await self.learn_profiles()
                for account in await self._tables.run(self._tables.accounts.all):
                    await self.refit(account.id)

    async def learn_profiles(self) -> None:
        """Makes each owner's profile from sent mail, where there is new one. What the owner edited stays."""
        for account in await self._tables.run(self._tables.accounts.all):
            if changed := await self._tables.run(self._profile, account):
                self._changed(changed)

    def _profile(self, account: Account) -> tuple[int, ...]:
        ids = self._tables.messages.newest_sent_ids(account.id, SENT_READ)
        if ids == self._profiled.get(account.id, ()):
            return ()
        mails = list(self._tables.messages.many(ids).values())
        voice, facts = read_sent_mail(mails, account, self._zone())
        self._profiled[account.id] = ids
        return self._tables.preferences.put_profile(profile_rules(account.id, voice, facts)) if voice.mails else ()

    async def learn(self, account: Account, pause_s: float = PAUSE_S) -> None:
        """Learns from one account's newest mail and stores the model."""
        ids = await self._tables.run(self._tables.messages.newest, account.id, NEWEST)
        reader = AnswerHistory(account, self._shipped, await self._saved(account.id))
        start = 0
        while start < len(ids):
            known = all(reader.knows(one) for one in ids[start : start + STEP])
            step = STEP_KNOWN if known else STEP
            await self._tables.run(self._read, reader, ids[start : start + step])
            start += step
            await asyncio.sleep(pause_s)
        corrected = await self._tables.run(self._tables.corrections.verdicts, account.id)
        rows = await self._tables.run(reader.rows)
        model = await self._tables.run(self._fit, account.id, reader.history, rows, corrected)
        log.info("triage learned from %d mails of account %d", model.examples, account.id)

    async def refit(self, account_id: AccountId) -> None:
        """Fits the model again if the owner's corrections changed."""
        known = self._triage.owner(account_id)
        corrected = await self._tables.run(self._tables.corrections.verdicts, account_id)
        if known is not None and corrected != self._corrected.get(account_id, {}):
            saved = await self._saved(account_id)
            if saved is not None:
                await self._tables.run(self._fit, account_id, known.history, saved.rows, corrected)

    async def _saved(self, account_id: AccountId) -> SavedModel | None:
        """The stored model, None if there is none, or one of other weights."""
        found = await self._tables.run(self._tables.owner_models.get, account_id, self._shipped.version)
        return _decoded(found) if found is not None else None

    def _read(self, reader: AnswerHistory, ids: tuple[MessageId, ...]) -> None:
        found = self._tables.messages.many(ids)
        for message_id in ids:
            if message_id in found:
                reader.add(found[message_id])

    def _fit(
        self,
        account_id: AccountId,
        history: MailHistory,
        rows: tuple[ArchiveRow, ...],
        corrected: Mapping[MessageId, OwnerVerdict],
    ) -> OwnerModel:
        """Fits the model, stores it and puts it in force."""
        model = learn_owner(history, rows, self._shipped, corrected)
        packed = msgspec.msgpack.encode(saved_model(model, rows, self._shipped))
        counts = (model.examples, model.answered)
        self._tables.owner_models.put(account_id, self._shipped.version, counts, model.strongest(STRONGEST), packed)
        self._corrected[account_id] = dict(corrected)
        self._triage.adapt(account_id, model)
        return model


def _decoded(stored: StoredModel) -> SavedModel | None:
    """The stored model. None where it cannot be read; it is then learned again."""
    try:
        return msgspec.msgpack.decode(stored.model, type=SavedModel)
    except (msgspec.DecodeError, msgspec.ValidationError):
        log.warning("a stored model cannot be read; it is learned again")
        return None
