"""Measures search: `python -m app.evals.searching [--misses]`.

Runs the searches of `searches.yaml` on the sample mailbox, by words, by meaning and by both as the search page shows them, and
prints the share of wanted conversations among the first five and ten (recall) and how far up the first one is (mean reciprocal
rank).
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm, mail_text, near_enough
from app.config.paths import resource
from app.domain.ids import GmailThreadId, HistoryId, MessageId, ThreadId
from app.domain.mail.message import MailContent, Message, RemoteMessage, SystemLabel
from app.domain.mail.quotes import newest_part
from app.domain.protocol.queries import FoundMail, blended, joined
from app.domain.record import Record
from app.evals.mail_files import SampleBox, read_sample
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.query_parser import by_meaning, parse_query
from app.store.search.search import Search

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


def report(answers: Sequence[SearchAnswer], misses: bool) -> str:
    """Recall by group, and how often searches for nothing found something."""
    lines = []
    for group in dict.fromkeys(one.wanted.group for one in answers if one.wanted.threads):
        of = [one for one in answers if one.wanted.group == group]
        shown = np.mean([len(one.page) - len(one.words) for one in of])
        lines.append(f"{group:<12} {len(of):>3} searches; alike shown {shown:.1f}")
        for name in ("words", "meaning", "page", "best"):
            five, ten, rank = np.mean([_measures(getattr(one, name), one.wanted.threads) for one in of], axis=0)
            lines.append(f"  {name:<10} recall@5 {five:.2f}, recall@10 {ten:.2f}, MRR {rank:.2f}")
    silent = [one for one in answers if not one.wanted.threads]
    loud = [one for one in silent if one.meaning]
    lines.append(f"nothing      {len(silent):>3} searches, {len(loud)} find something alike")
    if misses:
        lines += [f"  {one.wanted.text}: {len(one.meaning)} alike" for one in loud]
        lines += [f"  missed: {one.wanted.text}" for one in answers if one.wanted.threads - set(one.page[:FIRST])]
    return "\n".join(lines)


def _measures(found: Sequence[ThreadId], wanted: frozenset[ThreadId]) -> tuple[float, float, float]:
    return recall(found, wanted, FIRST // 2), recall(found, wanted), reciprocal_rank(found, wanted)


def _remote(mail: Message) -> RemoteMessage:
    content: dict[str, Any] = {name: getattr(mail, name) for name in MailContent.__struct_fields__}
    content |= {"gmail_thread_id": GmailThreadId(f"t{mail.thread_id}"), "body_html": "", "headers": (), "reply_to": ()}
    return RemoteMessage(**content, history_id=HistoryId(1), attachments=(), size=len(mail.body_text))


def main() -> None:
    parser = argparse.ArgumentParser(description="How well mail is found by words and by meaning.")
    parser.add_argument("--misses", action="store_true", help="name what was missed, and what was found where nothing is")
    options = parser.parse_args()
    entries = YAML(typ="safe", pure=True).load(resource("sample", "searches.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        box = read_sample(resource("sample"), datetime.now(UTC))
        finder = Finder(Path(folder), list(box.mails.values()), MiniLm.open())
        sys.stdout.write(report([finder.answer(one) for one in searches_of(entries, finder, box)], options.misses) + "\n")
        finder.close()


if __name__ == "__main__":
    main()
