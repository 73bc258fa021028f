"""State of the assistant's graph, the job of one step, and the sentences the assistant says itself (English and Czech).

The conversation consists of the request and of contracts written by code. No node parses a text back.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from enum import Enum
from string import Template
from typing import TypedDict

from msgspec import field

from app.agent.agents.assistant.search import in_czech
from app.agent.agents.builtin_tools.services import chunk_of
from app.agent.drafting.claims import DraftEvidence, unsupported
from app.agent.drafting.sources import excerpt_of, message_text
from app.agent.runtime.dependencies import Deps
from app.domain.agents.call_flags import ReadText
from app.domain.agents.requests import LONGEST_ANSWER, Request, RequestStep, StepResult
from app.domain.drafting.draft import Source, SourceKind
from app.domain.drafting.review import Proposal
from app.domain.errors import AgentsPaused, NotFound
from app.domain.ids import MessageId
from app.domain.mail.files import DocumentText
from app.domain.mail.message import Account, Message
from app.domain.policy.red_flags import readers
from app.domain.ports.agents import RequestQueue
from app.domain.record import Record

Said = tuple[str, str]
"""Role (`human` or `ai`) and text."""


class SupervisorState(TypedDict, total=False):
    """The channels of the graph: the request, which the supervisor reads anew for each step, and the node that follows."""

    request: Request
    next: str


class StepJob(Record):
    """One step for one agent. `messages` is the conversation so far, `results` those of earlier steps.

    `texts` are those of the request's documents by handle, `unread` tells why others have none.
    """

    deps: Deps
    desk: RequestQueue
    request: Request
    step: RequestStep
    account: Account
    messages: tuple[Said, ...]
    results: Mapping[int, StepResult]
    texts: Mapping[str, DocumentText] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)

    def told(self, words: str) -> None:
        """Reports to the owner what the step is doing now."""
        self.desk.told(self.request.id, self.step.index, words)


def check_pause(deps: Deps) -> None:
    """Raises `AgentsPaused` while the owner has paused all agents."""
    if deps.toolbox is not None and deps.toolbox.paused():
        raise AgentsPaused("The agents are paused.")


Body = Callable[[StepJob], Awaitable[StepResult | Proposal]]
"""An agent's work on a step: returns a result, or a mail for review."""


GAP = "\u00a0"
"""No-break space after a one-letter Czech preposition."""


class LocalizedText(Enum):
    """A sentence in English and in Czech."""

    SEARCHING_MAIL = ("Searching your mail for “$about”", f"Hledám v{GAP}poště „$about“")
    READING_THREAD = ("Reading a conversation", "Čtu konverzaci")
    LOOKING_AT_CONTACT = ("Looking at what is known of $about", f"Dívám se, co je známo o{GAP}adrese $about")
    LOOKING_AT_CALENDAR = ("Looking at your calendar", "Dívám se do kalendáře")
    SEARCHING_WEB = ("Searching the web for “$about”", "Hledám na webu „$about“")
    READING_PAGE = ("Reading $about", "Čtu $about")
    READING_DOCUMENT = ("Reading a document", "Čtu dokument")
    THINKING = ("Thinking", "Přemýšlím")
    WRITING_DOCUMENT = ("Writing the document", "Píšu dokument")
    WRITING_ANSWER = ("Writing the answer", "Píšu odpověď")
    AT_THE_MAIL = ("Working on the mail", "Pracuji na e-mailu")
    CHANGING_MAIL = ("Changing the mail as you asked", "Měním e-mail podle vašeho přání")
    SEARCH_FOR = ("Search your mail for: $about", f"Vyhledat v{GAP}poště: $about")
    FITTING = ("Mail that fits “$about”, best first:", "Pošta, která odpovídá „$about“, nejlepší napřed:")
    RECEIVED = ("Received mail that fits “$about”, newest first:", "Došlá pošta, která odpovídá „$about“, nejnovější napřed:")
    NOTHING_FITS = ("No mail fits “$about”.", "Výrazu „$about“ neodpovídá žádná pošta.")
    ONLY_SEARCHED = (
        "Without a language model the assistant only searches. A model, chosen in Settings, would read and answer in words.",
        f"Bez jazykového modelu asistent jen hledá. S{GAP}modelem z{GAP}Nastavení by poštu přečetl a{GAP}odpověděl.",
    )
    MODEL_SILENT = (
        "The language model gave no usable answer, so this is only a search.",
        "Jazykový model nedal použitelnou odpověď, toto je jen hledání.",
    )
    NOT_DONE = (
        "Nothing was written or sent: that needs a language model.",
        f"Nic nebylo napsáno ani odesláno: k{GAP}tomu je potřeba jazykový model.",
    )
    NOT_CHANGED = (
        "No mail was changed. Select it in the list to change it, or make a rule in Settings for new mail.",
        f"Žádná pošta nebyla změněna. Změníte ji výběrem v{GAP}seznamu, nebo pro novou poštu pravidlem v{GAP}Nastavení.",
    )
    NOT_SENT = ("Nothing was sent.", "Nic nebylo odesláno.")
    NOT_IN_SOURCES = ("Not found in anything that was read: $about.", f"V{GAP}ničem, co bylo přečteno, nestojí: $about.")
    WROTE_DOCUMENT = ("Wrote $about.", "Napsán dokument $about.")
    SOURCES = ("Sources", "Zdroje")


