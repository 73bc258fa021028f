"""What the steps so far have read, as texts with who already has them, and as evidence for what a later one says.

A research step's contract, which code wrote into its row, names the mails it read, those it does not cite among them.
"""

import json
from collections.abc import Iterable, Mapping

from app.agent.deps import Deps
from app.agent.drafting.excerpts import message_text
from app.agent.handlers.mail import chunk_of
from app.domain.assistant import StepResult
from app.domain.call_flags import Chunk
from app.domain.draft import Source
from app.domain.errors import NotFound
from app.domain.ids import MessageId
from app.domain.mail import Message

READ = "read"
"""In a contract's data: ids of the mails that were read."""

BEYOND = "beyond_mail"
"""In a contract's data: whether the answer also rests on what stands in no mail and is the owner's alone."""


def texts_read(results: Iterable[StepResult], deps: Deps, more: Iterable[Source] = ()) -> tuple[Chunk, ...]:
    """Every text that stands behind results and further sources, each with its readers."""
    kept = tuple(results)
    chunks = [chunk_of(one) for one in mails_read(kept, deps, more)]
    chunks += [Chunk(one.answer) for one in kept if _data(one).get(BEYOND)]
    return tuple(dict.fromkeys(chunks))


def mails_read(results: Iterable[StepResult], deps: Deps, more: Iterable[Source] = ()) -> tuple[Message, ...]:
    """The mails behind results and further sources, each once; those that are gone are missing."""
    ids: dict[MessageId, None] = {}
    for one in results:
        ids.update((MessageId(mail), None) for mail in _ids(_data(one).get(READ)))
        ids.update((source.message_id, None) for source in one.sources if source.message_id)
    ids.update((source.message_id, None) for source in more if source.message_id)
    return tuple(found for mail in ids if (found := _mail(mail, deps)) is not None)


def whole_text(message: Message) -> str:
    """A mail with what its head says, as evidence."""
    return f"{message_text(message)}\n{message.body_text}"


def _data(result: StepResult) -> Mapping[str, object]:
    """The data of a contract as its row has it."""
    data = json.loads(result.contract).get("data") if result.contract else None
    return data if isinstance(data, dict) else {}


def _ids(value: object) -> list[int]:
    return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []


def _mail(mail: MessageId, deps: Deps) -> Message | None:
    try:
        return deps.corpus.message(mail)
    except NotFound:
        return None
