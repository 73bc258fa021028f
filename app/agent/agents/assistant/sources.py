"""Collects what the steps of a request have read, and checks answers against it: cited messages and unsupported facts.

The contract of a research step, written by code, names all messages it read, also those it does not cite.
"""

import json
from collections.abc import Iterable, Mapping

from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.agents.builtin_tools.mail import chunk_of
from app.agent.drafting.claims import DraftEvidence, unsupported
from app.agent.drafting.sources import excerpt_of, message_text
from app.agent.runtime.dependencies import Deps
from app.domain.agents.call_flags import ReadText
from app.domain.agents.requests import LONGEST_ANSWER, Request, StepResult
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import NotFound
from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.policy.red_flags import readers
from app.domain.ports.agents import RequestQueue

FACTS = frozenset({"figure", "date", "name", "link"})
"""Kinds of claims that are checked. Promises are left out, because an answer only reports them."""
MOST_NAMED = 8


def mail_sources(ids: Iterable[MessageId], job: StepJob) -> tuple[Source, ...]:
    """The messages as sources, each once. Skips missing messages and those of another account."""
    return tuple(found for one in dict.fromkeys(ids) if (found := _source(one, job)) is not None)


def checked(text: str, job: StepJob, read: Iterable[str]) -> str:
    """The answer, cut to its limit, with a remark on unsupported facts."""
    kept = text.strip()[:LONGEST_ANSWER]
    note = remark(kept, job, read)
    return f"{kept[: LONGEST_ANSWER - len(note) - 2]}\n\n{note}" if note else kept


def remark(text: str, job: StepJob, read: Iterable[str]) -> str:
    """A sentence naming facts of a text without a source. Empty when all have one."""
    missing = unsourced(text, job, read)
    return say(LocalizedText.NOT_IN_SOURCES, job.request.text, ", ".join(missing[:MOST_NAMED])) if missing else ""


def unsourced(text: str, job: StepJob, read: Iterable[str]) -> tuple[str, ...]:
    """The facts of a text without a source."""
    marks = (one for one in unsupported(text, evidence(job, read)) if one.note in FACTS)
    return tuple(dict.fromkeys(text[one.start : one.end] for one in marks))


def evidence(job: StepJob, read: Iterable[str]) -> DraftEvidence:
    """The texts an answer may build on.

    Owner: request, instruction, background. Others: what was read, earlier answers, the date.
    """
    deps, account = job.deps, job.account
    owner = (job.request.text, job.step.instruction, deps.background, account.name, account.email)
    now = f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %B}"
    before = (step.answer for one in earlier(job.request, job.desk) for step in one.steps)
    files = (job.texts[one.id].text for one in job.request.files if one.id in job.texts)
    others = (*read, *before, *(one.answer for one in job.results.values()), *files, now)
    return DraftEvidence(tuple(filter(None, owner)), tuple(filter(None, others)))


MOST_EARLIER = 4
"""Requests of a conversation that a follow-up is told of."""


def earlier(request: Request, desk: RequestQueue) -> tuple[Request, ...]:
    """The requests that this one follows up on, the first one first. Ends at one that was deleted."""
    found: list[Request] = []
    while request.after and len(found) < MOST_EARLIER:
        try:
            request = desk.request(request.after)
        except NotFound:
            break
        found.insert(0, request)
    return tuple(found)


def _source(mail: MessageId, job: StepJob) -> Source | None:
    try:
        message = job.deps.corpus.message(mail)
    except NotFound:
        return None
    if message.account_id != job.account.id:
        return None
    return Source(SourceKind.MESSAGE, message.subject, excerpt_of(message), message.id, readers(message))


READ = "read"
"""Contract key: ids of the messages that were read."""

BEYOND = "beyond_mail"
"""Contract key: whether the answer also rests on private data that is in no message."""


def texts_read(results: Iterable[StepResult], deps: Deps, more: Iterable[Source] = ()) -> tuple[ReadText, ...]:
    """All texts behind results and further sources, each with its readers."""
    kept = tuple(results)
    chunks = [chunk_of(one) for one in mails_read(kept, deps, more)]
    chunks += [ReadText(one.answer) for one in kept if _data(one).get(BEYOND)]
    return tuple(dict.fromkeys(chunks))


def mails_read(results: Iterable[StepResult], deps: Deps, more: Iterable[Source] = ()) -> tuple[Message, ...]:
    """The messages behind results and further sources, each once. Skips missing ones."""
    ids: dict[MessageId, None] = {}
    for one in results:
        ids.update((MessageId(mail), None) for mail in _ids(_data(one).get(READ)))
        ids.update((source.message_id, None) for source in one.sources if source.message_id)
    ids.update((source.message_id, None) for source in more if source.message_id)
    return tuple(found for mail in ids if (found := _mail(mail, deps)) is not None)


def whole_text(message: Message) -> str:
    """A message with its headers, as evidence."""
    return f"{message_text(message)}\n{message.body_text}"


def _data(result: StepResult) -> Mapping[str, object]:
    data = json.loads(result.contract).get("data") if result.contract else None
    return data if isinstance(data, dict) else {}


def _ids(value: object) -> list[int]:
    return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []


def _mail(mail: MessageId, deps: Deps) -> Message | None:
    try:
        return deps.corpus.message(mail)
    except NotFound:
        return None