def say(words: LocalizedText, like: str, about: str = "") -> str:
    """The sentence in the language of `like`, with `about` filled in."""
    english, czech = words.value
    return Template(czech if in_czech(like) else english).substitute(about=about)


FACTS = frozenset({"figure", "date", "name", "link"})
"""Kinds of claims that are checked. Promises are left out, because an answer only reports them."""
MOST_NAMED = 8


def mail_sources(ids: Iterable[MessageId], job: StepJob) -> tuple[Source, ...]:
    """The messages as sources, each once. Skips missing messages and those of another account."""
    found = (one for one in _messages(ids, job.deps) if one.account_id == job.account.id)
    return tuple(Source(SourceKind.MESSAGE, one.subject, excerpt_of(one), one.id, readers(one)) for one in found)


def _messages(ids: Iterable[MessageId], deps: Deps) -> Iterator[Message]:
    """The messages, each once. Skips missing ones."""
    for one in dict.fromkeys(ids):
        try:
            yield deps.corpus.message(one)
        except NotFound:
            continue


def checked(text: str, job: StepJob, read: Iterable[str]) -> str:
    """The answer, cut to its limit, with a remark on unsupported facts."""
    kept = text.strip()[:LONGEST_ANSWER]
    note = remark(kept, job, read)
    return f"{kept[: LONGEST_ANSWER - len(note) - 2]}\n\n{note}" if note else kept


def remark(text: str, job: StepJob, read: Iterable[str]) -> str:
    """A sentence naming facts of a text without a source. Empty when all have one."""
    marks = (one for one in unsupported(text, evidence(job, read)) if one.note in FACTS)
    missing = list(dict.fromkeys(text[one.start : one.end] for one in marks))
    return say(LocalizedText.NOT_IN_SOURCES, job.request.text, ", ".join(missing[:MOST_NAMED])) if missing else ""


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
    ids: list[MessageId] = []
    for one in results:
        read = _data(one).get(READ)
        ids += [MessageId(mail) for mail in (read if isinstance(read, list) else ()) if isinstance(mail, int)]
        ids += [source.message_id for source in one.sources if source.message_id]
    ids += [source.message_id for source in more if source.message_id]
    return tuple(_messages(ids, deps))


def whole_text(message: Message) -> str:
    """A message with its headers, as evidence."""
    return f"{message_text(message)}\n{message.body_text}"


def _data(result: StepResult) -> Mapping[str, object]:
    data = json.loads(result.contract).get("data") if result.contract else None
    return data if isinstance(data, dict) else {}
