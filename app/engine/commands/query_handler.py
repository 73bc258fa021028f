"""Dispatches the window's queries."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from app.domain.ids import MessageId
from app.domain.mail.files import ReadInvitation
from app.domain.protocol.account_commands import CheckClientFile
from app.domain.protocol.agent_commands import ReadProfiles, ReadRules, TryProfile, TryRules
from app.domain.protocol.commands import (
    Answer,
    DraftingPreview,
    ModelTest,
    PreviewDrafting,
    Query,
    SearchMail,
    TestModel,
    ThreadIds,
)
from app.domain.protocol.queries import CheckSpelling, FindMail, FindSimilar, SuggestSpelling
from app.engine.commands.account_commands import AccountCommands
from app.engine.commands.spelling import Spelling
from app.engine.files.file_commands import FileCommands
from app.engine.rules.rules_service import RulesService
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.search.mail_search import TextSearch
from app.engine.search.semantic_search import SemanticSearch

TestCall = Callable[[str, str], Awaitable[ModelTest]]
"""Calls a model once, by its id and address."""

Unsettled = Callable[[Sequence[MessageId]], int]
"""Counts the messages that no header rule decides and that may need an answer. Reads the store, so call it off the loop."""

Cost = Callable[[int], Awaitable[float]]
"""Cost in US dollars of this many answers with the chosen model, negative if unknown."""


class QueryHandler:
    """Answers every query that comes over the wire."""

    def __init__(
        self,
        tables: Tables,
        text_search: TextSearch,
        semantic_search: SemanticSearch,
        settings: LiveSettings,
        test_model: TestCall,
        unsettled: Unsettled,
        cost: Cost,
        rules: RulesService,
        accounts: AccountCommands,
        files: FileCommands,
    ) -> None:
        self._tables = tables
        self._text_search = text_search
        self._semantic_search = semantic_search
        self._settings = settings
        self._test_model = test_model
        self._unsettled = unsettled
        self._spelling = Spelling()
        self._cost = cost
        self._rules = rules
        self._accounts = accounts
        self._files = files

    async def answer(self, query: Query) -> Answer:
        """Answers one query. Raises `ExpectedError`."""
        match query:
            case SearchMail() | FindMail() | FindSimilar():
                return await self._search(query)
            case CheckSpelling(text):
                return await self._spelling.check(text)
            case SuggestSpelling(word, spoken):
                return await self._spelling.suggest(word, spoken)
            case ReadInvitation(message_id):
                return await self._files.invitation(message_id)
            case PreviewDrafting():
                return await self._preview(query)
            case TestModel(model, api_base):
                return await self._test_model(model, api_base)
            case ReadRules() | TryRules() | ReadProfiles() | TryProfile():
                return await self._rules.answer(query)
            case CheckClientFile():
                return await self._accounts.check(query)

    async def _search(self, query: SearchMail | FindMail | FindSimilar) -> Answer:
        match query:
            case SearchMail():
                return ThreadIds(await self._text_search.thread_ids(query.text, query.limit))
            case FindMail(text, limit):
                return await self._text_search.find(text, limit)
            case FindSimilar():
                return await self._semantic_search.alike(query)

    async def _preview(self, query: PreviewDrafting) -> DraftingPreview:
        """Counts the mail that consent would route, the drafts it needs at most, and their cost."""
        since = self._tables.clock() - timedelta(days=query.days)
        since_ms = int(since.timestamp() * 1000) if query.days else 0
        ids = await self._tables.run(self._tables.messages.unread_inbox_since, query.account_id, since_ms)
        drafts = await self._tables.run(self._unsettled, ids)
        return DraftingPreview(len(ids), drafts, await self._cost(drafts))
