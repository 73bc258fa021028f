"""Builds the dependencies of the served graph from a data folder: the read-only store, the settings, the model.

The service may not write to the mailbox. Its model calls and its audit are rows of a database of its own, so that caps outlive
a restart. Caps count the calls of both.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.runtime.dependencies import GmailDeps
from app.agent.tools.registry import LeavingSearch, Toolbox
from app.config.paths import DataFolder, resource, service_records
from app.config.settings import Settings, zone_of
from app.domain.agents.egress import LocalOnlyRules
from app.domain.agents.memory import Namespace
from app.domain.agents.owner_profile import for_prompt
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.tools import Json
from app.domain.errors import ModelUnavailable, NotFound
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail.message import Account, Message
from app.domain.ports.agents import Clock, Contact
from app.mail.file_process import DocumentReader
from app.service.requests import ServiceError, json_response, read_order
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.learning.preferences import Preferences
from app.store.mail.messages import Messages
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.runs.model_calls import ModelCalls
from app.store.search.corpus import opened, queried, worded
from app.store.search.search import Search


class ReadOnlyMailbox:
    """Reads from a database opened read-only. Close it before the database."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._accounts = Accounts(db)
        self._messages = Messages(db)
        self._contacts = Contacts(db)
        self._search = Search(db, clock)

    def close(self) -> None:
        self._search.close()

    def accounts(self) -> tuple[Account, ...]:
        return self._accounts.all()

    def account(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""
        return self._accounts.get(account_id)

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""
        return self._messages.get(message_id)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The contact card of an address, None when unknown."""
        return self._contacts.card(account_id, email)

    def gmail_id(self, account_id: AccountId, message_id: MessageId) -> GmailId | None:
        try:
            mail = self._messages.get(message_id)
        except NotFound:
            return None
        return mail.gmail_id if mail.account_id == account_id else None

    def message_id(self, account_id: AccountId, gmail_id: GmailId) -> MessageId | None:
        mail = self._messages.by_gmail_id(account_id, gmail_id)
        return None if mail is None else mail.id

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """Messages that contain the words, newest first."""
        ids = await asyncio.to_thread(worded, self._search, account_id, words, scope)
        return await asyncio.to_thread(opened, self._messages, account_id, ids, limit)

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """Messages that match Gmail's operators, newest first. Raises `NotAllowed`."""
        ids = await asyncio.to_thread(queried, self._search, account_id, query, scope)
        return await asyncio.to_thread(opened, self._messages, account_id, ids, limit)


class ReadOnlyMemory:
    """Implements `MemoryReader`. Does not count uses."""

    def __init__(self, db: Database, clock: Clock, usual: Callable[[str], str] = lambda _namespace: "") -> None:
        self._preferences = Preferences(db, clock)
        self._usual = usual

    def read(self, account_id: AccountId, namespace: str) -> str:
        return for_prompt(self._preferences.active(Namespace(namespace)), account_id, self._usual(namespace))[1]


MOST_NAMES = 100


class NamesOrder(msgspec.Struct, frozen=True):
    """The body: an account by its address, messages by either id."""

    account: str
    ids: list[int] = []
    gmail_ids: list[str] = []


async def tell_names(request: Request) -> Response:
    """`POST /names`: translates message ids to Gmail's ids and back."""
    order = await read_order(request, NamesOrder)
    if len(order.ids) + len(order.gmail_ids) > MOST_NAMES:
        raise ServiceError(422, "wrong_form", f"At most {MOST_NAMES} names at once.")
    here: ReadOnlyMailbox | None = request.app.state.names

    def names() -> Json:
        account = next((one for one in here.accounts() if one.email.lower() == order.account.lower()), None) if here else None
        if here is None or account is None:
            raise ServiceError(404, "no_account", "There is no mailbox of that address here.")
        ids = {one: here.message_id(account.id, GmailId(one)) for one in order.gmail_ids}
        gmail_ids = {str(one): here.gmail_id(account.id, MessageId(one)) for one in order.ids}
        return {
            "account_id": account.id,
            "ids": {gmail_id: one for gmail_id, one in ids.items() if one is not None},
            "gmail_ids": {one: gmail_id for one, gmail_id in gmail_ids.items() if gmail_id is not None},
        }

    return json_response(await asyncio.to_thread(names))


class ServiceLedger(ModelCalls):
    """Implements `CallLedger`: stores the service's calls, and counts them together with the mailbox's."""

    def __init__(self, mailbox: Database, own: Database, clock: Clock) -> None:
        super().__init__(own, clock)
        self._mailbox = ModelCalls(mailbox, clock)

    def usage_today(self) -> tuple[int, int, float]:
        """Calls, tokens and US dollars since local midnight."""
        return _sum(self._mailbox.usage_today(), super().usage_today())

    def usage_this_month(self) -> tuple[int, int, float]:
        """Calls, tokens and US dollars since the month began."""
        return _sum(self._mailbox.usage_this_month(), super().usage_this_month())


def _sum(first: tuple[int, int, float], second: tuple[int, int, float]) -> tuple[int, int, float]:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


class ServiceAudit(AuditTable):
    """Stores the calls of the service's tools, and counts sends together with the mailbox's."""

    def __init__(self, mailbox: Database, own: Database, clock: Clock) -> None:
        super().__init__(own, clock)
        self._mailbox = AuditTable(mailbox, clock)

    def sends_since(self, since: datetime) -> int:
        return self._mailbox.sends_since(since) + super().sends_since(since)


def target_of(settings: Settings, key: str) -> ModelTarget:
    """The configured model. Raises `ModelUnavailable` when none is chosen or its key is missing."""
    if not settings.model.name:
        raise ModelUnavailable("The Gmail service needs a language model, and none is chosen.", "Choose one in Settings.")
    target = ModelTarget.chosen(settings.model, key)
    target.check()
    return target


@contextmanager
def opened_parts(folder: DataFolder, settings: Settings, target: ModelTarget) -> Iterator[GmailDeps]:
    """Opens the dependencies for the length of the block. Raises `NotAllowed`, `StoreTooNew`, `StoreDamaged`."""
    with (
        closing(Database.open_beside(folder.database)) as db,
        closing(Database.open(service_records(folder))) as own,
        closing(ReadOnlyMailbox(db, _now)) as mailbox,
    ):
        stays = settings.privacy
        artifacts = ArtifactFolder(folder.artifacts)
        rules = LocalOnlyRules.of(stays.stays_people, stays.stays_labels, stays.stays_kinds, Accounts(db).label_names)
        yield GmailDeps(
            corpus=mailbox,
            clock=_now,
            prompts=resource("prompts"),
            gateway=LiteLlmGateway(target, ServiceLedger(db, own, _now), _now),
            toolbox=Toolbox(
                ServiceAudit(db, own, _now),
                search=LeavingSearch(mailbox, rules),
                artifacts=artifacts,
                texts=DocumentReader(artifacts.locate),
            ),
            memory=ReadOnlyMemory(db, _now, settings.memory.text),
            background=settings.drafting.background,
            time_zone=zone_of(settings.calendar.time_zone),
        )


def _now() -> datetime:
    return datetime.now(UTC)
