"""Everything the served graph needs, put together from a data folder: its store to be read, its settings, the model with its key.

Refuses to open without a model, and where no Replyroom has made a mailbox yet.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from app.agent.deps import Gateway
from app.agent.lookalike import skeleton
from app.agent.models.gateway import LiteLlmGateway
from app.agent.models.target import Target
from app.agent.tools.toolbox import Toolbox
from app.config.paths import DataFolder, resource
from app.config.settings import Settings
from app.config.time_zones import zone_of
from app.domain.errors import ModelUnavailable
from app.domain.ports.agents import Clock
from app.domain.red_flags import Skeleton
from app.service.ledgers import ServiceBook, ServiceLedger
from app.service.mailbox import ReadMailbox, ReadMemory
from app.store.artifacts import ArtifactFolder
from app.store.database import Database


@dataclass(frozen=True, slots=True)
class ServiceParts:
    """Implements `GmailParts`."""

    corpus: ReadMailbox
    clock: Clock
    prompts: Path
    gateway: Gateway
    toolbox: Toolbox
    memory: ReadMemory
    background: str
    time_zone: tzinfo
    skeleton: Skeleton = field(default=skeleton)


def target_of(settings: Settings, key: str) -> Target:
    """The model that is asked. Raises `ModelUnavailable` where none is chosen, or its key is missing."""
    if not settings.model.name:
        raise ModelUnavailable("The Gmail service needs a language model, and none is chosen.", "Choose one in Settings.")
    target = Target.chosen(settings.model, key)
    target.check()
    return target


@contextmanager
def opened_parts(folder: DataFolder, settings: Settings, target: Target) -> Iterator[ServiceParts]:
    """Open while the block runs. Raises `Refused`, `StoreTooNew`, `StoreDamaged`."""
    db = Database.open_beside(folder.database)
    try:
        mailbox = ReadMailbox(db, _now)
        try:
            yield ServiceParts(
                mailbox,
                _now,
                resource("prompts"),
                LiteLlmGateway(target, ServiceLedger(db, _now), _now),
                Toolbox(ServiceBook(db, _now), search=mailbox, artifacts=ArtifactFolder(folder.artifacts)),
                ReadMemory(db, _now),
                settings.drafting.background,
                zone_of(settings.calendar.time_zone),
            )
        finally:
            mailbox.close()
    finally:
        db.close()


def _now() -> datetime:
    return datetime.now(UTC)
