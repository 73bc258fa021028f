"""The sample mailbox's consent: its mail is nobody's, so the demo starts drafting once the first sync is through."""

from collections.abc import Callable

from app.domain.commands import StartDrafting
from app.domain.events import Event, SyncPhase, SyncProgress
from app.domain.ports.window import EngineLink

Prepare = Callable[[EngineLink], None]


def consent_when_synced(days: int) -> Prepare:
    """What to do with the window's link: send `StartDrafting` once for each account that becomes current."""

    def prepare(link: EngineLink) -> None:
        agreed: set[int] = set()

        def hear(event: Event) -> None:
            if isinstance(event, SyncProgress) and event.phase is SyncPhase.CURRENT and event.account_id not in agreed:
                agreed.add(event.account_id)
                link.send(StartDrafting(event.account_id, days))

        link.subscribe(hear)

    return prepare
