"""One page of an archive inside one transaction: what is new, what is here already, whose labels changed.

A mail that an earlier copy of the archive had is known by its bytes, or by its Message-ID, date and words where only its labels
in the source changed. Refuses to delete: what a newer copy lacks stays.
"""

import json
import sqlite3
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from app.domain.archives import ArchivedMail, MailPlace
from app.domain.ids import AccountId, GmailId
from app.domain.mail import Label, Message, RemoteMessage, SystemLabel
from app.store.applying import apply_page
from app.store.instants import to_ms
from app.store.mail_rows import load_messages
from app.store.packing import id_list, storable
from app.store.pages import Applied, SyncPage

_ASIDE = frozenset({SystemLabel.TRASH.value, SystemLabel.SPAM.value})
_PUT = """INSERT INTO archive_places (account_id, gmail_id, file, start, length, digest, reading, added)
    VALUES (:account, :id, :file, :start, :length, :digest, :reading, :reading)
    ON CONFLICT (account_id, gmail_id) DO UPDATE SET former = :former, file = excluded.file, start = excluded.start,
        length = excluded.length, digest = excluded.digest, reading = excluded.reading"""
_STORED = """SELECT p.gmail_id, p.file, p.start, p.length, p.digest, p.reading,
        (SELECT json_group_array(l.label) FROM message_labels l WHERE l.message_id = m.id)
    FROM archive_places p JOIN messages m ON m.account_id = p.account_id AND m.gmail_id = p.gmail_id
    WHERE p.account_id = ? AND p.gmail_id IN (SELECT value FROM json_each(?))"""


class Counts(NamedTuple):
    """Mails of a page."""

    seen: int
    added: int
    relabelled: int


@dataclass(slots=True)
class _Stored:
    """A mail that is here: its place, the reading that saw it last, its labels."""

    place: MailPlace
    reading: int
    labels: frozenset[str]


@dataclass(slots=True)
class _Page:
    """What is found out about a page's mails, by the id each has here."""

    reading: int
    stored: dict[GmailId, _Stored]
    wanted: dict[GmailId, frozenset[str]] = field(default_factory=dict)
    places: dict[GmailId, MailPlace] = field(default_factory=dict)
    messages: dict[GmailId, RemoteMessage] = field(default_factory=dict)

    def take(self, gmail_id: GmailId, one: ArchivedMail, message: RemoteMessage) -> None:
        """A mail, perhaps one more copy of one that came before."""
        stored, digest = self.stored.get(gmail_id), one.place.gmail_id
        if gmail_id in self.wanted:
            self.wanted[gmail_id] = _together(self.wanted[gmail_id], message.labels)
        elif stored is not None and stored.reading == self.reading:
            self.wanted[gmail_id] = _together(stored.labels, message.labels)
        else:
            self.wanted[gmail_id] = message.labels
            self.places[gmail_id] = replace(one.place, digest="" if digest == gmail_id else digest)
        if digest == gmail_id:
            self.messages[gmail_id] = message

    def known(self) -> set[GmailId]:
        """Mails of earlier readings that this page saw first."""
        return {gid for gid in self.places if gid in self.stored}


def write_page(connection: sqlite3.Connection, account_id: AccountId, page: Sequence[ArchivedMail]) -> tuple[Applied, Counts]:
    """Write the mails and their places; the caller owns the transaction and notes the progress."""
    _name_labels(connection, account_id, [label for one in page for label in one.labels])
    reading = int(connection.execute("SELECT reading FROM archives WHERE account_id = ?", (account_id,)).fetchone()[0])
    found = _looked_at(connection, account_id, page, reading)
    off = {gid: one.labels - found.wanted[gid] for gid, one in found.stored.items() if gid in found.wanted}
    on = {gid: found.wanted[gid] - one.labels for gid, one in found.stored.items() if gid in found.wanted}
    messages = [replace(one, gmail_id=gid, labels=found.wanted[gid]) for gid, one in found.messages.items()]
    changes = SyncPage(
        messages=tuple(messages),
        add_labels=tuple((gid, labels) for gid, labels in on.items() if labels and gid not in found.messages),
        remove_labels=tuple((gid, labels) for gid, labels in off.items() if labels and gid not in found.messages),
        index=False,
    )
    applied = apply_page(connection, account_id, changes)
    connection.executemany(_PUT, [_row(account_id, gid, place, found) for gid, place in found.places.items()])
    relabelled = sum(1 for gid in found.known() if on[gid] or off[gid])
    seen = sum(1 for one in page if one.message is not None)
    return applied, Counts(seen, len(applied.new_ids), relabelled)


