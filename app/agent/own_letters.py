"""What the owner wrote lately and to whom, made ready once for as long as the mailbox gives the same mails.

It tells which sentences are written to everybody; read only where a draft quotes at all.
"""

from app.domain.ids import AccountId
from app.domain.mail import Account, Message
from app.domain.ports.agents import Corpus
from app.domain.private_words import Letter
from app.domain.quotes import newest_part
from app.domain.recipients import own_addresses
from app.domain.red_flags import readers

OWN_MAIL_READ = 150
"""The owner's newest mails that are looked at."""

Ready = tuple[Account, tuple[Message, ...], tuple[Letter, ...]]


class OwnLetters:
    """Of each account. Thread-safe; two threads may make the same ones ready."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._ready: dict[AccountId, Ready] = {}

    def of(self, account: Account) -> tuple[Letter, ...]:
        """Who got each of the newest, the owner aside, and its newest part."""
        mails = self._corpus.own_mail(account.id, OWN_MAIL_READ)
        known = self._ready.get(account.id)
        if known is None or known[0] != account or known[1] is not mails:
            own = own_addresses(account)
            known = (account, mails, tuple((readers(one) - own, newest_part(one.body_text)) for one in mails))
            self._ready[account.id] = known
        return known[2]
