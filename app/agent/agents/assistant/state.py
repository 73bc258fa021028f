"""State of the assistant's graph, the job of one step, and the sentences the assistant says itself (English and Czech).

The conversation consists of the request and of contracts written by code. No node parses a text back.
"""

import operator
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from string import Template
from typing import Annotated, TypedDict

from msgspec import field

from app.agent.agents.assistant.search import in_czech
from app.agent.runtime.dependencies import Deps
from app.domain.agents.requests import OVER, Request, RequestStep, StepResult
from app.domain.drafting.review import Proposal
from app.domain.errors import AgentsPaused
from app.domain.mail.files import DocumentText
from app.domain.mail.message import Account
from app.domain.ports.agents import RequestQueue
from app.domain.record import Record

Said = tuple[str, str]
"""Role (`human` or `ai`) and text."""


def merged(before: Mapping[int, StepResult], more: Mapping[int, StepResult]) -> dict[int, StepResult]:
    """Merges results by step. Later ones win."""
    return {**before, **more}


class SupervisorState(TypedDict, total=False):
    """The channels of the graph.

    `messages` is the request's text with the contract of each finished step, `next` the node that follows, `results` the step
    results by index. The supervisor reads `request` anew for each `step`.
    """

    messages: Annotated[list[Said], operator.add]
    next: str
    request: Request
    step: int
    results: Annotated[dict[int, StepResult], merged]


def initial_state(request: Request) -> SupervisorState:
    """The state at the beginning of a run, from the request's rows."""
    over = [one for one in request.steps if one.status in OVER]
    return SupervisorState(
        messages=[("human", request.text), *(("ai", one.contract) for one in over if one.contract)],
        request=request,
        step=0,
        results={one.index: StepResult(one.contract, one.answer, one.sources, one.documents) for one in over},
    )


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

    def check_pause(self) -> None:
        """Raises `AgentsPaused` while the owner has paused all agents."""
        check_pause(self.deps)


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
