"""Gmail's JSON answers, decoded strictly into the domain's words.

An answer of another shape raises `msgspec.ValidationError`, which the caller turns into `ServerError`.
"""

from datetime import datetime

import msgspec

from app.domain.errors import ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId, history_id_of
from app.domain.mail.message import Label
from app.domain.ports.gmail import MailboxProfile, ReadDraft, RemoteDraft, SendAs, ThreadMessage
from app.domain.sync import ChangeKind, HistoryChange, HistoryPage, Listed, ListPage
from app.mail.mime.addresses import parse_addresses
from app.mail.mime.numbers import LATEST, count_of, moment_of
from app.mail.mime.parts import LONGEST_HEADER, unpacked
from app.mail.parse import message_id_of, written_of


class _Camel(msgspec.Struct, rename="camel"):
    """Google's field names."""


class _Profile(_Camel):
    email_address: str
    history_id: object = None
    messages_total: object = 0


class _Label(_Camel):
    id: str
    name: str
    type: str = "user"


class _Labels(_Camel):
    labels: list[_Label] = []


class _Counted(_Camel):
    messages_total: object = 0


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
    internal_date: object = None
    payload: _Payload = msgspec.field(default_factory=_Payload)

    def header(self, name: str) -> str:
        """The first header of that name, any case."""
        return next((each.value for each in self.payload.headers if each.name.strip().lower() == name), "")

    @property
    def rfc822_id(self) -> str:
        """Read the Message-ID, however its line was folded."""
        return message_id_of(_unfolded(self.header("message-id")))

    @property
    def marker(self) -> str:
        """Read our own header, empty on others' mail."""
        return _unfolded(self.header("x-replyroom-outbox"))


class _MessageName(_Camel):
    id: str = ""
    thread_id: str = ""


class _MessageList(_Camel):
    messages: list[_MessageName] = []
    next_page_token: str = ""
    result_size_estimate: object = 0


class _Entry(_Camel):
    message: _Message
    label_ids: list[str] = []


class _Record(_Camel):
    messages_added: list[_Entry] = []
    messages_deleted: list[_Entry] = []
    labels_added: list[_Entry] = []
    labels_removed: list[_Entry] = []


class _History(_Camel):
    history_id: object = None
    history: list[_Record] = []
    next_page_token: str = ""


class _Thread(_Camel):
    messages: list[_Message] = []


class _Draft(_Camel):
    id: str
    message: _Message


class _DraftName(_Camel):
    id: str = ""


class _DraftList(_Camel):
    drafts: list[_DraftName] = []


class _Source(_Camel):
    raw: str


class _Attachment(_Camel):
    data: str = ""


def profile(body: bytes) -> MailboxProfile:
    """`users.getProfile`."""
    found = msgspec.json.decode(body, type=_Profile, strict=False)
    return MailboxProfile(found.email_address.lower(), _history_id(found.history_id), count_of(found.messages_total))


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
    return count_of(msgspec.json.decode(body, type=_Counted).messages_total)


def send_as(body: bytes) -> tuple[SendAs, ...]:
    """`settings.sendAs.list` without addresses whose owner has not confirmed them."""
    found = msgspec.json.decode(body, type=_SendAsList).send_as
    usable = [each for each in found if each.verification_status != "pending"]
    return tuple(SendAs(each.send_as_email.lower(), each.display_name, each.is_default, each.signature) for each in usable)


def list_page(body: bytes) -> ListPage:
    """Read a page of `messages.list`; an entry without an id names none."""
    found = msgspec.json.decode(body, type=_MessageList)
    entries = tuple(Listed(GmailId(each.id), GmailThreadId(each.thread_id)) for each in found.messages if each.id)
    return ListPage(entries, found.next_page_token, count_of(found.result_size_estimate))


def history_page(body: bytes) -> HistoryPage:
    """`history.list`."""
    found = msgspec.json.decode(body, type=_History, strict=False)
    changes = tuple(change for record in found.history for change in _changes(record))
    return HistoryPage(changes, _history_id(found.history_id), found.next_page_token)


def _history_id(value: object) -> HistoryId:
    """Read the mailbox's history id. Raises `ServerError`."""
    try:
        return history_id_of(value)
    except ValueError as error:
        raise ServerError(f"The server's history id is {error}: {str(value)[:40]}") from error


def _changes(record: _Record) -> list[HistoryChange]:
    groups = (
        (ChangeKind.ADDED, record.messages_added),
        (ChangeKind.LABELS_ADDED, record.labels_added),
        (ChangeKind.LABELS_REMOVED, record.labels_removed),
        (ChangeKind.DELETED, record.messages_deleted),
    )
    return [_change(kind, entry) for kind, entries in groups for entry in entries]


def _change(kind: ChangeKind, entry: _Entry) -> HistoryChange:
    message = entry.message
    names = message.label_ids if kind is ChangeKind.ADDED else entry.label_ids
    return HistoryChange(kind, GmailId(message.id), GmailThreadId(message.thread_id), frozenset(names))


def thread_state(body: bytes) -> tuple[ThreadMessage, ...]:
    """`threads.get` with metadata, oldest first; drafts are among them."""
    found = msgspec.json.decode(body, type=_Thread, strict=False)
    return tuple(sorted((_state(each) for each in found.messages), key=lambda each: each.date))


def _state(message: _Message) -> ThreadMessage:
    return ThreadMessage(
        gmail_id=GmailId(message.id),
        labels=frozenset(message.label_ids),
        rfc822_id=message.rfc822_id,
        sender=next((each.email for each in parse_addresses(message.header("from")[:LONGEST_HEADER])), ""),
        date=_date(message),
        marker=message.marker,
    )


def _date(message: _Message) -> datetime:
    """Read when a message came, else when it was written.

    One that tells neither counts as the newest, so that it is not overlooked.
    """
    return moment_of(message.internal_date) or written_of(message.header("date")[:LONGEST_HEADER]) or LATEST


def draft(body: bytes) -> RemoteDraft:
    """A draft with its message's ids."""
    found = msgspec.json.decode(body, type=_Draft, strict=False)
    return RemoteDraft(GmailDraftId(found.id), GmailId(found.message.id), GmailThreadId(found.message.thread_id))


def draft_ids(body: bytes) -> tuple[GmailDraftId, ...]:
    """List the drafts that `drafts.list` names, each once.

    An entry without an id names none.
    """
    listed = msgspec.json.decode(body, type=_DraftList, strict=False).drafts
    return tuple(dict.fromkeys(GmailDraftId(each.id) for each in listed if each.id))


def read_draft(body: bytes) -> ReadDraft:
    """Read an answer of `drafts.get` with the draft's two marks."""
    found = msgspec.json.decode(body, type=_Draft, strict=False)
    ids = (GmailDraftId(found.id), GmailId(found.message.id), GmailThreadId(found.message.thread_id))
    return ReadDraft(*ids, found.message.rfc822_id, found.message.marker)


def _unfolded(value: str) -> str:
    """Take the spaces of its line out of a value."""
    return "".join(value[:LONGEST_HEADER].split())


def message_id(body: bytes) -> GmailId:
    """The id of the message that a write answered with."""
    return GmailId(msgspec.json.decode(body, type=_Message, strict=False).id)


def source_bytes(body: bytes) -> bytes:
    """`messages.get` in raw format: the mail as it was sent."""
    return unpacked(msgspec.json.decode(body, type=_Source, strict=False).raw)


def attachment_bytes(body: bytes) -> bytes:
    """`attachments.get`."""
    return unpacked(msgspec.json.decode(body, type=_Attachment).data)
