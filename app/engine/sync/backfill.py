"""The first listing of a mailbox, page by page, onto the to-fetch list; goes on after a crash where it stopped."""

from app.domain.errors import RejectedByServer
from app.domain.ids import HistoryId
from app.domain.ports.gmail import MailServer
from app.engine.sync.listing import Progress, unpacked, wanted
from app.engine.sync.mirror import Mirror
from app.store.pages import SyncPage

RECHECK_PRIORITY = 50

RECENT_STEPS = 3
"""The steps after which the recent mail and the owner's answers are known."""


class Backfill:
    """Where the listing stands is in the sync state; `progress` mirrors it."""

    def __init__(self, server: MailServer, mirror: Mirror) -> None:
        self._server = server
        self._mirror = mirror
        self.progress: Progress | None = None

    @property
    def recent_done(self) -> bool:
        """Whether the early steps were listed and (fetching goes before listing) fetched."""
        return self.progress is not None and self.progress.step >= RECENT_STEPS

    async def begin(self) -> HistoryId:
        """The cursor from before any listing: what changes meanwhile is replayed from it."""
        profile = await self._server.profile()
        self.progress = Progress(total=profile.messages_total)
        await self._mirror.apply(SyncPage(cursor=profile.history_id, backfill_state=self.progress.packed()))
        return profile.history_id

    async def advance(self) -> bool:
        """List one page; False when everything is listed."""
        progress = await self._load()
        if progress.finished:
            return False
        step = progress.current
        try:
            page = await self._server.list_messages(step.query, (), progress.token, include_spam_trash=step.spam_trash)
        except RejectedByServer:
            if not progress.token:
                raise
            self.progress = progress.again()
            return True
        after = progress.after(page)
        rows = wanted(page, self._mirror.have, step.priority)
        await self._mirror.apply(SyncPage(to_fetch=rows, backfill_state=after.packed()))
        self.progress = after
        return True

    async def recheck(self) -> None:
        """List the newest mail again: what came just before the cursor may have been missing in the server's lists then."""
        page = await self._server.list_messages("", (), "", include_spam_trash=True)
        rows = wanted(page, self._mirror.have, RECHECK_PRIORITY)
        if rows:
            await self._mirror.apply(SyncPage(to_fetch=rows))

    async def _load(self) -> Progress:
        if self.progress is None:
            self.progress = unpacked((await self._mirror.state()).list_cursor_json) or Progress()
        return self.progress
