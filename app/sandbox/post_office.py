"""Sending and delivery between the accounts of one sandbox. Nothing ever leaves the process."""

from collections.abc import Iterable, Sequence
from email.utils import format_datetime

from app.sandbox.account import GoogleAccount
from app.sandbox.gmail.headers import Facts, addresses_in, facts_of, rewrite_head
from app.sandbox.gmail.mailbox import StoredMessage, thread_for_arrival, thread_for_own
from app.sandbox.google_api.errors import invalid_argument


class PostOffice:
    """Sends and delivers mail as Gmail does."""

    def __init__(self, accounts: Sequence[GoogleAccount]) -> None:
        self._accounts = accounts

    def send(self, account: GoogleAccount, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Sends a mail. Raises `ApiError` 400 or 404 before anything is written."""
        facts = facts_of(raw)
        _check_recipients(facts)
        return self._post(account, raw, facts, thread_for_own(account.mailbox, facts, thread_id))

    def send_draft(self, account: GoogleAccount, draft_id: str, raw: bytes | None, thread_id: str | None) -> StoredMessage:
        """Sends a draft, with other content if given.

        The draft is deleted and the sent message has a new id.
        """
        draft = account.drafts.get(draft_id)
        content = raw if raw is not None else account.mailbox.raw(draft)
        facts = facts_of(content)
        _check_recipients(facts)
        thread = thread_for_own(account.mailbox, facts, thread_id) if thread_id else draft.thread_id
        account.drafts.delete(draft_id)
        return self._post(account, content, facts, thread)

    def arrive(
        self, account: GoogleAccount, raw: bytes, labels: Iterable[str], internal_ms: int, facts: Facts | None = None
    ) -> StoredMessage:
        """Adds an arriving mail to a mailbox, in the thread its headers name. `facts` avoids parsing it again."""
        facts = facts or facts_of(raw)
        thread = thread_for_arrival(account.mailbox, facts, internal_ms)
        return account.mailbox.add(raw, facts, labels, internal_ms, thread)

    def _post(self, account: GoogleAccount, raw: bytes, given: Facts, thread: str | None) -> StoredMessage:
        sent = self._with_send_headers(account, given, raw)
        facts = facts_of(sent)
        people = addresses_in(facts.to, facts.cc, facts.bcc)
        labels = {"SENT", "INBOX", "UNREAD"} if any(account.owns(person) for person in people) else {"SENT"}
        row = account.mailbox.add(sent, facts, labels, account.mailbox.clock.now_ms(), thread)
        self._deliver_to_others(account, sent, people)
        return row

    def _with_send_headers(self, account: GoogleAccount, facts: Facts, raw: bytes) -> bytes:
        given = addresses_in(facts.sender)
        identity = account.identity(given[0]) if given else None
        changes: dict[str, str | None] = {
            "Message-ID": f"<CA{account.mailbox.random_token('sent', 40)}@mail.gmail.com>",
            "Date": format_datetime(account.mailbox.clock.moment()),
        }
        if identity is None:
            changes["From"] = account.identities[0].header
        if not any(line.lower().startswith(b"mime-version") for line in raw[:20_000].splitlines()):
            changes["MIME-Version"] = "1.0"
        return rewrite_head(raw, changes)

    def _deliver_to_others(self, sender: GoogleAccount, sent: bytes, people: list[str]) -> None:
        copy = rewrite_head(sent, {"Bcc": None})
        for account in self._accounts:
            if account is not sender and any(account.owns(person) for person in people):
                self.arrive(account, copy, {"INBOX", "UNREAD"}, account.mailbox.clock.now_ms())


def _check_recipients(facts: Facts) -> None:
    if not (facts.to or facts.cc or facts.bcc):
        raise invalid_argument("Recipient address required")
    for name, value in (("To", facts.to), ("Cc", facts.cc), ("Bcc", facts.bcc)):
        if value and not addresses_in(value) and ":" not in value:
            raise invalid_argument(f"Invalid {name} header")
