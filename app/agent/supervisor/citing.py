"""From what was read to what is shown of an answer: the mails it cites, and which of its facts stand in nothing that was read."""

from collections.abc import Iterable

from app.agent.drafting.claims import Evidence, unsupported
from app.agent.drafting.sources import excerpt_of
from app.agent.supervisor.state import Job
from app.agent.supervisor.wording import Words, say
from app.domain.assistant import LONGEST_ANSWER
from app.domain.draft import Source, SourceKind
from app.domain.errors import NotFound
from app.domain.ids import MessageId
from app.domain.red_flags import readers

FACTS = frozenset({"figure", "date", "name", "link"})
"""Claims an answer is held to; promises in it are reported, not made."""
MOST_NAMED = 8


def mail_sources(ids: Iterable[MessageId], job: Job) -> tuple[Source, ...]:
    """The mails as sources, each once; those that are gone, or in another mailbox, are missing."""
    return tuple(found for one in dict.fromkeys(ids) if (found := _source(one, job)) is not None)


def checked(text: str, job: Job, read: Iterable[str]) -> str:
    """An answer with its remark, if there is one."""
    kept = text.strip()[:LONGEST_ANSWER]
    note = remark(kept, job, read)
    return f"{kept[: LONGEST_ANSWER - len(note) - 2]}\n\n{note}" if note else kept


def remark(text: str, job: Job, read: Iterable[str]) -> str:
    """Which facts of a text stand neither in what was read nor in what the owner typed; empty where all do."""
    missing = unfounded(text, job, read)
    return say(Words.NOT_IN_SOURCES, job.request.text, ", ".join(missing[:MOST_NAMED])) if missing else ""


def unfounded(text: str, job: Job, read: Iterable[str]) -> tuple[str, ...]:
    """The facts of a text that stand in nothing."""
    marks = (one for one in unsupported(text, evidence(job, read)) if one.note in FACTS)
    return tuple(dict.fromkeys(text[one.start : one.end] for one in marks))


def evidence(job: Job, read: Iterable[str]) -> Evidence:
    """What an answer may build on: the owner's words, what was read, and what day it is."""
    deps, account = job.deps, job.account
    owner = (job.request.text, job.step.instruction, deps.background, account.name, account.email)
    now = f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %B}"
    others = (*read, *(one.answer for one in job.results.values()), now)
    return Evidence(tuple(filter(None, owner)), tuple(filter(None, others)))


def _source(mail: MessageId, job: Job) -> Source | None:
    try:
        message = job.deps.corpus.message(mail)
    except NotFound:
        return None
    if message.account_id != job.account.id:
        return None
    return Source(SourceKind.MESSAGE, message.subject, excerpt_of(message), message.id, readers(message))
