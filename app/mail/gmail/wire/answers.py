"""Decodes Gmail's JSON answers into domain types, strictly.

An answer of another shape raises `msgspec.ValidationError`, which the caller converts to `ServerError`.
"""

from typing import TypeVar

import msgspec

from app.domain.errors import ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId, history_id_of
from app.domain.mail.message import Label, SendAs, Vacation
from app.domain.ports.gmail import MailboxProfile, ReadDraft, RemoteDraft, ThreadMessage
from app.domain.sync import ChangeKind, HistoryChange, HistoryPage, Listed, ListPage
from app.mail.html.visible import visible_text
from app.mail.mime.headers import parse_addresses
from app.mail.mime.parts import LATEST, LONGEST_HEADER, count_of, moment_of, unpacked
from app.mail.parse import message_id_of, written_of


class _Camel(msgspec.Struct, rename="camel"):
    """Uses Google's camelCase field names."""


class _Profile(_Camel):
    email_address: str
    history_id: object = None
    messages_total: object = 0


class _Label(_Camel):
    id: str
    name: str | None = None
    type: str | None = None

    @property
    def label(self) -> Label:
        """The label. One without a name is called by its id."""
        return Label(self.id, self.name or self.id, self.type or "user")


class _SendAs(_Camel):
    send_as_email: str
    display_name: str = ""
    is_default: bool = False
    signature: str = ""
    verification_status: str = "accepted"


class _Vacation(_Camel):
    enable_auto_reply: bool = False
    response_subject: str = ""
    response_body_plain_text: str = ""
    response_body_html: str = ""
    restrict_to_contacts: bool = False
    start_time: str = "0"
    end_time: str = "0"


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
        """Returns the first header of that name, given in lower case."""
        return next((each.value for each in self.payload.headers if each.name.strip().lower() == name), "")

    @property
    def rfc822_id(self) -> str:
        """The Message-ID, also if its line was folded."""
        return message_id_of(_unfolded(self.header("message-id")))

    @property
    def marker(self) -> str:
        """Our own header, empty on other mail."""
        return _unfolded(self.header("x-replyroom-outbox"))


class _Name(_Camel):
    """An entry of a list of messages or drafts."""

    id: str = ""
    thread_id: str = ""


class _Entry(_Camel):
    message: _Message
    label_ids: list[str] = []


class _Record(_Camel):
    id: object = None
    messages_added: list[_Entry] = []
    messages_deleted: list[_Entry] = []
    labels_added: list[_Entry] = []
    labels_removed: list[_Entry] = []


class _Thread(_Camel):
    messages: list[_Message] = []


class _Draft(_Camel):
    id: str
    message: _Message


class _Source(_Camel):
    raw: str


class _Attachment(_Camel):
    data: str


class _Answer(_Camel):
    """What lists and counts are in."""

    labels: list[_Label] = []
    send_as: list[_SendAs] = []
    messages: list[_Name] = []
    drafts: list[_Name] = []
    history: list[_Record] = []
    history_id: object = None
    next_page_token: str = ""
    messages_total: object = 0
    result_size_estimate: object = 0


T = TypeVar("T")


