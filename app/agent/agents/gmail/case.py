"""The case of a task: account, tools and the context by which calls are judged.

Each node builds it anew from the state and the store, so a task continues after a crash.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from app.agent.agents.builtin_tools.services import chunk_of
from app.agent.agents.gmail.interface import CHOSEN, GmailTaskState, Intent, TaskContext, given_of, said_by
from app.agent.agents.gmail.tools import DONE, READ_FILE, SEARCH, SEND, AllowedReferences, gmail_tools
from app.agent.llm.turns import ChatMessage
from app.agent.runtime.conversation import tokens_spent, turns
from app.agent.runtime.dependencies import GmailDeps, owner_scope
from app.agent.tools.registry import Registry, Toolbox
from app.agent.tools.tool_calls import Approvals, CallContext, ReadTexts, no_approvals
from app.domain.agents.call_flags import ReadText
from app.domain.agents.provenance import said_in
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import MessageId, RunId
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import own_addresses
from app.domain.policy.policy import BudgetSpent
from app.domain.policy.red_flags import participants
from app.domain.record import Record, replace

HOUR = timedelta(hours=1)

OF_INTENT: Mapping[Intent, tuple[str, ...]] = {
    Intent.SEARCH: (SEARCH.name, READ_FILE.name, DONE.name),
    Intent.SEND: (SEARCH.name, READ_FILE.name, SEND.name),
}
"""The tools of each intent. A search cannot send, whatever it reads."""


class GmailCase(Record):
    """A task in progress.

    `talk` are the turns so far, `words` the owner's texts, `earlier` the contracts of earlier steps, `mails` the found messages
    in the order they were found.
    """

    deps: GmailDeps
    toolbox: Toolbox
    given: TaskContext
    account: Account
    intent: Intent
    talk: list[ChatMessage]
    words: tuple[str, ...]
    earlier: tuple[str, ...]
    mails: tuple[Message, ...]

    @property
    def registry(self) -> Registry:
        """The tools whose services are available."""
        found = frozenset(one.id for one in self.mails) if searched(self.talk) else None
        return Registry(gmail_tools(self.account.id, self.toolbox, self.given, found))

    @property
    def typed(self) -> str:
        return "\n".join((self.given.request, self.given.feedback))

    @property
    def known(self) -> AllowedReferences:
        """What a proposed mail may name. Its `address` reads the store: call it off the loop."""
        before = self.given.before
        named = frozenset((*before.to, *before.cc, *before.bcc)) if before else frozenset[str]()
        answered = {before.reply_to} if before and before.reply_to else set[int]()
        read = (*self.words, self.typed, *self.earlier, *_texts(self.talk), *(chunk_of(one).text for one in self.mails))
        people = participants(self.mails) | own_addresses(self.account) | named

        def address(one: str) -> bool:
            known = one in people or any(said_in(one, text) for text in read)
            return known or self.deps.corpus.contact(self.account.id, one) is not None

        return AllowedReferences(self.given.documents, frozenset({*answered, *(one.id for one in self.mails)}), address)

    def context(self, approvals: Approvals = no_approvals) -> CallContext:
        """What the calls are judged by: the owner's texts, everything read so far, and the budget spent.

        Reads the store: call it in a thread.
        """
        deps, toolbox = self.deps, self.toolbox
        handles = frozenset(one.handle for one in self.given.documents)
        scope = owner_scope(deps, deps.corpus.contact, self.account, participants(self.mails))
        scope = replace(scope, request=self.typed, artifacts=handles.__contains__)
        names, note = OF_INTENT[self.intent], toolbox.book.note
        ctx = CallContext(self.given.run_id, names, deps.clock, scope, approvals, toolbox.budget, note, toolbox.paused)
        ctx.spent = BudgetSpent(tokens=tokens_spent(self.talk), sends_this_hour=toolbox.book.sends_since(deps.clock() - HOUR))
        ctx.observe(ReadTexts(None, (*map(chunk_of, self.mails), *map(ReadText, (*self.earlier, *_texts(self.talk))))))
        return ctx


def completed(context: Mapping[str, Any], deps: GmailDeps, run_id: RunId) -> dict[str, Any]:
    """The context with an account and a run.

    Without an account it is the first one, and `CHOSEN` says so where there are several. Raises `NotAllowed`.
    """
    given = given_of(context)
    added: dict[str, Any] = {} if given.run_id else {"run_id": run_id}
    if not given.account_id:
        accounts = deps.corpus.accounts()
        if not accounts:
            raise NotAllowed("There is no mailbox here.", "Connect an account in Replyroom first.")
        added["account_id"] = accounts[0].id
        if len(accounts) > 1:
            names = ", ".join(one.email for one in accounts)
            added[CHOSEN] = f"No account was named in context.account_id; of {names} the first was taken."
    return {**context, **added}


def open_case(work: GmailTaskState, deps: GmailDeps) -> GmailCase:
    """Builds the case. Messages that searches returned and that are deleted since are left out. Reads the store: call it in a
    thread. Raises `NotAllowed` without a toolbox or with an unreadable context, `NotFound` for a missing account.
    """
    if deps.toolbox is None:
        raise NotAllowed("The Gmail agent needs its tools, and none are set up.")
    given = given_of(work["context"])
    talk: list[ChatMessage] = json.loads(work.get("talk") or "[]")
    account = deps.corpus.account(given.account_id)
    mails: dict[MessageId, Message] = {}
    for one in (shown for result in _searches(talk) for shown in result.get("messages", ())):
        with suppress(NotFound):
            mails[MessageId(int(one["id"]))] = deps.corpus.message(MessageId(int(one["id"])))
    owner_texts, contracts = said_by(work["messages"], HumanMessage), said_by(work["messages"], AIMessage)
    intent = Intent(work.get("intent") or Intent.SEARCH)
    return GmailCase(deps, deps.toolbox, given, account, intent, talk, owner_texts, contracts, tuple(mails.values()))


def _searches(talk: list[ChatMessage]) -> Iterator[Mapping[str, Any]]:
    return (json.loads(one["content"]) for one in talk if one["role"] == "tool" and one["name"] == SEARCH.name)


def _texts(talk: list[ChatMessage]) -> tuple[str, ...]:
    """Results of `read_file_content`. Messages are not needed here: they are read whole from the store."""
    return tuple(one["content"] for one in talk if one["role"] == "tool" and one["name"] == READ_FILE.name)


def searched(talk: list[ChatMessage]) -> bool:
    """Whether a search has returned, even with no hits."""
    return any("messages" in result for result in _searches(talk))


def offered(case: GmailCase, most_turns: int) -> tuple[str, ...]:
    """The tools of the next turn.

    Before the first search a search task may only read. In the last turn only the ending tool is left.
    """
    ending = SEND.name if case.intent is Intent.SEND else DONE.name
    if case.intent is Intent.SEARCH and not searched(case.talk):
        return (SEARCH.name, READ_FILE.name)
    return (ending,) if turns(case.talk) + 1 >= most_turns else OF_INTENT[case.intent]
