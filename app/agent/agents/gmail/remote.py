"""Runs the Gmail agent in a service, with `RemoteGraph`. Looks at the task's thread there first, then starts or resumes it.

A waiting proposal is returned without another model call. Row ids differ between the two stores, so `/names` translates them by
Gmail's ids. Files are named by handle, and the beginnings of text files are sent along. Of an answer only the message ids, the
texts and the proposed mail are used; everything else is built from our own store.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any, Self
from weakref import WeakValueDictionary

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command, StateSnapshot
from langgraph_sdk.errors import ConflictError, NotFoundError

from app.agent.agents.builtin_tools.services import LONGEST_READ
from app.agent.agents.gmail.graph import NODE, RECURSION_LIMIT, standing
from app.agent.agents.gmail.interface import (
    VERSION,
    VERSION_NAME,
    FileText,
    GmailFound,
    GmailProposed,
    GmailState,
    GmailTask,
    TaskDocument,
    state_of,
)
from app.agent.agents.gmail.nodes import searched_from, source_of
from app.agent.agents.gmail.service_client import ServiceAddress, open_client, service_errors
from app.agent.agents.gmail.tools import LONGEST_ANSWER, AllowedReferences, checked
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import GmailDeps
from app.domain.errors import ExpectedError, NotAllowed, NotFound, Offline
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail.message import Message
from app.domain.record import asdict, replace

log = logging.getLogger(__name__)

MOST_SOURCES = 20
LONGEST_MODEL = 120

Here = Callable[[int], Message | None]
"""Our message for the service's message id, None when we do not have it."""


def named(found: GmailFound | GmailProposed) -> tuple[int, ...]:
    """The message ids in an answer, as the service numbers them."""
    answered = [found.mail.reply_to] if isinstance(found, GmailProposed) else []
    return tuple(dict.fromkeys(one for one in (*_ids(found), *answered) if one))


def _ids(found: GmailFound | GmailProposed) -> list[MessageId]:
    return [one.message_id for one in found.sources[:MOST_SOURCES] if one.message_id]


def rebuilt_from_store(found: GmailFound | GmailProposed, task: GmailTask, here: Here) -> GmailFound | GmailProposed:
    """The answer rebuilt from our own store. Raises `UnusableAnswer`."""
    mails = [ours for one in dict.fromkeys(_ids(found)) if (ours := here(one)) is not None]
    if isinstance(found, GmailFound):
        if found.data.get("action") != "search":
            raise UnusableAnswer("The Gmail service says that it did something which it was not asked for.")
        return searched_from(mails, _text(found.answer)[:LONGEST_ANSWER])
    mail = found.mail
    answered = here(mail.reply_to) if mail.reply_to else None
    if mail.reply_to and answered is None:
        raise UnusableAnswer("The Gmail service answers a mail that is not here.")
    documents = tuple(TaskDocument(one.id, one.name, one.size) for one in task.documents)
    # Review flags unknown addresses. The service may have read mail that is not here.
    known = AllowedReferences(documents, frozenset(), lambda _address: True)
    try:
        args = checked(asdict(mail), known)
    except NotAllowed:
        raise UnusableAnswer("The Gmail service proposed a mail that cannot be sent.") from None
    reply_to = MessageId(answered.id if answered else 0)
    return GmailProposed(args.mail(reply_to, _text(mail.model)[:LONGEST_MODEL]), tuple(map(source_of, mails)))


def _text(words: str) -> str:
    """The text without characters that cannot be printed."""
    return "".join(one for one in words if one.isprintable() or one in "\n\t").strip()


TASK_S = 1800.0
"""Seconds for a whole task, including waits for the model."""
SETTLE_S = 15.0
LOOK_S = 1.0
"""Seconds between two looks at a thread with another active run."""
MOST_TEXT = 200_000
"""Characters of file text sent with a task."""

ByGmailId = Callable[[AccountId, GmailId], Message | None]


class RemoteIds(msgspec.Struct, frozen=True):
    """Ids in the service's store: of the account, of messages by Gmail id.

    `gmail_ids` maps the service's message ids to Gmail's.
    """

    account_id: int
    ids: dict[str, int]
    gmail_ids: dict[str, str]