def _decoded(body: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(body, type=kind, strict=False)


def profile(body: bytes) -> MailboxProfile:
    """Decodes `users.getProfile`."""
    found = _decoded(body, _Profile)
    return MailboxProfile(found.email_address.lower(), _history_id(found.history_id), count_of(found.messages_total))


def labels(body: bytes) -> tuple[Label, ...]:
    """Decodes `labels.list`."""
    return tuple(each.label for each in _decoded(body, _Answer).labels)


def label(body: bytes) -> Label:
    """Decodes `labels.create`."""
    return _decoded(body, _Label).label


def label_total(body: bytes) -> int:
    """Decodes the message count of `labels.get`, 0 if there is none."""
    return count_of(_decoded(body, _Answer).messages_total)


def send_as(body: bytes) -> tuple[SendAs, ...]:
    """Decodes `settings.sendAs.list` without unconfirmed addresses."""
    found = _decoded(body, _Answer).send_as
    usable = [each for each in found if each.verification_status != "pending"]
    return tuple(SendAs(each.send_as_email.lower(), each.display_name, each.is_default, each.signature) for each in usable)


def vacation(body: bytes) -> Vacation:
    """Decodes `settings.getVacation`. A text that is only HTML comes as text."""
    found = _decoded(body, _Vacation)
    text = found.response_body_plain_text or visible_text(found.response_body_html)
    times = tuple(int(one) if one.isdecimal() else 0 for one in (found.start_time, found.end_time))
    return Vacation(found.enable_auto_reply, found.response_subject, text, times[0], times[1], found.restrict_to_contacts)


def list_page(body: bytes) -> ListPage:
    """Decodes a page of `messages.list`; entries without an id are left out."""
    found = _decoded(body, _Answer)
    entries = tuple(Listed(GmailId(each.id), GmailThreadId(each.thread_id)) for each in found.messages if each.id)
    return ListPage(entries, found.next_page_token, count_of(found.result_size_estimate))


def history_page(body: bytes) -> HistoryPage:
    """Decodes `history.list`."""
    found = _decoded(body, _Answer)
    changes = tuple(change for record in found.history for change in _changes(record))
    return HistoryPage(changes, _history_id(found.history_id), found.next_page_token)


def _history_id(value: object) -> HistoryId:
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
    number = int(told) if (told := str(record.id)).isdecimal() else 0
    return [_change(kind, entry, number) for kind, entries in groups for entry in entries]


def _change(kind: ChangeKind, entry: _Entry, number: int) -> HistoryChange:
    message = entry.message
    names = message.label_ids if kind is ChangeKind.ADDED else entry.label_ids
    return HistoryChange(kind, GmailId(message.id), GmailThreadId(message.thread_id), frozenset(names), number)


def thread_state(body: bytes) -> tuple[ThreadMessage, ...]:
    """Decodes `threads.get` (format metadata), oldest first, drafts included."""
    found = _decoded(body, _Thread)
    return tuple(sorted((_state(each) for each in found.messages), key=lambda each: each.date))


def _state(message: _Message) -> ThreadMessage:
    # A message without any date counts as the newest, so that it is not overlooked.
    date = moment_of(message.internal_date) or written_of(message.header("date")[:LONGEST_HEADER]) or LATEST
    sender = next((each.email for each in parse_addresses(message.header("from")[:LONGEST_HEADER])), "")
    labels = frozenset(message.label_ids)
    return ThreadMessage(GmailId(message.id), labels, message.rfc822_id, sender, date, message.marker)


def draft(body: bytes) -> RemoteDraft:
    found = _decoded(body, _Draft)
    return RemoteDraft(GmailDraftId(found.id), GmailId(found.message.id), GmailThreadId(found.message.thread_id))


def draft_ids(body: bytes) -> tuple[GmailDraftId, ...]:
    """Decodes `drafts.list`, each draft once; entries without an id are left out."""
    listed = _decoded(body, _Answer).drafts
    return tuple(dict.fromkeys(GmailDraftId(each.id) for each in listed if each.id))


def read_draft(body: bytes) -> ReadDraft:
    """Decodes `drafts.get` with the draft's Message-ID and marker."""
    found = _decoded(body, _Draft)
    ids = (GmailDraftId(found.id), GmailId(found.message.id), GmailThreadId(found.message.thread_id))
    return ReadDraft(*ids, found.message.rfc822_id, found.message.marker)


def _unfolded(value: str) -> str:
    """Removes white space, as folding may have put some inside the value."""
    return "".join(value[:LONGEST_HEADER].split())


def message_id(body: bytes) -> GmailId:
    """Decodes the id of the message that a write answered with."""
    return GmailId(_decoded(body, _Message).id)


def source_bytes(body: bytes) -> bytes:
    """Decodes `messages.get` in raw format to the message's source."""
    return unpacked(_decoded(body, _Source).raw)


def attachment_bytes(body: bytes) -> bytes:
    """Decodes `attachments.get`."""
    return unpacked(_decoded(body, _Attachment).data)
