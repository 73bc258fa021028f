"""Vectors in a real Chroma: whole batches, kinds apart, emptied for another model, no loss when damaged.

Mail whose vectors were lost is queued again: all that may be a source, nothing twice.
"""

from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import IndexLost, NotAllowed
from app.domain.ids import AccountId, MessageId
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.vectors import BATCH, Entry, VectorKind, Vectors, index_again
from fakes.engine.store.values import HandClock, remote

ONE, TWO = AccountId(1), AccountId(2)


def entry(number: int, x: float = 1.0, y: float = 0.0, kind: str = VectorKind.OTHER) -> Entry:
    """A message's vector in the plane."""
    return (MessageId(number), [x, y, 0.0], kind)


def test_nearest(tmp_path: Path) -> None:
    """Nearest first with cosine similarity in 0..1; accounts and kinds apart; more than one batch."""
    with closing(Vectors.open(tmp_path / "chroma", "m", 3)) as vectors:
        assert vectors.nearest(ONE, [1.0, 0.0, 0.0], 3) == []
        vectors.upsert(ONE, [entry(at, 1.0, at / 100) for at in range(1, 2 * BATCH + 2)])
        vectors.upsert(ONE, [entry(500, 0.0, 1.0, VectorKind.ANSWERED), entry(501, -1.0, 0.0, VectorKind.ANSWERED)])
        assert vectors.count(ONE) == 2 * BATCH + 3
        assert vectors.count(ONE, VectorKind.ANSWERED) == 2
        near = vectors.nearest(ONE, [1.0, 0.0, 0.0], 2)
        assert [number for number, _ in near] == [1, 2]
        assert near[0][1] == pytest.approx(1.0, abs=1e-3)
        answered = vectors.nearest(ONE, [1.0, 0.0, 0.0], 9, VectorKind.ANSWERED)
        assert answered == [(500, pytest.approx(0.0, abs=1e-6)), (501, 0.0)]
        assert vectors.nearest(TWO, [1.0, 0.0, 0.0], 2) == []


def test_upsert_replaces_vector_and_kind(tmp_path: Path) -> None:
    """The same message again has one row, and may change its kind both ways."""
    with closing(Vectors.open(tmp_path / "chroma", "m", 3)) as vectors:
        vectors.upsert(ONE, [entry(1), entry(2)])
        vectors.upsert(ONE, [entry(1, 0.0, 1.0, VectorKind.ANSWERED)])
        assert (vectors.count(ONE), vectors.count(ONE, VectorKind.ANSWERED)) == (2, 1)
        assert vectors.nearest(ONE, [0.0, 1.0, 0.0], 1)[0][0] == 1
        vectors.upsert(ONE, [entry(1, 0.0, 1.0)])
        assert vectors.count(ONE, VectorKind.ANSWERED) == 0
        with pytest.raises(NotAllowed, match="2 numbers, not 3"):
            vectors.upsert(ONE, [(MessageId(3), [1.0, 0.0], VectorKind.OTHER)])
        assert vectors.count(ONE) == 2


def test_it_survives_closing_and_another_model_empties_it(tmp_path: Path) -> None:
    """What was written is there again; vectors of another model or length are thrown away, and said so."""
    path = tmp_path / "chroma"
    with closing(Vectors.open(path, "m", 3)) as vectors:
        assert not vectors.emptied
        vectors.upsert(ONE, [entry(1)])
    with closing(Vectors.open(path, "m", 3)) as vectors:
        assert (vectors.emptied, vectors.count(ONE)) == (False, 1)
    for model, dimension in (("m2", 3), ("m2", 4)):
        with closing(Vectors.open(path, model, dimension)) as vectors:
            assert (vectors.emptied, vectors.count(ONE)) == (True, 0)
            vectors.upsert(ONE, [(MessageId(1), [1.0] * dimension, VectorKind.OTHER)])


def test_a_damaged_folder_is_built_anew(tmp_path: Path) -> None:
    """A cache that is no database any more is thrown away."""
    path = tmp_path / "chroma"
    with closing(Vectors.open(path, "m", 3)) as vectors:
        vectors.upsert(ONE, [entry(1)])
    (path / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with closing(Vectors.open(path, "m", 3)) as vectors:
        assert (vectors.emptied, vectors.count(ONE)) == (True, 0)
        vectors.upsert(ONE, [entry(1)])
        assert vectors.count(ONE) == 1


def test_damage_while_in_use_is_told_and_healed_by_opening_again(tmp_path: Path) -> None:
    """Files of the graph that are garbage come up at the first question: said, and built anew at the next opening."""
    path, told = tmp_path / "chroma", []
    with closing(Vectors.open(path, "m", 3)) as vectors:
        for start in range(0, 1200, BATCH):
            vectors.upsert(ONE, [entry(start + at, 1.0, at / 100) for at in range(BATCH)])
        vectors.nearest(ONE, [1.0, 0.0, 0.0], 1)
    parts = [one for one in path.rglob("*") if one.suffix in (".bin", ".pickle")]
    assert parts
    for part in parts:
        part.write_bytes(b"\xff" * part.stat().st_size)
    with closing(Vectors.open(path, "m", 3, lambda: told.append(1))) as vectors:
        assert not vectors.emptied
        with pytest.raises(IndexLost):
            vectors.nearest(ONE, [1.0, 0.0, 0.0], 1)
    assert told
    with closing(Vectors.open(path, "m", 3)) as vectors:
        assert (vectors.emptied, vectors.count(ONE)) == (True, 0)


def test_everything_that_may_be_a_source_is_queued_once(db: Database, account: AccountId, clock: HandClock) -> None:
    """Spam, trash and drafts are none; jobs that wait stay as they are; given-up ones get another chance; newest first."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    labels = {"spam": ("SPAM",), "trash": ("TRASH",), "draft": ("DRAFT",)}
    mails = [
        remote(key, labels=labels.get(key, ("INBOX",)), minutes=at)
        for at, key in enumerate(("a", "b", "spam", "trash", "draft", "c"))
    ]
    applied = Messages(db).apply(account, SyncPage(messages=tuple(mails)))
    Messages(db).apply(other, SyncPage(messages=(remote("z"),)))
    jobs = Jobs(db, clock)
    done = jobs.claim_many("index", 60, 9)
    for one in done[1:]:
        jobs.done(one.id)
    jobs.fail(done[0].id, "IndexLost", None)
    jobs.put("index", str(applied.new_ids[0]), "")
    assert index_again(db, account) == 2
    assert index_again(db, account) == 0
    keys = [one.key for one in jobs.claim_many("index", 60, 9)]
    by_gmail = {gid: str(Messages(db).by_gmail_id(account, gid).id) for gid in ("a", "b", "c")}  # type: ignore[union-attr, arg-type]
    assert sorted(keys) == sorted(by_gmail.values())
    assert keys.index(by_gmail["c"]) < keys.index(by_gmail["b"])
