"""Gmail's search as far as Replyroom asks the server, with the lag of Gmail's index."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from app.sandbox.gmail.mailbox import Key, MailboxStore, StoredMessage
from app.sandbox.google_api.errors import ApiError, invalid_argument

AGE_S = {"d": 86_400, "m": 30 * 86_400, "y": 365 * 86_400}
HIDDEN = frozenset({"SPAM", "TRASH"})
TERM = re.compile(r"(-?)(\w+):(.+)")
Accept: TypeAlias = Callable[[StoredMessage], bool]


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What a list request asks for. `hidden_too` includes spam and trash."""

    query: str = ""
    labels: Collection[str] = ()
    hidden_too: bool = False


class MessageSearch:
    """Finds messages of one mailbox. `lag_s` is how long a new message stays out of every list."""

    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self.lag_s = 0.0

    def rows(self, wanted: ListQuery, before: Key | None = None) -> Iterator[StoredMessage]:
        """Matching messages, newest first, starting below `before`."""
        return filter(self.accepts(wanted), self._mailbox.newest_first(before))

    def accepts(self, wanted: ListQuery) -> Accept:
        """The predicate of a query. Raises `ApiError` 400 for a term that is not served."""
        terms = [self._term(term) for term in wanted.query.split()]
        open_ = wanted.hidden_too or bool(HIDDEN & set(wanted.labels)) or "in:anywhere" in wanted.query
        labels = frozenset(wanted.labels)
        indexed_by_s = self._mailbox.clock.now_s() - self.lag_s

        def accept(row: StoredMessage) -> bool:
            if not labels <= row.labels or (not open_ and row.labels & HIDDEN):
                return False
            if self.lag_s and row.written_s > indexed_by_s:
                return False
            return all(term(row) for term in terms)

        return accept

    def _term(self, term: str) -> Accept:
        found = TERM.fullmatch(term)
        if found is None:
            raise _unserved(term)
        accept = self._meaning(found[2], found[3])
        return (lambda row: not accept(row)) if found[1] else accept

    def _meaning(self, operator: str, value: str) -> Accept:
        match operator:
            case "in" | "is" | "label":
                return self._labelled(value)
            case "subject":
                return lambda row: value.casefold() in row.facts.subject.casefold()
            case "rfc822msgid":
                return lambda row: row.facts.message_id.strip("<>") == value.strip("<>")
            case "after" if value.isdecimal():
                return lambda row: row.internal_ms >= int(value) * 1000
            case "newer_than" if age := re.fullmatch(r"(\d+)([dmy])", value):
                edge_s = self._mailbox.clock.now_s() - int(age[1]) * AGE_S[age[2]]
                return lambda row: row.internal_ms >= edge_s * 1000
            case "smaller" if size := re.fullmatch(r"(\d+)M", value):
                return lambda row: row.place.size < int(size[1]) * 1_048_576
        raise _unserved(f"{operator}:{value}")

    def _labelled(self, value: str) -> Accept:
        if value == "anywhere":
            return lambda _: True
        label_id = self._mailbox.labels.id_for_name("DRAFT" if value == "drafts" else value)
        return lambda row: label_id in row.labels


def _unserved(term: str) -> ApiError:
    return invalid_argument(f"The sandbox does not search for {term}")
