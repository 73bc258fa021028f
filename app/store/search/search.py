"""Search in stored mail by words and by Gmail's operators, on a connection of its own."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from threading import Lock

import numpy as np

from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.language.search_text import index_words
from app.domain.language.words import is_stop_word
from app.domain.mail.message import Address
from app.domain.ports.agents import Clock
from app.domain.protocol.queries import FoundMail, FoundMails
from app.domain.record import replace
from app.store.db.codecs import id_list, storable, unpack_addresses
from app.store.db.database import Database
from app.store.db.times import from_ms
from app.store.search.explain import SearchedMail, explain
from app.store.search.matching import Matcher
from app.store.search.message_table import Ids, Mask
from app.store.search.query_parser import by_meaning, parse_query, read_query
from app.store.search.query_tree import EVERYTHING, AllOf, AnyOf, Phrase, SearchExpression

EXPLAINED = 30
"""Mails whose reasons come with the answer; more are not in view."""
BEST = 3
"""How many of the most relevant conversations stand above the newest."""
BEST_AMONG = 10
"""With fewer conversations all are in view, and their order stays."""
RANKED = 2000
"""Hits of a text that are ranked for the first `BEST` (3 ms); more say too little about a mail."""
SOME = 100
"""Mails with some of the words that are added to the best ones."""
MOST_OF_SOME = 20_000
"""The rarest words are looked for, as long as they are in fewer mails together (30 ms)."""
BEST_FIRST = 2000
"""Hits ranked when the most relevant are asked for first."""

_RANKED = "SELECT rowid FROM mail_fts WHERE mail_fts MATCH ? AND rank MATCH 'bm25(8, 4, 2, 1, 1, 1, 4, 1)' ORDER BY rank LIMIT ?"
_LEAN = """SELECT m.id, m.account_id, m.subject, m.sender_email, m.sender_name, m.to_list, m.cc_list, m.bcc_list, m.date, b.text
    FROM messages m JOIN bodies b ON b.message_id = m.id WHERE m.id IN (SELECT value FROM json_each(?))"""
_BEGINNINGS = "SELECT message_id, substr(text, 1, 3000) FROM bodies WHERE message_id IN (SELECT value FROM json_each(?))"
_LABELS = "SELECT message_id, label FROM message_labels WHERE message_id IN (SELECT value FROM json_each(?))"
_FILES = (
    "SELECT message_id, filename FROM attachments WHERE NOT inline AND message_id IN (SELECT value FROM json_each(?)) ORDER BY id"
)


class Search:
    """Runs queries one at a time. Thread-safe; `interrupt` stops a query from another thread."""

    def __init__(self, db: Database, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self._clock, self._db = clock, db
        self._connection = db.private_reader()
        self._matcher = Matcher(self._connection)
        self._lock = Lock()

    def thread_ids(self, query: SearchExpression | str, limit: int = 500) -> list[ThreadId]:
        """Threads with a matching message, newest match first. Raises `NotAllowed` when the query cannot be parsed."""
        with self._lock, self._db.border():
            table = self._matcher.table
            found = table.first_of_each(table.newest(self._matching(_expression(query))))
            return [thread for thread, _ in table.conversations(found[:limit])]

    def message_ids(
        self,
        query: SearchExpression | str,
        limit: int = 500,
        account_id: AccountId = AccountId(0),
        conversation: MessageId = MessageId(0),
    ) -> list[MessageId]:
        """Matching messages, newest first; only of this account and of this message's conversation where they are given."""
        with self._lock, self._db.border():
            found = self._matching(_expression(query))
            if account_id:
                found = found & self._matcher.table.of_account(account_id)
            if conversation:
                found = found & self._matcher.table.of_conversation(conversation)
            return [MessageId(one) for one in self._matcher.table.newest(found)[:limit].tolist()]

    def matching(self, query: SearchExpression) -> Mask:
        """For each message id whether the message matches."""
        with self._lock, self._db.border():
            return self._matching(query)

    def threads_of(self, ids: Iterable[MessageId]) -> dict[MessageId, ThreadId]:
        """The threads of messages, without those that are gone."""
        with self._lock, self._db.border():
            table = self._matcher.table
            return {one: ThreadId(int(table.thread[one])) for one in ids if one < len(table.exists) and table.exists[one]}

    def beginnings(self, ids: Iterable[MessageId]) -> dict[MessageId, str]:
        """The first 3,000 characters of messages, without those that are gone."""
        with self._lock, self._db.border():
            return {MessageId(row[0]): str(row[1]) for row in self._connection.execute(_BEGINNINGS, (id_list(ids),))}

    def find(self, text: str, limit: int, *, typing: bool = False, best_first: bool = False) -> FoundMails:
        """Conversations with a match, each with its newest matching message; the first `EXPLAINED` with reasons."""
        asked = read_query(text, typing)
        if asked.notes and asked.expression == EVERYTHING:  # not all mail, which a key might then move to the trash
            return FoundMails((), more=False, notes=asked.notes)
        with self._lock, self._db.border():
            table = self._matcher.table
            mask = self._matching(asked.expression)
            rows = table.first_of_each(table.newest(mask))
            best = self._best(asked.expression, mask, best_first) if len(rows) > BEST_AMONG else rows[:0]
            some = self._with_some_words(asked.expression) if best_first and len(rows) < limit else rows[:0]
            chosen = table.first_of_each(np.concatenate((best, rows, some)))[:limit]
            best_count = 0 if np.array_equal(chosen, rows[:limit]) else len(best)
            found = tuple(FoundMail(thread, one, ()) for thread, one in table.conversations(chosen))
            explained = self._explained(asked.expression, found[:EXPLAINED])
        mails = (*explained, *found[EXPLAINED:])
        return FoundMails(mails, len(rows) > limit, len(rows), best_count, asked.notes)

    def explained(self, text: str, mails: Sequence[FoundMail], *, typing: bool = False) -> tuple[FoundMail, ...]:
        """The mails with the reasons why they match, without those that are gone."""
        with self._lock, self._db.border():
            self._matcher.refresh(self._db.mail_version())
            return self._explained(read_query(text, typing).expression, mails)

    def _file_texts(self, number: int) -> list[str]:
        return [row[0] for row in self._connection.execute("SELECT text FROM file_texts WHERE message_id = ?", (number,))]

    def suggestion(self, text: str) -> str:
        """The search with likelier words in place of rare ones (20 ms); empty for none."""
        suggested = text
        with self._lock, self._db.border():
            for word in _free_words(read_query(text).expression):
                likelier = self._matcher.words.likelier(word)
                if likelier:
                    start = suggested.lower().find(word)
                    suggested = suggested if start < 0 else suggested[:start] + likelier + suggested[start + len(word) :]
        return suggested if suggested != text else ""

    def count(self, text: str) -> int:
        """How many conversations match a search."""
        with self._lock, self._db.border():
            table = self._matcher.table
            return len(table.first_of_each(table.newest(self._matching(read_query(text).expression))))

    def refresh(self) -> None:
        """Reads dates ahead, so that the first search is as quick as the others."""
        with self._lock, self._db.border():
            self._matcher.refresh(self._db.mail_version())

    def interrupt(self) -> None:
        """Stops the running query, which then raises `NotAllowed`."""
        self._connection.interrupt()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _matching(self, expression: SearchExpression) -> Mask:
        self._matcher.refresh(self._db.mail_version())
        return self._matcher.matching(expression, self._clock().astimezone())

    def _best(self, expression: SearchExpression, mask: Mask, best_first: bool) -> Ids:
        """The most relevant message of each of the most relevant conversations. None where the text is in too much mail."""
        query, table = storable(self._matcher.ranking_query(expression, subjects=best_first)), self._matcher.table
        if not query or not (best_first or self._matcher.hits(query) <= RANKED):
            return np.zeros(0, dtype=np.int64)
        rows = self._connection.execute(_RANKED, (query, BEST_FIRST if best_first else 20 * BEST)).fetchall()
        ids: Ids = np.array([row[0] for row in rows], dtype=np.int64)
        kept = ids[ids < len(mask)]
        first = table.first_of_each(kept[mask[kept]])
        return first if best_first else first[:BEST]

    def _with_some_words(self, expression: SearchExpression) -> Ids:
        """Mails with any of the longer free words that fulfil the conditions, the most relevant first; none for one word."""
        words, rest = by_meaning(expression)
        known = {one: self._matcher.words.count(one) for one in index_words(words) if not is_stop_word(one) and len(one) > 2}
        telling = sorted((one for one in known if known[one]), key=lambda one: known[one])
        chosen = [
            one for at, one in enumerate(telling) if sum(known[each] for each in telling[: at + 1]) <= MOST_OF_SOME or not at
        ]
        if len(known) < 2 or not chosen:
            return np.zeros(0, dtype=np.int64)
        query = self._matcher.ranking_query(AnyOf(tuple(Phrase(one) for one in chosen)), subjects=False)
        rows = self._connection.execute(_RANKED, (storable(query), SOME)).fetchall()
        ids: Ids = np.array([row[0] for row in rows], dtype=np.int64)
        mask = self._matching(rest)
        kept = ids[ids < len(mask)]
        return self._matcher.table.first_of_each(kept[mask[kept]])

    def _explained(self, expression: SearchExpression, mails: Sequence[FoundMail]) -> tuple[FoundMail, ...]:
        read = self._read([one.message_id for one in mails])
        return tuple(
            replace(one, why=explain(expression, read[one.message_id], self._matcher.forms))
            for one in mails
            if one.message_id in read
        )

    def _read(self, ids: Sequence[MessageId]) -> dict[int, SearchedMail]:
        """Only the columns that reasons are looked for in."""
        wanted = (id_list(ids),)
        names = self._connection.execute("SELECT account_id, gmail_label_id, name FROM labels").fetchall()
        labels = {(row[0], row[1]): str(row[2]) for row in names}
        of_mail: dict[int, list[str]] = defaultdict(list)
        for number, label in self._connection.execute(_LABELS, wanted):
            of_mail[number].append(label)
        files: dict[int, list[str]] = defaultdict(list)
        for number, name in self._connection.execute(_FILES, wanted):
            files[number].append(name)
        return {
            row["id"]: SearchedMail(
                row["subject"],
                Address(row["sender_email"], row["sender_name"]),
                tuple(one for name in ("to_list", "cc_list", "bcc_list") for one in unpack_addresses(row[name])),
                from_ms(row["date"]),
                row["text"],
                tuple(labels.get((row["account_id"], one), one) for one in sorted(of_mail[row["id"]])),
                tuple(files[row["id"]]),
                partial(self._file_texts, row["id"]),
            )
            for row in self._connection.execute(_LEAN, wanted)
        }


def _expression(query: SearchExpression | str) -> SearchExpression:
    return parse_query(query) if isinstance(query, str) else query


def _free_words(expression: SearchExpression) -> list[str]:
    """The words of a search that may be misspelled: no operators, nothing in quotes."""
    match expression:
        case Phrase(text=text, columns=(), quoted=False):
            return [one for one in index_words(text) if one in text.lower()]
        case AllOf(parts):
            return [word for one in parts for word in _free_words(one)]
        case _:
            return []
