"""What became of drafts."""

import pytest

from app.domain.commands import Decide
from app.domain.ids import AccountId
from app.domain.outbox import OutboxKind
from app.domain.review import Action, ReviewKind, ReviewStatus
from app.store.database import Database
from app.store.kept_drafts import kept_share
from app.store.messages import Messages
from app.store.pages import SyncPage
from app.store.reviews import Reviews
from fakes.stored_mail import HandClock, draft, new_outbox, proposal, remote


@pytest.mark.parametrize(
    ("proposed", "approved", "share"),
    [("a b c d", "a b c d", 1.0), ("a b c d", "", 0.0), ("", "", 1.0), ("a b c d", "a b c x", 0.75), ("a b", "c d", 0.0)],
)
def test_share(proposed: str, approved: str, share: float) -> None:
    """The common words of both."""
    assert kept_share(proposed, approved) == share


def test_each_verdict_on_a_draft_is_kept(db: Database, clock: HandClock, account: AccountId) -> None:
    """Approved counts whole, rejected not at all, feedback and mere notices are no verdict on a draft."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    reviews = Reviews(db, clock)
    steps = [
        (Action.ACCEPT, ReviewStatus.APPROVED),
        (Action.IGNORE, ReviewStatus.REJECTED),
        (Action.RESPOND, ReviewStatus.ANSWERED),
    ]
    for at, (action, status) in enumerate(steps):
        review = reviews.open(proposal(f"run-{at}"), "reply")
        row = new_outbox(marker=f"<{at}@x>") if action is Action.ACCEPT else None
        reviews.decide(Decide(review, 1, action), row, status, None)
    notice = reviews.open(proposal("run-8", kind=ReviewKind.NOTIFY), "notify")
    reviews.decide(Decide(notice, 1, Action.IGNORE), None, ReviewStatus.DISMISSED, None)
    saved = reviews.open(proposal("run-9", category="complaint"), "reply")
    row = new_outbox(marker="<9@x>", kind=OutboxKind.GMAIL_DRAFT)
    reviews.decide(Decide(saved, 1, Action.SAVE_DRAFT, draft("other words")), row, ReviewStatus.SAVED_AS_DRAFT, None)
    rows = db.read(
        "SELECT sender, category, outcome, kept FROM kept_drafts WHERE account_id = ? ORDER BY decision_id", (account,)
    )
    assert [tuple(row) for row in rows] == [
        ("ana@partner.org", "inquiry", "approved", 1.0),
        ("ana@partner.org", "inquiry", "rejected", 0.0),
        ("ana@partner.org", "complaint", "saved", 0.0),
    ]
