"""The Gmail agent where it runs as a service: its thread there is looked at first, then it is begun, or goes on.

A proposal that waits there is the proposal again, without another model call. Mails have other ids there, so they are named by
Gmail's. Files go by handle; the beginning of their text goes along, since the service has no folder of ours. Refuses to take its
word for anything that can be looked up here.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Self
from weakref import WeakValueDictionary

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command, StateSnapshot
from langgraph_sdk.errors import ConflictError, NotFoundError

from app.agent.gmail.agent import standing
from app.agent.gmail.believing import believed, elsewhere, named
from app.agent.gmail.graph import NODE, RECURSION_LIMIT
from app.agent.gmail.outcome import GmailTask, Proposed, Searched
from app.agent.gmail.parts import GmailParts
from app.agent.gmail.service_client import ServiceAddress, open_client, service_trouble
from app.agent.gmail.state import VERSION, VERSION_NAME, GmailState, state_of
from app.agent.handlers.documents import LONGEST_READ, text_of
from app.agent.trouble import UnusableAnswer
from app.domain.errors import ExpectedError, NotFound, Offline, Refused
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail import Message

TASK_S = 1800.0
"""For a whole task, waits for the model included."""
SETTLE_S = 15.0
LOOK_S = 1.0
"""Between two looks at a thread on which another run is under way."""
MOST_TEXT = 200_000
"""Characters of files that go along with a task."""

ByGmailId = Callable[[AccountId, GmailId], Message | None]

log = logging.getLogger(__name__)


class Names(msgspec.Struct, frozen=True):
    """The service's ids: of the account, of mails by Gmail's id, and Gmail's ids by its own."""

    account_id: int
    ids: dict[str, int]
    gmail_ids: dict[str, str]


class RemoteGmailAgent:
    """Implements `GmailAgent`; close it at the end. `by_gmail_id` finds mail in the store."""

    def __init__(self, address: ServiceAddress, token: str, deps: GmailParts, by_gmail_id: ByGmailId) -> None:
        self._address = address
        self._client = open_client(address, token)
        self._graph = RemoteGraph(NODE, client=self._client)
        self._deps = deps
        self._by_gmail_id = by_gmail_id
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def dressed(self, deps: GmailParts) -> Self:
        """The same with the settings of now."""
        self._deps = deps
        return self

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def work(self, task: GmailTask) -> Searched | Proposed:
        """Do the task, go on with it, or find what it came to. Raises as `GmailAgent` says, and `AgentsPaused`."""
        try:
            async with self._lock(task.thread), asyncio.timeout(TASK_S):
                return await self._worked(task)
        except TimeoutError:
            raise Offline(f"The Gmail service at {self._address.host} did not come to an end.") from None

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """End the task's thread there, and have it forgotten; a service that does not answer is left alone."""
        try:
            async with self._lock(task.thread), asyncio.timeout(SETTLE_S):
                with service_trouble(self._address):
                    await self._settled(task, outcome)
        except (ExpectedError, TimeoutError) as error:
            log.info("the Gmail service was not told of a settled proposal: %s", type(error).__name__)

    async def _worked(self, task: GmailTask) -> Searched | Proposed:
        ran = False
        while True:
            with service_trouble(self._address):
                state = await self._state(task.thread)
                found = standing(state) if state is not None else None
            if found is not None:
                return await self._believed(found, task)
            if ran:
                raise UnusableAnswer("The Gmail service came to no result.")
            begun = state is not None and bool(state.values)
            start = None if begun else await self._start(task)
            ran = await self._ran(task.thread, start)

    async def _ran(self, thread: str, start: GmailState | None) -> bool:
        """Run to the end or to a proposal; False where another run was under way."""
        with service_trouble(self._address):
            try:
                stream = self._graph.astream(start, _config(thread), stream_mode="updates", multitask_strategy="reject")
                async for _ in stream:
                    pass
            except ConflictError:
                await asyncio.sleep(LOOK_S)
                return False
        return True

    async def _state(self, thread: str) -> StateSnapshot | None:
        """How the thread stands there, None where it is not. Of another version it is deleted. Raises `Refused` where the service
        is of another version."""
        try:
            state = await self._graph.aget_state(_config(thread))
        except NotFoundError:
            return None
        if state.values and (state.metadata or {}).get(VERSION_NAME) != VERSION:
            await self._client.threads.delete(thread)
            remedy = "Use the same version of Replyroom on both sides."
            raise Refused(f"The Gmail service at {self._address.host} is of another version.", remedy)
        return state

    async def _settled(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        state = await self._state(task.thread)
        if state is None:
            return
        if state.interrupts:
            resume: Command[Any] = Command(resume={state.interrupts[0].id: dict(outcome)})
            async for _ in self._graph.astream(resume, _config(task.thread), stream_mode="updates"):
                pass
        await self._client.threads.delete(task.thread)

    async def _start(self, task: GmailTask) -> GmailState:
        """What the task begins with, in the service's words for account and mails."""
        before = task.before
        answered = await self._gmail_id(before.reply_to) if before and before.reply_to else None
        names = await self._names(task, gmail_ids=[answered] if answered else [])
        reply_to = names.ids.get(answered, 0) if answered else 0
        told = replace(task, account_id=AccountId(names.account_id), before=elsewhere(before, reply_to))
        return state_of(told, await asyncio.to_thread(self._texts, task))

    async def _gmail_id(self, message_id: MessageId) -> str | None:
        try:
            return (await asyncio.to_thread(self._deps.corpus.message, message_id)).gmail_id
        except NotFound:
            return None

    def _texts(self, task: GmailTask) -> dict[str, str]:
        """The beginnings of the task's text files by handle, as many as go along."""
        box, left = self._deps.toolbox, MOST_TEXT
        texts: dict[str, str] = {}
        if box is None or box.artifacts is None:
            return texts
        for one in task.documents:
            try:
                text = text_of(box.artifacts, one.id)[1][:LONGEST_READ]
            except (NotFound, Refused):
                continue  # no text file: it can be attached all the same
            if len(text) <= left:
                texts[one.id] = text
                left -= len(text)
        return texts

    async def _believed(self, found: Searched | Proposed, task: GmailTask) -> Searched | Proposed:
        """The answer with mails of this store."""
        ids = named(found)
        names = await self._names(task, ids=ids) if ids else Names(0, {}, {})

        def here(message_id: int) -> Message | None:
            gmail_id = names.gmail_ids.get(str(message_id))
            return self._by_gmail_id(task.account_id, GmailId(gmail_id)) if gmail_id else None

        return await asyncio.to_thread(believed, found, task, here)

    async def _names(self, task: GmailTask, ids: Collection[int] = (), gmail_ids: Collection[str] = ()) -> Names:
        account = await asyncio.to_thread(self._deps.corpus.account, task.account_id)
        body = {"account": account.email, "ids": list(ids), "gmail_ids": list(gmail_ids)}
        with service_trouble(self._address):
            try:
                return msgspec.convert(await self._client.http.post("/names", json=body), Names)
            except NotFoundError:
                remedy = "Connect the account there, and let it sync."
                raise Refused(f"The Gmail service at {self._address.host} has no mailbox of {account.email}.", remedy) from None

    def _lock(self, thread: str) -> asyncio.Lock:
        """One lock per thread."""
        return self._locks.setdefault(thread, asyncio.Lock())


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}, "recursion_limit": RECURSION_LIMIT}
