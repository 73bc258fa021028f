"""Who got what the owner wrote: without the owner, without quotes, and anew when there is new mail."""

from app.agent.runtime.dependencies import OwnLetters
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, Room, RoomCorpus, mail


class KeptCorpus(RoomCorpus):
    """A corpus that gives the same tuple until it is told otherwise, as the store's does."""

    kept: tuple[Message, ...] | None = None

    def own_mail(self, account_id: AccountId, limit: int) -> tuple[Message, ...]:
        """From the store, once."""
        if self.kept is None:
            self.kept = super().own_mail(account_id, limit)
        return self.kept


def test_letters_are_made_ready_once_and_anew_for_new_mail(room: Room) -> None:
    corpus = KeptCorpus(room.corpus.accounts, room.messages, room.corpus.contacts, room.corpus.rows)
    letters = OwnLetters(corpus)
    account = corpus.account(room.account_id)
    assert letters.of(account) == ()
    quoted = "Yes, gladly.\n\nOn Mon, 3 Mar 2026 at 9:00, Ann wrote:\n> Could you?"
    room.put(mail("Could you?"), mail(quoted, key="a1", sender=OWNER, to=(ANN, OWNER), labels=SENT))
    assert letters.of(account) == ()
    corpus.kept = None
    told = letters.of(account)
    assert told == ((frozenset({ANN.email}), "Yes, gladly."),)
    assert letters.of(account) is told
