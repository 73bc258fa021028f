"""Builds the dependencies of the served graph from a data folder: the read-only store, the settings, the model.

The service may not write to the mailbox. Its model calls and its audit are rows of a database of its own, so that caps outlive
a restart. Caps count the calls of both.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelGateway
from app.agent.tools.toolbox import LeavingSearch, Toolbox
from app.config.paths import DataFolder, resource, service_records
from app.config.settings import Settings, zone_of
from app.domain.agents.egress import LocalOnlyRules
from app.domain.errors import ModelUnavailable
from app.domain.ports.agents import Clock
from app.domain.record import Record
from app.mail.file_process import DocumentReader
from app.service.mailbox import ReadOnlyMailbox, ReadOnlyMemory
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.runs.model_calls import ModelCalls

Usage = tuple[int, int, float]


class ServiceLedger(ModelCalls):
    """Implements `CallLedger`: stores the service's calls, and counts them together with the mailbox's."""

    def __init__(self, mailbox: Database, own: Database, clock: Clock) -> None:
        super().__init__(own, clock)
        self._mailbox = ModelCalls(mailbox, clock)

    def usage_today(self) -> Usage:
        """Calls, tokens and US dollars since local midnight."""
        return _sum(self._mailbox.usage_today(), super().usage_today())

    def usage_this_month(self) -> Usage:
        """Calls, tokens and US dollars since the month began."""
        return _sum(self._mailbox.usage_this_month(), super().usage_this_month())


def _sum(first: Usage, second: Usage) -> Usage:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


class ServiceAudit(AuditTable):
    """Stores the calls of the service's tools, and counts sends together with the mailbox's."""

    def __init__(self, mailbox: Database, own: Database, clock: Clock) -> None:
        super().__init__(own, clock)
        self._mailbox = AuditTable(mailbox, clock)

    def sends_since(self, since: datetime) -> int:
        return self._mailbox.sends_since(since) + super().sends_since(since)


class ServiceDeps(Record):
    """Implements `GmailDeps`."""

    corpus: ReadOnlyMailbox
    clock: Clock
    prompts: Path
    gateway: ModelGateway
    toolbox: Toolbox
    memory: ReadOnlyMemory
    background: str
    time_zone: tzinfo


def target_of(settings: Settings, key: str) -> ModelTarget:
    """The configured model. Raises `ModelUnavailable` when none is chosen or its key is missing."""
    if not settings.model.name:
        raise ModelUnavailable("The Gmail service needs a language model, and none is chosen.", "Choose one in Settings.")
    target = ModelTarget.chosen(settings.model, key)
    target.check()
    return target


@contextmanager
def opened_parts(folder: DataFolder, settings: Settings, target: ModelTarget) -> Iterator[ServiceDeps]:
    """Opens the dependencies for the length of the block. Raises `NotAllowed`, `StoreTooNew`, `StoreDamaged`."""
    with (
        closing(Database.open_beside(folder.database)) as db,
        closing(Database.open(service_records(folder))) as own,
        closing(ReadOnlyMailbox(db, _now)) as mailbox,
    ):
        stays = settings.privacy
        artifacts = ArtifactFolder(folder.artifacts)
        rules = LocalOnlyRules.of(stays.stays_people, stays.stays_labels, stays.stays_kinds, Accounts(db).label_names)
        yield ServiceDeps(
            mailbox,
            _now,
            resource("prompts"),
            LiteLlmGateway(target, ServiceLedger(db, own, _now), _now),
            Toolbox(
                ServiceAudit(db, own, _now),
                search=LeavingSearch(mailbox, rules),
                artifacts=artifacts,
                texts=DocumentReader(artifacts.locate),
            ),
            ReadOnlyMemory(db, _now, settings.memory.text),
            settings.drafting.background,
            zone_of(settings.calendar.time_zone),
        )


def _now() -> datetime:
    return datetime.now(UTC)
