"""People found by what is typed of their names and addresses, through the index of contacts. Reads only.

Refuses to read more than some candidates, however many there are: who types one more letter sees others.
"""

import re
import sqlite3
from collections.abc import Iterable

from app.domain.mail import Address
from app.domain.ports.writing import KnownAddress
from app.store.packing import pack_strings, storable

CANDIDATES = 1000
_WORD = re.compile(r"[^\s\"\0]+")

_FOUND = """SELECT c.email, c.name, c.sent * 4 + c.received AS weight, c.organization FROM contacts c
    WHERE c.id IN (SELECT rowid FROM contact_fts WHERE contact_fts MATCH :match LIMIT :most)
        AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')
    ORDER BY c.sent > 0 DESC, weight DESC, c.last_contact DESC"""
_KNOWN = """SELECT DISTINCT c.email FROM contacts c WHERE c.account_id IN (SELECT id FROM accounts)
    AND c.email IN (SELECT value FROM json_each(:emails))
    AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')"""


def found_people(connection: sqlite3.Connection, typed: str, most: int, by_firm: bool) -> tuple[KnownAddress, ...]:
    """At most `most` people of whom each typed word begins a word of the name, the address or its domain, or with `by_firm` of
    the organization; most written to first, each address once."""
    words = [f'"{word}" *' for word in _WORD.findall(storable(typed))]
    if not words:
        return ()
    match = f"{'{words organization}' if by_firm else 'words'} : ({' AND '.join(words)})"
    found: dict[str, KnownAddress] = {}
    for one in (f"written : y AND {match}", match):
        for row in connection.execute(_FOUND, {"match": one, "most": CANDIDATES}):
            if len(found) == most:
                return tuple(found.values())
            found.setdefault(row[0], KnownAddress(Address(row[0], row[1]), row[2], row[3]))
    return tuple(found.values())


def known_emails(connection: sqlite3.Connection, emails: Iterable[str]) -> frozenset[str]:
    """Those of some lower-case addresses that are in any account's mail or address book."""
    asked = pack_strings(storable(one) for one in emails)
    return frozenset(row[0] for row in connection.execute(_KNOWN, {"emails": asked})) if asked else frozenset()
