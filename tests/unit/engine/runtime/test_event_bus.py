"""Floods are folded without losing anything; what the user waits for is sent at once and in order.

Whose a refused command was: told where the command names one account's mail in whatever way, and nowhere else.
"""

from app.domain.errors import Offline
from app.domain.ids import AccountId, LetterId, MessageId, OutboxId, ReviewId, ThreadId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.protocol.commands import CancelSend, ChangeSettings, DraftReply, Undo, WipeAccount
from app.domain.protocol.events import (
    Initiator,
    MailChanged,
)
from app.domain.protocol.letter_commands import DiscardLetter, SaveLetter
from app.domain.wire import Event
from app.engine.runtime.event_bus import MANY, EventBus, failed_command
from app.store.letters.letters import Letters
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import new_outbox, proposal, remote

ME = AccountId(1)


async def test_changed_threads_are_united_and_many_become_all() -> None:
    sent: list[Event] = []
    announcer = EventBus(sent.append)
    announcer.mail(ME, (ThreadId(1), ThreadId(2)), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(2), ThreadId(3)), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(9),), Initiator.USER)
    announcer.mail(ME, (), Initiator.SYNC)
    assert sent == []
    announcer.flush()
    assert MailChanged(ME, (ThreadId(1), ThreadId(2), ThreadId(3)), Initiator.SYNC) in sent
    assert MailChanged(ME, (ThreadId(9),), Initiator.USER) in sent
    for number in range(MANY + 1):
        announcer.mail(ME, (ThreadId(number),), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(1),), Initiator.SYNC)
    announcer.flush()
    assert sent[-1] == MailChanged(ME, (), Initiator.SYNC)


OTHER = AccountId(2)


async def test_each_way_of_naming_mail_tells_whose_it_is(parts: Parts) -> None:
    other = parts.tables.accounts.add("you@example.com", "You", (), "", "#222222")
    assert other == OTHER
    (mail,) = parts.mail(remote("a"))
    review_id = parts.tables.reviews.open(proposal("run", thread=mail.thread_id, message=mail.id), "reply")
    outbox_id = parts.tables.outbox.add(new_outbox())
    letter = Letter(LetterId("l1"), other, LetterKind.NEW, sender="you@example.com")
    Letters(parts.tables.db, parts.clock).save(letter, 1)
    whose = {
        WipeAccount(OTHER): OTHER,
        DraftReply(mail.id): parts.account_id,
        ChangeLabels("k", (mail.thread_id,)): parts.account_id,
        ChangeLabels("k", (mail.thread_id, ThreadId(99))): parts.account_id,
        Undo(review_id): parts.account_id,
        CancelSend(outbox_id): parts.account_id,
        SaveLetter(letter, 2): OTHER,
        DiscardLetter(letter.id): OTHER,
        DraftReply(MessageId(99)): AccountId(0),
        Undo(ReviewId(99)): AccountId(0),
        CancelSend(OutboxId(99)): AccountId(0),
        UndoChange("k"): AccountId(0),
        ChangeSettings(()): AccountId(0),
    }
    found = {command: (await failed_command(parts.tables, command, Offline("no route"))).account_id for command in whose}
    assert found == whose