def _looked_at(connection: sqlite3.Connection, account_id: AccountId, page: Sequence[ArchivedMail], reading: int) -> _Page:
    mails = [(one, one.message) for one in page if one.message is not None]
    found = _Page(reading, _stored(connection, account_id, [one.place.gmail_id for one, _ in mails]))
    strange = [message for one, message in mails if one.place.gmail_id not in found.stored]
    like = _alike(connection, account_id, strange)
    found.stored |= _stored(connection, account_id, [one.gmail_id for some in like.values() for one in some])
    fresh: dict[Hashable, GmailId] = {}
    for one, message in mails:
        digest = one.place.gmail_id
        gmail_id = digest if digest in found.stored else _same(one, message, like.get(_head(message), []), found)
        words = (_head(message), storable(message.body_text))
        found.take(gmail_id or fresh.setdefault(words, digest), one, message)
    return found


def _same(one: ArchivedMail, message: RemoteMessage, candidates: list[Message], found: _Page) -> GmailId | None:
    """The mail here that this is a copy of."""
    words = storable(message.body_text)
    for each in candidates:
        earlier = found.stored[each.gmail_id].reading < found.reading if each.gmail_id in found.stored else False
        if each.gmail_id in found.stored and (each.body_text == words or (one.from_gmail and earlier)):
            return each.gmail_id
    return None


def _alike(
    connection: sqlite3.Connection, account_id: AccountId, strange: Sequence[RemoteMessage]
) -> dict[Hashable, list[Message]]:
    """Mails here with the heads of these."""
    if not strange:
        return {}
    sql = """SELECT id, date, rfc822_id FROM messages INDEXED BY messages_date
        WHERE date IN (SELECT value FROM json_each(?)) AND account_id = ?"""
    rows = connection.execute(sql, (id_list({to_ms(one.date) for one in strange}), account_id)).fetchall()
    wanted = {(to_ms(one.date), storable(one.rfc822_id)) for one in strange}
    numbers = [row[0] for row in rows if (row[1], row[2]) in wanted]
    like: dict[Hashable, list[Message]] = {}
    for message in load_messages(connection, numbers).values() if numbers else ():
        like.setdefault(_head(message), []).append(message)
    return like


def _head(mail: Message | RemoteMessage) -> Hashable:
    """What two copies of a mail share, whatever became of their labels."""
    files = tuple((storable(one.filename), one.size) for one in mail.attachments)
    return (to_ms(mail.date), storable(mail.rfc822_id), storable(mail.subject), mail.sender.email, mail.to, files)


def _stored(connection: sqlite3.Connection, account_id: AccountId, ids: Sequence[GmailId]) -> dict[GmailId, _Stored]:
    if not ids:
        return {}
    rows = connection.execute(_STORED, (account_id, id_list(ids)))
    return {
        GmailId(row[0]): _Stored(MailPlace(GmailId(row[0]), *row[1:5]), row[5], frozenset(json.loads(row[6]))) for row in rows
    }


def _together(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """The labels of two copies in different folders: one that was kept is not thrown away with the other."""
    both = mine | theirs
    return both if mine & _ASIDE and theirs & _ASIDE else both - _ASIDE


def _row(account_id: AccountId, gmail_id: GmailId, place: MailPlace, found: _Page) -> dict[str, object]:
    was = found.stored.get(gmail_id)
    former = ""
    if was is not None:
        former = json.dumps(
            [was.place.file, was.place.start, was.place.length, was.place.digest, was.reading, sorted(was.labels)]
        )
    return {
        "account": account_id,
        "id": gmail_id,
        "file": storable(place.file),
        "start": place.start,
        "length": place.length,
        "digest": place.digest,
        "reading": found.reading,
        "former": former,
    }


def _name_labels(connection: sqlite3.Connection, account_id: AccountId, labels: Sequence[Label]) -> None:
    """Names for the archive's own labels."""
    connection.executemany(
        "INSERT OR IGNORE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
        [(account_id, one.gmail_label_id, storable(one.name), one.kind) for one in dict.fromkeys(labels)],
    )
