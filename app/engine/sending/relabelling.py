"""Label changes on their way out: those that wait one behind the other leave together, in as few requests as they allow.

Safe to repeat, since a label that is on stays on. A change the server refuses, or puts off too often, is held, and what the
server really has is fetched again. Refuses to change the order in which the owner made them.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from app.domain.changes import LabelChange, fold
from app.domain.errors import NotFound, PermissionMissing, RejectedByServer
from app.domain.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer
from app.engine.sending.change_rows import ChangeRows
from app.engine.sending.dispatch import Later
from app.engine.sending.steps import Steps, hold_reason

log = logging.getLogger(__name__)


class Relabelling:
    """Performs the label changes of one account. `steps` writes the state of the item at hand, `rows` all the rest."""

    def __init__(self, server: MailServer, steps: Steps, rows: ChangeRows) -> None:
        self._server = server
        self._steps = steps
        self._rows = rows

    async def advance(self, item: OutboxItem) -> OutboxItem | Later:
        """The item done or held, and with it what waited behind it, or `Later`. Raises the port's errors; then nothing was
        decided."""
        if item.kind is OutboxKind.CREATE_LABEL:
            return await self._create(item)
        behind = await self._rows.take_behind(item)
        try:
            await self._send([item, *behind])
            await self._rows.sent([item, *behind])
        except (RejectedByServer, PermissionMissing) as error:
            if self._passes([item, *behind], error):
                await self._rows.give_back(behind)
                return Later()
            return await self._one_by_one(item, behind, error)
        except Exception:
            await self._rows.give_back(behind)
            raise
        return replace(item, state=OutboxState.SENT)

    def _passes(self, items: Sequence[OutboxItem], error: RejectedByServer | PermissionMissing) -> bool:
        """Whether the first may be tried again. It counts for all, since nobody knows whose refusal it is: those behind it need
        not wait as long in their turn."""
        first, *_ = [self._steps.passes(one, error) for one in items]
        return first

    async def _send(self, items: Sequence[OutboxItem]) -> None:
        """Their common outcome, group by group."""
        for change in fold(LabelChange(one.message_gmail_ids, one.add_labels, one.remove_labels) for one in items):
            try:
                await self._server.modify(change.gmail_ids, change.add, change.remove)
            except NotFound:
                log.info("outbox %d: the messages are gone, there is nothing to label", items[0].id)

    async def _one_by_one(
        self, item: OutboxItem, behind: Sequence[OutboxItem], error: RejectedByServer | PermissionMissing
    ) -> OutboxItem:
        """One of several is refused: the first alone says whether it is this one; the others wait for their own turn."""
        await self._rows.give_back(behind)
        if behind:
            try:
                await self._send([item])
                await self._rows.sent([item])
                return replace(item, state=OutboxState.SENT)
            except (RejectedByServer, PermissionMissing) as own:
                error = own
        held = await self._steps.hold(item, hold_reason(error))
        await self._rows.reread(item)
        return held

    async def _create(self, item: OutboxItem) -> OutboxItem | Later:
        """Make the label; what waits under our id for it waits under the server's then."""
        try:
            label = await self._server.create_label(item.subject)
        except (RejectedByServer, PermissionMissing) as error:
            if self._passes([item], error):
                return Later()
            return await self._steps.hold(item, hold_reason(error))
        await self._rows.adopt(item, label)
        return await self._steps.move(item, OutboxState.SENT)
