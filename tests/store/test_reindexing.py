"""Mail whose vectors were lost is queued again: all that may be a source, nothing twice."""

from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.jobs import Jobs
from app.store.messages import Messages
from app.store.pages import SyncPage
from app.store.reindexing import index_again
from fakes.stored_mail import HandClock, remote


def test_everything_that_may_be_a_source_is_queued_once(db: Database, account: AccountId, clock: HandClock) -> None:
    """Spam, trash and drafts are none; jobs that wait stay as they are; given-up ones get another chance; newest first."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    labels = {"spam": ("SPAM",), "trash": ("TRASH",), "draft": ("DRAFT",)}
    mails = [
        remote(key, labels=labels.get(key, ("INBOX",)), minutes=at)
        for at, key in enumerate(("a", "b", "spam", "trash", "draft", "c"))
    ]
    applied = Messages(db).apply(account, SyncPage(messages=tuple(mails)))
    Messages(db).apply(other, SyncPage(messages=(remote("z"),)))
    jobs = Jobs(db, clock)
    done = jobs.claim_many("index", 60, 9)
    for one in done[1:]:
        jobs.done(one.id)
    jobs.fail(done[0].id, "IndexLost", None)
    jobs.put("index", str(applied.new_ids[0]), "")
    assert index_again(db, account) == 2
    assert index_again(db, account) == 0
    keys = [one.key for one in jobs.claim_many("index", 60, 9)]
    by_gmail = {gid: str(Messages(db).by_gmail_id(account, gid).id) for gid in ("a", "b", "c")}  # type: ignore[union-attr, arg-type]
    assert sorted(keys) == sorted(by_gmail.values())
    assert keys.index(by_gmail["c"]) < keys.index(by_gmail["b"])
