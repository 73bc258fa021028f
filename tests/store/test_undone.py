"""An undo touches the account that the change was made in, whatever another one has under the same ids."""

from app.domain.ids import AccountId, GmailId
from app.store.accounts import Accounts
from app.store.actions import Actions
from app.store.database import Database
from app.store.messages import Messages
from app.store.pages import SyncPage
from fakes.stored_mail import HandClock, remote


def test_the_other_account_keeps_its_labels(db: Database, account: AccountId, clock: HandClock) -> None:
    messages, actions = Messages(db), Actions(db, clock)
    other = Accounts(db).add("second@example.org", "Second", (), "", "")
    for one, labels in ((account, ("INBOX",)), (other, ())):
        messages.apply(one, SyncPage((remote("a", labels=labels),)))
    own, others = (messages.by_gmail_id(one, GmailId("a")) for one in (account, other))
    assert own is not None
    assert others is not None
    actions.change("k", (own.thread_id,), (), ("INBOX",))
    assert actions.undo("k").threads == {account: (own.thread_id,)}
    assert [messages.labels_of(one.id) for one in (own, others)] == [{"INBOX"}, set()]
