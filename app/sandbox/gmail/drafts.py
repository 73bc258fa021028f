"""Drafts as in Gmail: a draft keeps its id, while each change replaces its message."""

from app.sandbox.gmail.headers import facts_of
from app.sandbox.gmail.mailbox import MailboxStore, StoredMessage, thread_for_own
from app.sandbox.google_api.errors import not_found


class DraftStore:
    """The drafts of one mailbox."""

    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self._messages: dict[str, str] = {}

    def create(self, raw: bytes, thread_id: str | None) -> tuple[str, StoredMessage]:
        """Creates a draft and returns its id and message. Raises `ApiError` for a bad thread id."""
        row = self._store(raw, thread_for_own(self._mailbox, facts_of(raw), thread_id))
        return self.adopt(row), row

    def get(self, draft_id: str) -> StoredMessage:
        """The message of a draft. Raises `ApiError` 404."""
        message_id = self._messages.get(draft_id)
        row = self._mailbox.find(message_id) if message_id else None
        if row is None:
            raise not_found()
        return row

    def update(self, draft_id: str, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Replaces the message by one with a new id.

        Without a thread id the draft leaves a thread that it shares with other mail.
        """
        old = self.get(draft_id)
        thread = thread_for_own(self._mailbox, facts_of(raw), thread_id)
        alone = len(self._mailbox.thread(old.thread_id)) == 1
        return self.replace(draft_id, raw, thread or (old.thread_id if alone else None))

    def replace(self, draft_id: str, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Replaces the message by one in exactly this thread. Raises `ApiError` 404."""
        old = self.get(draft_id)
        row = self._store(raw, thread_id)
        self._mailbox.remove(old)
        self._messages[draft_id] = row.id
        return row

    def adopt(self, row: StoredMessage) -> str:
        """Makes a stored message a draft and returns the draft's id."""
        draft_id = "r" + str(int(self._mailbox.random_token("draft", 15), 16) + 10**17)
        self._messages[draft_id] = row.id
        return draft_id

    def delete(self, draft_id: str) -> None:
        """Deletes a draft and its message permanently. Raises `ApiError` 404."""
        self._mailbox.remove(self.get(draft_id))
        del self._messages[draft_id]

    def forget_message(self, message_id: str) -> None:
        """Drops the draft whose message was deleted on its own."""
        draft_id = self.id_of(message_id)
        if draft_id is not None:
            del self._messages[draft_id]

    def id_of(self, message_id: str) -> str | None:
        """Id of the draft with this message, or None."""
        return next((draft_id for draft_id, held in self._messages.items() if held == message_id), None)

    def listed(self) -> list[tuple[str, StoredMessage]]:
        """Every draft, newest message first."""
        held = [(draft_id, self._mailbox.get(message_id)) for draft_id, message_id in self._messages.items()]
        return sorted(held, key=lambda entry: entry[1].key, reverse=True)

    def _store(self, raw: bytes, thread_id: str | None) -> StoredMessage:
        return self._mailbox.add(raw, facts_of(raw), {"DRAFT"}, self._mailbox.clock.now_ms(), thread_id)
