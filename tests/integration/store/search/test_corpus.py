"""What was read is told again until the next commit, and never from before one.

What agents read: neighbours that may be used, and the owner's answers that followed.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.corpus import StoreCorpus, questions_of, vector_kinds
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.store.values import ANA, ME, remote

MAIL = (
    remote("q1", "t1", text="When does it arrive?"),
    remote("a1", "t1", text="On Friday.", sender=ME, labels=("SENT",), minutes=5),
    remote("a2", "t1", text="Sorry, Monday.", sender=ME, labels=("SENT",), minutes=9),
    remote("q2", "t2", text="Where is it?", minutes=20),
    remote("q3", "t3", text="When, please?", minutes=30),
    remote("s", "t4", text="spam", labels=("SPAM",), minutes=31),
)
X = [1.0, 0.0, 0.0]


@pytest.fixture
def vectors(tmp_path: Path) -> Iterator[Vectors]:
    """An empty vector store."""
    with closing(Vectors.open(tmp_path / "chroma", "m", 3)) as opened:
        yield opened


def test_the_corpus(db: Database, account: AccountId, vectors: Vectors) -> None:
    """All of the port on one mailbox."""
    corpus = StoreCorpus(db, vectors)
    assert corpus.similar(account, X, 5, ThreadId(0)) == ()
    ids = Messages(db).apply(account, SyncPage(messages=MAIL)).new_ids
    kinds = vector_kinds(db, ids)
    assert [kinds[one] for one in ids] == [VectorKind.ANSWERED] + [VectorKind.OTHER] * 5
    vectors.upsert(account, [(one, [1.0, at / 10, 0.0], kinds[one]) for at, one in enumerate(ids)])
    by_key = {one.gmail_id: one for one in Messages(db).many(ids).values()}

    similar = corpus.similar(account, X, 9, by_key[GmailId("q3")].thread_id)
    assert [one.gmail_id for one, _ in similar] == ["q1", "a1", "a2", "q2"]
    assert similar[0][1] == pytest.approx(1.0, abs=1e-3)
    assert len(corpus.similar(account, X, 2, ThreadId(0))) == 2

    (reply,) = corpus.own_replies(account, X, 5, by_key[GmailId("q3")].thread_id)
    assert (reply.question.gmail_id, reply.answer.gmail_id) == ("q1", "a1")
    assert corpus.own_replies(account, X, 5, by_key[GmailId("q1")].thread_id) == ()
    assert corpus.own_replies(account, X, 0, ThreadId(0)) == ()

    assert corpus.account(account).email == ME.email
    assert corpus.message(ids[0]) == by_key[GmailId("q1")]
    assert [one.gmail_id for one in corpus.thread(by_key[GmailId("q1")].thread_id)] == ["q1", "a1", "a2"]
    assert corpus.contact(account, ANA.email).received == 4  # type: ignore[union-attr]


def test_a_later_answer_turns_questions(db: Database, account: AccountId) -> None:
    """When the owner's answer arrives, the mails it follows are to be indexed again."""
    first = Messages(db).apply(account, SyncPage(messages=(remote("q", "t"), remote("other", "u")))).new_ids
    assert vector_kinds(db, first) == {first[0]: VectorKind.OTHER, first[1]: VectorKind.OTHER}
    sent = Messages(db).apply(account, SyncPage(messages=(remote("a", "t", sender=ME, labels=("SENT",), minutes=1),))).new_ids
    assert questions_of(db, sent) == (first[0],)
    assert questions_of(db, first) == ()
    assert vector_kinds(db, [*first, MessageId(99)])[first[0]] == VectorKind.ANSWERED


def test_gone_messages_are_no_neighbours(db: Database, account: AccountId, vectors: Vectors) -> None:
    """A vector whose message was deleted or thrown away is passed over."""
    ids = Messages(db).apply(account, SyncPage(messages=MAIL)).new_ids
    vectors.upsert(account, [(one, X, VectorKind.ANSWERED) for one in ids])
    Messages(db).apply(account, SyncPage(delete=(GmailId("q1"),)))
    Messages(db).modify_local([ids[3]], ("TRASH",), ())
    corpus = StoreCorpus(db, vectors)
    assert {one.gmail_id for one, _ in corpus.similar(account, X, 9, ThreadId(0))} == {"a1", "a2", "q3"}
    assert corpus.own_replies(account, X, 9, ThreadId(0)) == ()
