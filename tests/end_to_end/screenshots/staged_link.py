"""The window's end of the wire for pictures: the engine's services answer over the real files, the state says what it tells."""

import asyncio
from collections.abc import Awaitable, Callable

from app.agent.retrieval import NEAR, MiniLm, PassageCache, mail_text, near_enough
from app.config.paths import DataFolder
from app.config.secrets import Secrets
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.ids import MessageId
from app.domain.mail.quotes import newest_part
from app.domain.ports.agents import Clock
from app.domain.protocol.commands import FindModelServers, ListModels, ModelList, ModelServer, ModelServers, ModelTest, TestModel
from app.domain.wire import Answer, Command, Event, Query
from app.engine.process.services import EngineServices
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.tables import Tables, open_tables
from app.engine.search.indexer import INDEX
from app.engine.search.semantic_search import SemanticModels
from app.link.frames import LinkClosed
from app.store.search.vectors import VectorKind, Vectors

OLLAMA, MODELS = "127.0.0.1:11434", ("llama3.1:8b", "qwen3:8b")


class StagedLink:
    """An `EngineLink`. The services behind it are made and never opened: they answer, and nothing works by itself.
    Without `alive` every question fails as when the engine is gone; `model` is what a test of the model says."""

    def __init__(self, folder: DataFolder, clock: Clock, alive: bool, model: ModelTest | None) -> None:
        self.asking = 0
        self._listeners: list[Callable[[Event], None]] = []
        self._model = model
        self._tables: Tables | None = None
        self._services: EngineServices | None = None
        self._vectors: Vectors | None = None
        self._folder = folder
        if alive:
            self._tables = open_tables(folder.database, clock)
            self._services = EngineServices(folder, {}, EventBus(self.tell), self._tables, EngineExit(), Secrets())

    def compare(self, share: float) -> None:
        """Lets mail be searched by meaning with the real model, a `share` of it indexed, unless the assistant is paused."""
        if self._services is None or self._tables is None or self._services.settings.now.drafting.paused:
            return
        model, jobs = MiniLm.open(), self._tables.jobs
        vectors = self._vectors = Vectors.open(self._folder.chroma, model.model_id, model.dimension)
        claimed = jobs.claim_many(INDEX, 900.0, round(share * jobs.counts().get(INDEX, 0)))
        for one in self._tables.messages.many([MessageId(int(job.key)) for job in claimed]).values():
            vector = model.embed([mail_text(one.subject, newest_part(one.body_text))])[0]
            vectors.upsert(one.account_id, [(one.id, vector, VectorKind.OTHER)])
        jobs.done(*(job.id for job in claimed))
        self._services.meaning.begin()
        self._services.meaning.ready(SemanticModels(model, vectors, PassageCache(model), near_enough, NEAR, model.question))

    def send(self, command: Command) -> None:
        """Nothing is done."""

    def ask(self, query: Query) -> Awaitable[Answer]:
        """The services' answer. Raises `ExpectedError`."""
        self.asking += 1
        return asyncio.ensure_future(self._answer(query))

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def tell(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    async def close(self) -> None:
        if self._services is not None:
            await self._services.close()
        if self._vectors is not None:
            self._vectors.close()
        if self._tables is not None:
            self._tables.close()

    async def _answer(self, query: Query) -> Answer:
        try:
            if self._services is None:
                raise LinkClosed("The engine is not running.")
            if isinstance(query, TestModel):
                if self._model is None:
                    raise ModelUnavailable(Cause.MODEL_NOT_REACHED, OLLAMA)
                return self._model
            if isinstance(query, ListModels):
                return ModelList(f"http://{OLLAMA}", MODELS)
            if isinstance(query, FindModelServers):
                return ModelServers((ModelServer("ollama", f"http://{OLLAMA}", MODELS),))
            return await self._services.commands.answer(query)
        finally:
            self.asking -= 1