class RemoteGmailAgent:
    """Implements `GmailAgent` over HTTP. Call `close` at the end. `by_gmail_id` finds a message in our store."""

    def __init__(self, address: ServiceAddress, token: str, deps: GmailDeps, by_gmail_id: ByGmailId) -> None:
        self._address = address
        self._client = open_client(address, token)
        self._graph = RemoteGraph(NODE, client=self._client)
        self._deps, self._by_gmail_id = deps, by_gmail_id
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def with_deps(self, deps: GmailDeps) -> Self:
        """Takes new dependencies and returns itself."""
        self._deps = deps
        return self

    async def close(self) -> None:
        await self._client.aclose()

    async def work(self, task: GmailTask) -> GmailFound | GmailProposed:
        """Starts or continues the task, or returns its stored result. Raises as `GmailAgent.work`, and `AgentsPaused`."""
        try:
            async with self._lock(task.thread), asyncio.timeout(TASK_S):
                ran = False
                while True:
                    with service_errors(self._address):
                        state = await self._state(task.thread)
                        found = standing(state) if state is not None else None
                    if found is not None:
                        return await self._rebuilt(found, task)
                    if ran:
                        raise UnusableAnswer("The Gmail service came to no result.")
                    begun = state is not None and bool(state.values)
                    ran = await self._run_graph(task.thread, None if begun else await self._start(task))
        except TimeoutError:
            raise Offline(f"The Gmail service at {self._address.host} did not come to an end.") from None

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Settles and deletes the task's thread there. An unreachable service is only logged."""
        try:
            async with self._lock(task.thread), asyncio.timeout(SETTLE_S):
                with service_errors(self._address):
                    state = await self._state(task.thread)
                    if state is not None and state.interrupts:
                        resume: Command[Any] = Command(resume={state.interrupts[0].id: dict(outcome)})
                        async for _ in self._graph.astream(resume, _config(task.thread), stream_mode="updates"):
                            pass
                    if state is not None:
                        await self._client.threads.delete(task.thread)
        except (ExpectedError, TimeoutError) as error:
            log.info("the Gmail service was not told of a settled proposal: %s", type(error).__name__)

    async def _run_graph(self, thread: str, start: GmailState | None) -> bool:
        """Runs to the end or to a proposal. False when another run was active."""
        with service_errors(self._address):
            try:
                stream = self._graph.astream(start, _config(thread), stream_mode="updates", multitask_strategy="reject")
                async for _ in stream:
                    pass
            except ConflictError:
                await asyncio.sleep(LOOK_S)
                return False
        return True

    async def _state(self, thread: str) -> StateSnapshot | None:
        """The thread's state, None when there is none.

        Deletes a thread of another graph version and raises `NotAllowed`.
        """
        try:
            state = await self._graph.aget_state(_config(thread))
        except NotFoundError:
            return None
        if state.values and (state.metadata or {}).get(VERSION_NAME) != VERSION:
            await self._client.threads.delete(thread)
            remedy = "Use the same version of Replyroom on both sides."
            raise NotAllowed(f"The Gmail service at {self._address.host} is of another version.", remedy)
        return state

    async def _start(self, task: GmailTask) -> GmailState:
        """The initial state of the task, with the service's ids."""
        before = task.before
        answered = await self._gmail_id(before.reply_to) if before and before.reply_to else None
        within = await self._gmail_id(task.scope.conversation) if task.scope.conversation else None
        names = await self._remote_ids(task, gmail_ids=[one for one in (answered, within) if one])
        reply_to = MessageId(names.ids.get(answered, 0) if answered else 0)
        place = MessageId(names.ids.get(within, 0) if within else 0)
        if task.scope.conversation and not place:
            raise NotAllowed(
                f"The Gmail service at {self._address.host} does not have this conversation.", "Try again when it has synced."
            )
        translated = replace(
            task,
            account_id=AccountId(names.account_id),
            before=replace(before, reply_to=reply_to) if before else None,
            scope=replace(task.scope, conversation=place),
        )
        return state_of(translated, await self._texts(task))

    async def _gmail_id(self, message_id: MessageId) -> str | None:
        try:
            return (await asyncio.to_thread(self._deps.corpus.message, message_id)).gmail_id
        except NotFound:
            return None

    async def _texts(self, task: GmailTask) -> dict[str, FileText]:
        """The task's text files by handle, each as far as `LONGEST_READ` and all together as far as `MOST_TEXT` characters."""
        toolbox, left = self._deps.toolbox, MOST_TEXT
        texts: dict[str, FileText] = {}
        if toolbox is None or toolbox.texts is None:
            return texts
        for one in task.documents:
            try:
                found = await toolbox.texts.read(one.id)
            except (NotFound, NotAllowed):
                continue  # it has no text that can be read, but it can still be attached
            shown = found.text[: min(LONGEST_READ, left)]
            texts[one.id] = shown, found.cut or len(shown) < len(found.text)
            left -= len(shown)
        return texts

    async def _rebuilt(self, found: GmailFound | GmailProposed, task: GmailTask) -> GmailFound | GmailProposed:
        ids = named(found)
        names = await self._remote_ids(task, ids=ids) if ids else RemoteIds(0, {}, {})

        def here(message_id: int) -> Message | None:
            gmail_id = names.gmail_ids.get(str(message_id))
            return self._by_gmail_id(task.account_id, GmailId(gmail_id)) if gmail_id else None

        return await asyncio.to_thread(rebuilt_from_store, found, task, here)

    async def _remote_ids(self, task: GmailTask, ids: Collection[int] = (), gmail_ids: Collection[str] = ()) -> RemoteIds:
        account = await asyncio.to_thread(self._deps.corpus.account, task.account_id)
        body = {"account": account.email, "ids": list(ids), "gmail_ids": list(gmail_ids)}
        with service_errors(self._address):
            try:
                return msgspec.convert(await self._client.http.post("/names", json=body), RemoteIds)
            except NotFoundError:
                remedy = "Connect the account there, and let it sync."
                raise NotAllowed(
                    f"The Gmail service at {self._address.host} has no mailbox of {account.email}.", remedy
                ) from None

    def _lock(self, thread: str) -> asyncio.Lock:
        return self._locks.setdefault(thread, asyncio.Lock())


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}, "recursion_limit": RECURSION_LIMIT}
