"""Gmail's JSON answers, decoded strictly into the domain's words.

An answer of another shape raises `msgspec.ValidationError`, which the caller turns into `ServerTrouble`.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId
from app.domain.mail import Label
from app.domain.ports.gmail import Profile, RemoteDraft, SendAs, ThreadMessage
from app.domain.syncing import Change, ChangeKind, HistoryPage, Listed, ListPage
from app.mail.mime.addresses import parse_addresses
from app.mail.mime.parts import LONGEST_HEADER, unpacked

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Camel(msgspec.Struct, rename="camel"):
    """Google's field names."""


class _Profile(_Camel):
    email_address: str
    history_id: int
    messages_total: int = 0


class _Label(_Camel):
    id: str
    name: str
    type: str = "user"


class _Labels(_Camel):
    labels: list[_Label] = []


class _Counted(_Camel):
    messages_total: int = 0


class _SendAs(_Camel):
    send_as_email: str
    display_name: str = ""
    is_default: bool = False
    signature: str = ""
    verification_status: str = "accepted"


class _SendAsList(_Camel):
    send_as: list[_SendAs] = []


class _Header(_Camel):
    name: str
    value: str = ""


class _Payload(_Camel):
    headers: list[_Header] = []


class _Message(_Camel):
    id: str
    thread_id: str = ""
    label_ids: list[str] = []
    internal_date: int = 0
    payload: _Payload = msgspec.field(default_factory=_Payload)

    def header(self, name: str) -> str:
        """The first header of that name, any case."""
        return next((each.value for each in self.payload.headers if each.name.lower() == name), "")


class _MessageList(_Camel):
    messages: list[_Message] = []
    next_page_token: str = ""
    result_size_estimate: int = 0


class _Entry(_Camel):
    message: _Message
    label_ids: list[str] = []


class _Record(_Camel):
    messages_added: list[_Entry] = []
    messages_deleted: list[_Entry] = []
    labels_added: list[_Entry] = []
    labels_removed: list[_Entry] = []


class _History(_Camel):
    history_id: int
    history: list[_Record] = []
    next_page_token: str = ""


class _Thread(_Camel):
    messages: list[_Message] = []


class _Draft(_Camel):
    id: str
    message: _Message


class _DraftList(_Camel):
    drafts: list[_Draft] = []


class _Source(_Camel):
    raw: str


class _Attachment(_Camel):
    data: str = ""


def profile(body: bytes) -> Profile:
    """`users.getProfile`."""
    found = msgspec.json.decode(body, type=_Profile, strict=False)
    return Profile(found.email_address.lower(), HistoryId(found.history_id), found.messages_total)


def labels(body: bytes) -> tuple[Label, ...]:
    """`labels.list`."""
    found = msgspec.json.decode(body, type=_Labels)
    return tuple(Label(each.id, each.name, each.type) for each in found.labels)


def label(body: bytes) -> Label:
    """`labels.create`."""
    found = msgspec.json.decode(body, type=_Label)
    return Label(found.id, found.name, found.type)


def label_total(body: bytes) -> int:
    """`labels.get`: 0 where nothing is counted."""
    return msgspec.json.decode(body, type=_Counted).messages_total


def send_as(body: bytes) -> tuple[SendAs, ...]:
    """`settings.sendAs.list` without addresses whose owner has not confirmed them."""
    found = msgspec.json.decode(body, type=_SendAsList).send_as
    usable = [each for each in found if each.verification_status != "pending"]
    return tuple(SendAs(each.send_as_email.lower(), each.display_name, each.is_default, each.signature) for each in usable)


def list_page(body: bytes) -> ListPage:
    """`messages.list`."""
    found = msgspec.json.decode(body, type=_MessageList)
    entries = tuple(Listed(GmailId(each.id), GmailThreadId(each.thread_id)) for each in found.messages)
    return ListPage(entries, found.next_page_token, found.result_size_estimate)


def history_page(body: bytes) -> HistoryPage:
    """`history.list`."""
    found = msgspec.json.decode(body, type=_History, strict=False)
    changes = tuple(change for record in found.history for change in _changes(record))
    return HistoryPage(changes, HistoryId(found.history_id), found.next_page_token)


def _changes(record: _Record) -> list[Change]:
    groups = (
        (ChangeKind.ADDED, record.messages_added),
        (ChangeKind.LABELS_ADDED, record.labels_added),
        (ChangeKind.LABELS_REMOVED, record.labels_removed),
        (ChangeKind.DELETED, record.messages_deleted),
    )
    return [_change(kind, entry) for kind, entries in groups for entry in entries]


def _change(kind: ChangeKind, entry: _Entry) -> Change:
    message = entry.message
    names = message.label_ids if kind is ChangeKind.ADDED else entry.label_ids
    return Change(kind, GmailId(message.id), GmailThreadId(message.thread_id), frozenset(names))


def thread_state(body: bytes) -> tuple[ThreadMessage, ...]:
    """`threads.get` with metadata, oldest first; drafts are among them."""
    found = msgspec.json.decode(body, type=_Thread, strict=False)
    return tuple(_state(each) for each in sorted(found.messages, key=lambda each: each.internal_date))


def _state(message: _Message) -> ThreadMessage:
    return ThreadMessage(
        gmail_id=GmailId(message.id),
        labels=frozenset(message.label_ids),
        rfc822_id=message.header("message-id").strip(),
        sender=next((each.email for each in parse_addresses(message.header("from")[:LONGEST_HEADER])), ""),
        date=EPOCH + timedelta(milliseconds=message.internal_date),
        marker=message.header("x-replyroom-outbox").strip(),
    )


def draft(body: bytes) -> RemoteDraft:
    """A draft with its message's ids."""
    return _remote(msgspec.json.decode(body, type=_Draft, strict=False))


def drafts(body: bytes) -> tuple[RemoteDraft, ...]:
    """`drafts.list`, newest first."""
    return tuple(_remote(each) for each in msgspec.json.decode(body, type=_DraftList, strict=False).drafts)


def draft_marks(body: bytes) -> tuple[RemoteDraft, frozenset[str]]:
    """A draft read with its headers: the draft, and the values by which it may be recognised."""
    found = msgspec.json.decode(body, type=_Draft, strict=False)
    names = ("message-id", "x-replyroom-outbox")
    return _remote(found), frozenset(found.message.header(name).strip() for name in names)


def _remote(found: _Draft) -> RemoteDraft:
    return RemoteDraft(GmailDraftId(found.id), GmailId(found.message.id), GmailThreadId(found.message.thread_id))


def message_id(body: bytes) -> GmailId:
    """The id of the message that a write answered with."""
    return GmailId(msgspec.json.decode(body, type=_Message, strict=False).id)


def source_bytes(body: bytes) -> bytes:
    """`messages.get` in raw format: the mail as it was sent."""
    return unpacked(msgspec.json.decode(body, type=_Source, strict=False).raw)


def attachment_bytes(body: bytes) -> bytes:
    """`attachments.get`."""
    return unpacked(msgspec.json.decode(body, type=_Attachment).data)
