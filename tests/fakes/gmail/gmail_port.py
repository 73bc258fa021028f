"""A small Gmail behind the port and an outbox row in memory, for tests that send one item thousands of times."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.domain.errors import (
    ExpectedError,
    LoginNeeded,
    NotFound,
    Offline,
    PermissionMissing,
    QuotaReached,
    RejectedByServer,
    ServerError,
    TemporarilyRejected,
)
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState, check_transition
from app.domain.ports.gmail import ReadDraft, RemoteDraft, ThreadMessage
from app.domain.record import replace
from app.domain.sync import Listed, ListPage
from app.engine.outbox.outbox_writer import MOST_NOT_NOW

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
THREAD = GmailThreadId("t1")
ASKED = ThreadMessage(GmailId("q1"), frozenset({"INBOX"}), "<q1@x>", "ann@x.example", NOW, "")
ITEM = OutboxItem(
    OutboxId(1), AccountId(1), ReviewId(1), OutboxKind.SEND, OutboxState.QUEUED, ThreadId(1), THREAD, "ann@x.example", "Hi",
    b"", "", "<m1@x>", GmailId("q1"), NOW, NOW,
)  # fmt: skip
RESTING = frozenset({OutboxState.SENT, OutboxState.HELD, OutboxState.CANCELLED})
TROUBLE: dict[str, type[ExpectedError]] = {"offline": Offline, "5xx": ServerError, "quota": QuotaReached}
REFUSALS: dict[str, type[ExpectedError]] = {"login": LoginNeeded, "rejected": RejectedByServer, "refused": PermissionMissing}
PASSING: dict[str, type[ExpectedError]] = {"not now": TemporarilyRejected}


class Crash(BaseException):
    """The process ends here."""


@dataclass
class SmallGmail:
    """Drafts and sent mail of one thread.

    `plan` says what happens to the next requests: fine, lost before or after they took effect, crashed before or after. `blind`
    is how often a search still misses a new draft.
    """

    drafts: dict[str, str] = field(default_factory=dict)
    thread: list[ThreadMessage] = field(default_factory=lambda: [ASKED])
    plan: list[str] = field(default_factory=list)
    blind: int = 0
    sends: int = 0
    made: int = 0

    def begin(self) -> str:
        """The outcome of this request. Raises what happens before it takes effect."""
        fate = self.plan.pop(0) if self.plan else "fine"
        if fate == "crash-before":
            raise Crash
        if fate.endswith("-before"):
            raise (TROUBLE | REFUSALS | PASSING)[fate.removesuffix("-before")]
        return fate

    def end(self, fate: str) -> None:
        """Raises what happens after the request took effect."""
        if fate == "crash-after":
            raise Crash
        if fate.endswith("-after"):
            raise ServerError if fate == "quota-after" else TROUBLE[fate.removesuffix("-after")]

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        self.end(self.begin())
        drafts = [
            replace(ASKED, gmail_id=GmailId(f"m-{one}"), labels=frozenset({"DRAFT"}), marker=m) for one, m in self.drafts.items()
        ]
        return (*self.thread, *drafts)

    async def create_draft(self, mime: bytes, gmail_thread_id: str) -> RemoteDraft:
        fate = self.begin()
        self.made += 1
        draft = f"d{self.made}"
        self.drafts[draft] = ITEM.marker
        self.end(fate)
        read = self._draft(draft)
        return RemoteDraft(read.draft_id, read.message_gmail_id, read.gmail_thread_id)

    async def get_draft(self, draft_id: str) -> ReadDraft:
        self.end(self.begin())
        if draft_id not in self.drafts:
            raise NotFound("no such draft")
        return self._draft(draft_id)

    async def find_drafts(self, marker: str) -> tuple[ReadDraft, ...]:
        self.end(self.begin())
        if self.blind:
            self.blind -= 1
            return ()
        return tuple(self._draft(one) for one, held in self.drafts.items() if held == marker)

    async def send_draft(self, draft: ReadDraft) -> GmailId:
        fate = self.begin()
        if draft.draft_id not in self.drafts:
            raise NotFound("no such draft")
        self.sends += 1
        self.deliver(self.drafts.pop(draft.draft_id))
        self.end(fate)
        return self.thread[-1].gmail_id

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        """All messages are in one thread."""
        sent = [one for one in self.thread if "SENT" in one.labels and (include_spam_trash or "TRASH" not in one.labels)]
        return ListPage(tuple(Listed(one.gmail_id, THREAD) for one in sent), "", 0)

    async def delete_draft(self, draft: ReadDraft) -> bool:
        fate = self.begin()
        self.drafts.pop(draft.draft_id, None)
        self.end(fate)
        return True

    def deliver(self, marker: str) -> None:
        """Adds a sent mail of the owner: the approved one by its marker, another one without a marker."""
        sent = frozenset({SystemLabel.SENT.value})
        number = len(self.thread)
        self.thread.append(ThreadMessage(GmailId(f"s{number}"), sent, f"<s{number}@x>", "me@x.example", NOW, marker))

    def _draft(self, draft_id: str) -> ReadDraft:
        return ReadDraft(GmailDraftId(draft_id), GmailId(f"m-{draft_id}"), THREAD, marker=self.drafts[draft_id])

    @property
    def copies(self) -> int:
        """How many sent mails carry the item's marker."""
        return sum(one.marker == ITEM.marker for one in self.thread)


class PaperSteps:
    """An `OutboxWriter` whose row survives a crash while its memory does not."""

    def __init__(self, row: OutboxItem) -> None:
        self.row = row
        self.swept: list[str] = []
        self.doubts: list[OutboxState] = []
        self.forget()

    def forget(self) -> None:
        """Clears the memory, as a restart does."""
        self._misses: Counter[str] = Counter()
        self._not_now = 0

    async def move(
        self,
        item: OutboxItem,
        new: OutboxState,
        *,
        reason: str = "",
        draft_id: Any = None,
        draft_message: Any = None,
        sent_gmail_id: Any = None,
    ) -> OutboxItem:
        assert item.state is self.row.state
        check_transition(item.state, new)
        known = {"draft_id": draft_id, "draft_message": draft_message, "sent_gmail_id": sent_gmail_id}
        new_facts = {name: value for name, value in known.items() if value is not None}
        self.row = replace(self.row, state=new, reason=reason, **new_facts)
        self._misses.clear()
        return self.row

    async def hold(self, item: OutboxItem, reason: HoldReason) -> OutboxItem:
        return await self.move(item, OutboxState.HELD, reason=reason)

    async def disown(self, item: OutboxItem, draft_id: GmailDraftId) -> None:
        self.row = replace(self.row, theirs=(*item.theirs, draft_id))

    def doubt(self, item: OutboxItem) -> None:
        self.doubts.append(item.state)

    def missed(self, item: OutboxItem) -> int:
        self._misses[item.state] += 1
        return self._misses[item.state]

    def passes(self, item: OutboxItem, error: ExpectedError) -> bool:
        self._not_now += isinstance(error, TemporarilyRejected)
        return isinstance(error, TemporarilyRejected) and self._not_now < MOST_NOT_NOW

    def old(self, item: OutboxItem) -> bool:
        return False

    def late(self, item: OutboxItem) -> bool:
        return False

    async def sweep(self, item: OutboxItem) -> None:
        self.swept.append(item.marker)
