"""The first listing of a mailbox, page by page, onto the to-fetch list. After a crash it continues where it stopped.

Listing is cheap (5 units for 500 messages) and shows which messages share a conversation, which makes fetching cheap. The newest
mail is listed and fetched first, then everything is listed before the rest is fetched.
"""

import logging
from collections.abc import Callable

from app.config.settings import SyncSettings
from app.domain.errors import RejectedByServer
from app.domain.ids import HistoryId
from app.domain.ports.gmail import MailServer
from app.engine.sync.listing import STEPS, ListingProgress, terms_of, unpacked, wanted
from app.engine.sync.mirror import MailboxMirror
from app.store.mail.sync_page import SyncPage

log = logging.getLogger(__name__)

EARLY_STEPS = 2
"""Number of steps that list the newest mail."""
RECHECK_PRIORITY = 50
MOST_WAITING = 1_000_000
HEAD_START = 300
"""Messages fetched before the rest is listed, because the user sees them first."""


class Backfill:
    """The progress is stored in the sync state. `progress` is valid after `load` or `begin`."""

    def __init__(self, server: MailServer, mirror: MailboxMirror, limits: Callable[[], SyncSettings] = SyncSettings) -> None:
        self._server, self._mirror, self._limits = server, mirror, limits
        self.progress = ListingProgress()
        self._begun_again = -1
        self._lacked = 0

    async def load(self) -> None:
        """Reads the stored progress."""
        self.progress = unpacked((await self._mirror.state()).list_cursor_json) or ListingProgress()

    async def begin(self) -> HistoryId:
        """Starts a listing. Returns the history cursor from before it, from which later changes are replayed."""
        profile = await self._server.profile()
        terms = terms_of(self._limits())
        self.progress = ListingProgress(total=0 if terms else profile.messages_total, terms=terms)
        await self._mirror.apply(SyncPage(cursor=profile.history_id, backfill_state=self.progress.packed()))
        return profile.history_id

    async def follow_limits(self) -> bool:
        """Starts the listing again if the user changed the limits. Returns whether they changed.

        Messages that only wait to be fetched are forgotten. Stored messages stay, and those that wait to be read again still
        wait.
        """
        terms = terms_of(self._limits())
        if terms == self.progress.terms:
            return False
        waiting, have = await self._mirror.to_fetch(MOST_WAITING), self._mirror.have
        forgotten = tuple(one.gmail_id for one in waiting if one.priority < RECHECK_PRIORITY and one.gmail_id not in have)
        total = 0 if terms else (await self._server.profile()).messages_total
        self.progress = ListingProgress(total=total, terms=terms)
        await self._mirror.apply(SyncPage(fetched=forgotten, backfill_state=self.progress.packed()))
        return True

    def comes_first(self) -> bool:
        """Whether to list more before fetching what is listed."""
        progress = self.progress
        return not progress.finished and (progress.step < EARLY_STEPS or len(self._mirror.have) >= HEAD_START)

    async def advance(self) -> None:
        """Lists one page. If a page token has expired, the step starts again; a second refusal in a row is raised."""
        progress = self.progress
        step = progress.current
        try:
            query = f"{step.query} {terms_of(self._limits())}".strip()
            page = await self._server.list_messages(query, (), progress.token, include_spam_trash=step.spam_trash)
        except RejectedByServer:
            again, self._begun_again = progress.token and self._begun_again != progress.step, progress.step
            self.progress = progress.at(progress.step)
            if not again:
                self._begun_again = -1
                raise
            return
        after = progress.after(page)
        rows = wanted(page, self._mirror.have, step.priority)
        await self._mirror.apply(SyncPage(to_fetch=rows, backfill_state=after.packed()))
        self.progress = after

    async def recheck(self) -> None:
        """Lists the newest mail again, since the server's lists lag behind.

        Messages from just before the cursor may have been missing. If the lists ended too early, the last step starts again:
        once, unless more is missing than after that. While the mailbox changes, its count says nothing.
        """
        page = await self._server.list_messages(terms_of(self._limits()), (), "", include_spam_trash=True)
        rows = wanted(page, self._mirror.have, RECHECK_PRIORITY)
        if rows:
            await self._mirror.apply(SyncPage(to_fetch=rows))
        if terms_of(self._limits()) or not self.progress.finished:
            return
        profile = await self._server.profile()
        if profile.history_id != (await self._mirror.state()).cursor:
            return
        known = self._mirror.have.union(one.gmail_id for one in await self._mirror.to_fetch(MOST_WAITING))
        lacking, lacked = profile.messages_total - len(known), self._lacked
        self._lacked = max(lacking, 0)
        if lacking > lacked:
            log.info("account %d: %d messages were not listed, listing again", self._mirror.account_id, lacking)
            self.progress = ListingProgress(len(STEPS) - 1, "", profile.messages_total, self.progress.terms)
            await self._mirror.apply(SyncPage(backfill_state=self.progress.packed()))
