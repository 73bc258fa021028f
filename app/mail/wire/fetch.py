"""What came back for one wanted message or thread: decoded and parsed, off the event loop."""

from app.domain.errors import ExpectedError, NotFound, QuotaReached
from app.domain.ids import GmailId
from app.domain.mail import RemoteMessage
from app.domain.ports.gmail import Fetched
from app.mail.mime.resource import message_resource, thread_resource
from app.mail.parse import parse_message, parse_resource
from app.mail.wire.deep_json import decode_json


def message_of(body: bytes) -> RemoteMessage:
    """A `messages.get` answer (full). Raises `ValueError` or `TypeError` if it is no message at all."""
    resource = message_resource(body)
    if resource is not None:
        return parse_resource(resource, clean=False)
    return parse_message(_object(decode_json(body)), clean=False)


def thread_of(body: bytes) -> tuple[RemoteMessage, ...]:
    """A `threads.get` answer (full), in Gmail's order. Raises `ValueError` or `TypeError`."""
    thread = thread_resource(body)
    if thread is not None:
        return tuple([parse_resource(each, clean=False) for each in thread.messages])
    messages = _object(decode_json(body)).get("messages", [])
    if not isinstance(messages, list):
        raise TypeError("A thread's messages are no list.")
    return tuple(parse_message(_object(each), clean=False) for each in messages)


def fetched_message(gmail_id: GmailId, outcome: RemoteMessage | ExpectedError) -> Fetched:
    """One message's outcome in the port's words."""
    if isinstance(outcome, RemoteMessage):
        return Fetched(gmail_id, outcome)
    return _missed(gmail_id, outcome)


def fetched_thread(outcome: tuple[RemoteMessage, ...] | ExpectedError) -> tuple[Fetched, ...]:
    """One thread's outcome; a thread without an answer is one `Fetched` without an id."""
    if isinstance(outcome, tuple):
        return tuple(Fetched(message.gmail_id, message) for message in outcome)
    return (_missed(GmailId(""), outcome),)


def _missed(gmail_id: GmailId, error: ExpectedError) -> Fetched:
    if isinstance(error, NotFound):
        return Fetched(gmail_id, None, gone=True)
    wait_s = error.retry_after_s if isinstance(error, QuotaReached) else None
    return Fetched(gmail_id, None, code=error.code, detail=error.detail, retry_after_s=wait_s)


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("An answer is no JSON object.")
    return value
