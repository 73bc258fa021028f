"""Whose a refused command was: told where the command names one account's mail in whatever way, and nowhere else."""

import pytest

from app.domain.changes import ChangeLabels, UndoChange
from app.domain.commands import CancelSend, ChangeSettings, DraftReply, Undo, WipeAccount
from app.domain.errors import LoginNeeded, Offline
from app.domain.ids import AccountId, LetterId, MessageId, OutboxId, ReviewId, ThreadId
from app.domain.letter import Letter, LetterKind
from app.domain.writing import DiscardLetter, SaveLetter
from app.engine.refusals import Refusals
from app.store.letters import Letters
from fakes.engine_parts import Parts
from fakes.stored_mail import new_outbox, proposal, remote

pytestmark = pytest.mark.anyio
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
    refusals = Refusals(parts.tables, parts.threads)
    found = {command: (await refusals.of(command, Offline("no route"))).account_id for command in whose}
    assert found == whose


async def test_who_raised_it_knows_better(parts: Parts) -> None:
    error = LoginNeeded("ended", "Sign in.")
    error.account_id = OTHER
    told = await Refusals(parts.tables, parts.threads).of(WipeAccount(parts.account_id), error)
    assert (told.command, told.code, told.detail, told.remedy) == ("WipeAccount", "login_needed", "ended", "Sign in.")
    assert told.account_id == OTHER
