"""Mail of the sample is found by meaning where its words are others, and by its words where those are typed.

The searches of `searches.yaml` run by words, by meaning and by both as the search page shows them.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm, mail_text, near_enough
from app.config.paths import resource
from app.domain.ids import GmailThreadId, HistoryId, MessageId, ThreadId
from app.domain.mail.message import MailContent, Message, RemoteMessage, SystemLabel
from app.domain.mail.quotes import newest_part
from app.domain.protocol.queries import FoundMail, blended, joined
from app.domain.record import Record
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.query_parser import by_meaning, parse_query
from app.store.search.search import Search
from fakes.providers.sample_box import SampleBox

FIRST = 10
HIDDEN = frozenset({SystemLabel.SPAM, SystemLabel.TRASH, SystemLabel.DRAFT})


class SearchCase(Record):
    """A search and its wanted conversations. None are wanted when no mail is about it."""

    text: str
    group: str
    threads: frozenset[ThreadId]


class SearchAnswer(Record):
    """The conversations found by words, by meaning, and as the page lists them."""

    wanted: SearchCase
    words: tuple[ThreadId, ...]
    meaning: tuple[ThreadId, ...]
    page: tuple[ThreadId, ...]
    best: tuple[ThreadId, ...] = ()
    """As the page lists them with the best first."""


class Finder:
    """A store with these mails, and their vectors."""

    def __init__(self, folder: Path, mails: Sequence[Message], embedder: MiniLm) -> None:
        self._db = Database.open(folder / "mail.db")
        account = Accounts(self._db).add("owner@example.com", "", (), "", "")
        store = Messages(self._db)
        store.apply(account, SyncPage(messages=tuple(map(_remote, mails))))
        ids = (store.by_gmail_id(account, one.gmail_id) for one in mails)
        self.mails = [one for one in ids if one is not None and not one.labels & HIDDEN]
        texts = [mail_text(one.subject, newest_part(one.body_text)) for one in self.mails]
        self._vectors: NDArray[np.float32] = np.asarray(embedder.embed(texts), dtype=np.float32)
        self._embedder = embedder
        self._search = Search(self._db)

    def answer(self, wanted: SearchCase) -> SearchAnswer:
        """Searches as the engine does and joins the results as the page does."""
        exact = self._search.find(wanted.text, 200).mails
        alike = self._alike(wanted.text, {one.thread_id for one in exact})
        everything = self._alike(wanted.text, set())
        ranked = self._search.find(wanted.text, 200, best_first=True).mails
        page = tuple(joined(exact, alike) if exact else blended(ranked[:FIRST], everything))
        best = tuple(blended(ranked, everything))
        return SearchAnswer(wanted, tuple(one.thread_id for one in exact), tuple(one.thread_id for one in everything), page, best)

    def close(self) -> None:
        self._search.close()
        self._db.close()

    def _alike(self, text: str, besides: set[ThreadId]) -> list[FoundMail]:
        words, _ = by_meaning(parse_query(text))
        if not words:
            return []
        cosines = self._vectors @ np.asarray(self._embedder.embed([self._embedder.question(words)])[0], dtype=np.float32)
        found: dict[ThreadId, MessageId] = {}
        for at in np.argsort(-cosines):
            mail = self.mails[int(at)]
            if mail.thread_id not in besides and near_enough(float(cosines[at]), newest_part(mail.body_text)):
                found.setdefault(mail.thread_id, mail.id)
        return [FoundMail(thread, message, ()) for thread, message in list(found.items())[:FIRST]]


def searches_of(entries: Mapping[str, Sequence[Mapping[str, Any]]], finder: Finder, box: SampleBox) -> list[SearchCase]:
    """The searches of a file, which names wanted mail by the number at the beginning of its file's name."""
    threads = {one.gmail_id: one.thread_id for one in finder.mails}
    by_number = {Path(name).name[:4]: threads[one.gmail_id] for name, one in box.mails.items() if one.gmail_id in threads}
    asked = []
    for one in entries["searches"]:
        wanted = frozenset(by_number[str(name)] for name in one["wanted"])
        asked.append(SearchCase(str(one["text"]), f"{one.get('kind', 'meaning')} {one.get('language', 'en')}", wanted))
    return asked + [SearchCase(str(one), "nothing", frozenset()) for one in entries.get("nothing", ())]


def recall(found: Sequence[ThreadId], wanted: frozenset[ThreadId], first: int = FIRST) -> float:
    """The share of wanted conversations among the first ones, of at most so many."""
    return len(wanted & set(found[:first])) / min(first, len(wanted))


def reciprocal_rank(found: Sequence[ThreadId], wanted: frozenset[ThreadId]) -> float:
    """1 if the first one is wanted, 1/2 if the second is the first wanted one, 0 for none."""
    return next((1 / place for place, one in enumerate(found, 1) if one in wanted), 0.0)


def _remote(mail: Message) -> RemoteMessage:
    content: dict[str, Any] = {name: getattr(mail, name) for name in MailContent.__struct_fields__}
    content |= {"gmail_thread_id": GmailThreadId(f"t{mail.thread_id}"), "body_html": "", "headers": (), "reply_to": ()}
    return RemoteMessage(**content, history_id=HistoryId(1), attachments=(), size=len(mail.body_text))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, box: SampleBox) -> Iterator[list[SearchAnswer]]:
    """The sample's searches, answered."""
    finder = Finder(tmp_path_factory.mktemp("found"), list(box.mails.values()), MiniLm.open())
    entries = YAML(typ="safe", pure=True).load(resource("sample", "searches.yaml"))
    yield [finder.answer(one) for one in searches_of(entries, finder, box)]
    finder.close()


def mean(answers: list[SearchAnswer], group: str, way: str) -> float:
    """Recall of a group."""
    of = [one for one in answers if one.wanted.group == group]
    assert len(of) > 1
    return float(np.mean([recall(getattr(one, way), one.wanted.threads) for one in of]))


def test_both_together_find_what_neither_finds_alone(answers: list[SearchAnswer]) -> None:
    assert mean(answers, "meaning en", "page") >= 0.85
    assert mean(answers, "meaning en", "words") <= 0.2
    assert mean(answers, "meaning cs", "page") >= 0.5
    assert mean(answers, "meaning cs", "page") >= mean(answers, "meaning cs", "meaning") + 0.05
    assert mean(answers, "words en", "page") >= 0.9
    for one in answers:
        assert one.page[: len(one.words)] == one.words


def test_the_best_first_is_no_worse_than_words_or_meaning_alone(answers: list[SearchAnswer]) -> None:
    asked = [one for one in answers if one.wanted.threads]
    assert len(asked) >= 60
    for group in {one.wanted.group for one in asked}:
        for way in ("words", "meaning"):
            assert mean(answers, group, "best") >= mean(answers, group, way), (group, way)
    ranks = {way: np.mean([reciprocal_rank(getattr(one, way), one.wanted.threads) for one in asked]) for way in ("best", "words")}
    assert ranks["best"] >= ranks["words"] + 0.3


def test_where_nothing_is_little_is_shown(answers: list[SearchAnswer]) -> None:
    silent = [one for one in answers if not one.wanted.threads]
    assert sum(bool(one.meaning) for one in silent) <= len(silent) // 3
    assert sum(bool(one.meaning) for one in silent[:4]) == 0, "keys that were hit at random"
