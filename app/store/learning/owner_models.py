"""What triage learned from each account's archive: the table `owner_models`. The model itself is opaque here."""

import json
from collections.abc import Sequence

from app.domain.ids import AccountId
from app.domain.record import Record
from app.store.db.codecs import pack_bytes, unpack_bytes
from app.store.db.database import Table
from app.store.db.times import to_ms

_PUT = """INSERT INTO owner_models (account_id, version, at, examples, answered, strongest, model)
    SELECT id, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ? ON CONFLICT (account_id) DO UPDATE SET version = excluded.version,
    at = excluded.at, examples = excluded.examples, answered = excluded.answered, strongest = excluded.strongest,
    model = excluded.model"""


class StoredModel(Record):
    """A model in bytes. `answered` of `examples` messages were answered; `strongest` are features with what was learned."""

    version: str
    examples: int
    answered: int
    strongest: tuple[tuple[str, float], ...]
    model: bytes


class OwnerModels(Table):
    """One model an account. Nothing is stored for an account that is gone; a wipe deletes it."""

    def put(
        self, account_id: AccountId, version: str, counts: tuple[int, int], strongest: Sequence[tuple[str, float]], model: bytes
    ) -> None:
        """Stores an account's model in place of the one before. `counts` are examples and answered ones."""
        values = (version, to_ms(self._clock()), *counts, json.dumps(list(strongest)), pack_bytes(model), account_id)
        self._db.write(_PUT, values)

    def get(self, account_id: AccountId, version: str) -> StoredModel | None:
        """An account's model, None if there is none of this version."""
        rows = self._db.read("SELECT * FROM owner_models WHERE account_id = ? AND version = ?", (account_id, version))
        if not rows:
            return None
        (row,) = rows
        strongest = tuple((str(name), float(weight)) for name, weight in json.loads(row["strongest"]))
        return StoredModel(row["version"], row["examples"], row["answered"], strongest, unpack_bytes(row["model"]))
