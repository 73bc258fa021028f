"""What waits in a copy is doubted, with its kind and its state; what is over, held or only here is left alone."""

import pytest

from app.domain.ids import AccountId, GmailDraftId, GmailId
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.store.db.database import Database
from app.store.maintenance.recovery import ID_STEP, make_safe
from app.store.outbox import Outbox
from fakes.engine.store.values import HandClock, new_outbox


@pytest.mark.parametrize("kind", list(OutboxKind))
def test_only_what_reaches_others_is_doubted(db: Database, account: AccountId, clock: HandClock, kind: OutboxKind) -> None:
    outbox = Outbox(db, clock)
    item_id = outbox.add(new_outbox(kind=kind))
    with db.transaction() as connection:
        doubted = make_safe(connection, clock(), ID_STEP)
    waits = kind in (OutboxKind.MODIFY, OutboxKind.CREATE_LABEL)
    assert doubted == (not waits)
    assert outbox.get(item_id).state is (OutboxState.QUEUED if waits else OutboxState.UNCERTAIN)


def test_a_draft_that_the_copy_knows_is_looked_for_anew(db: Database, account: AccountId, clock: HandClock) -> None:
    outbox = Outbox(db, clock)
    item_id = outbox.add(new_outbox())
    outbox.move(item_id, OutboxState.QUEUED, OutboxState.DRAFTING)
    known = {"draft_id": GmailDraftId("d"), "draft_message": GmailId("m")}
    outbox.move(item_id, OutboxState.DRAFTING, OutboxState.DRAFTED, **known)
    outbox.set_not_before(item_id, clock.now)
    with db.transaction() as connection:
        make_safe(connection, clock(), ID_STEP)
    item = outbox.get(item_id)
    assert (item.state, item.draft_id, item.draft_message) == (OutboxState.UNCERTAIN, "", "")
    assert [one.new for one in outbox.steps(item_id)][-1] == "uncertain"
