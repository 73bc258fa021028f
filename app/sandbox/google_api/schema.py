"""Methods of Google's discovery documents: routing, types of bodies and query parameters, and the `fields` parameter.

Unknown or mistyped values raise `ApiError` 400. `fields` supports names at the top, such as `id,payload`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from app.sandbox.google_api.errors import ApiError, invalid_value, unknown_field, unknown_parameter
from app.sandbox.google_api.json_values import JsonObject

STANDARD_PARAMETERS = frozenset(
    {
        "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
        "uploadType", "upload_protocol", "upload_id", "userIp",
    }
)  # fmt: skip
BODIES: Mapping[str, str] = {
    "Message": (
        "classificationLabelValues:ClassificationLabelValue[] historyId:string id:string internalDate:string "
        "labelIds:string[] payload:MessagePart raw:string sizeEstimate:integer snippet:string threadId:string"
    ),
    "ClassificationLabelValue": "fields:ClassificationLabelFieldValue[] labelId:string",
    "ClassificationLabelFieldValue": "fieldId:string selection:string",
    "MessagePart": (
        "body:MessagePartBody filename:string headers:MessagePartHeader[] mimeType:string partId:string parts:MessagePart[]"
    ),
    "MessagePartBody": "attachmentId:string data:string size:integer",
    "MessagePartHeader": "name:string value:string",
    "Draft": "id:string message:Message",
    "Label": (
        "color:LabelColor id:string labelListVisibility:labelShow|labelShowIfUnread|labelHide "
        "messageListVisibility:show|hide messagesTotal:integer messagesUnread:integer name:string "
        "threadsTotal:integer threadsUnread:integer type:system|user"
    ),
    "LabelColor": "backgroundColor:string textColor:string",
    "SendAs": (
        "displayName:string isDefault:boolean isPrimary:boolean replyToAddress:string sendAsEmail:string signature:string "
        "smtpMsa:object treatAsAlias:boolean verificationStatus:string"
    ),
    "VacationSettings": (
        "enableAutoReply:boolean endTime:string responseBodyHtml:string responseBodyPlainText:string responseSubject:string "
        "restrictToContacts:boolean restrictToDomain:boolean startTime:string"
    ),
    "ModifyMessageRequest": (
        "addClassificationLabels:ClassificationLabelValue[] addLabelIds:string[] "
        "removeClassificationLabelIds:string[] removeLabelIds:string[]"
    ),
    "BatchModifyMessagesRequest": (
        "addClassificationLabels:ClassificationLabelValue[] addLabelIds:string[] ids:string[] "
        "removeClassificationLabelIds:string[] removeLabelIds:string[]"
    ),
    "BatchDeleteMessagesRequest": "ids:string[]",
    "ModifyThreadRequest": "addLabelIds:string[] removeLabelIds:string[]",
    "Event": (
        "anyoneCanAddSelf:boolean attachments:object[] attendees:EventAttendee[] attendeesOmitted:boolean "
        "birthdayProperties:object colorId:string conferenceData:object created:string creator:EventPerson "
        "description:string end:EventDateTime endTimeUnspecified:boolean etag:string eventLabelId:string "
        "eventType:string extendedProperties:EventProperties focusTimeProperties:object gadget:object "
        "guestsCanInviteOthers:boolean guestsCanModify:boolean guestsCanSeeOtherGuests:boolean hangoutLink:string "
        "htmlLink:string iCalUID:string id:string kind:string location:string locked:boolean organizer:EventPerson "
        "originalStartTime:EventDateTime outOfOfficeProperties:object privateCopy:boolean recurrence:string[] "
        "recurringEventId:string reminders:EventReminders sequence:integer source:EventSource start:EventDateTime "
        "status:string summary:string transparency:string updated:string visibility:string "
        "workingLocationProperties:object"
    ),
    "EventAttendee": (
        "additionalGuests:integer asyncOperation:string comment:string displayName:string email:string id:string "
        "optional:boolean organizer:boolean resource:boolean responseStatus:string self:boolean"
    ),
    "EventPerson": "displayName:string email:string id:string self:boolean",
    "EventDateTime": "date:string dateTime:string timeZone:string",
    "EventProperties": "private:object shared:object",
    "EventReminders": "overrides:EventReminder[] useDefault:boolean",
    "EventReminder": "method:string minutes:integer",
    "EventSource": "title:string url:string",
}
SCALARS: Mapping[str, type] = {"string": str, "boolean": bool, "object": dict}


def fields_of(name: str) -> dict[str, str]:
    """Fields of a message type: name to kind."""
    pairs = (entry.split(":", 1) for entry in BODIES[name].split())
    return {pair[0]: pair[1] for pair in pairs}


def check_body(name: str, body: JsonObject, where: str = "") -> None:
    """Checks names and types of a body. Raises `ApiError` 400 with the path of the bad field, as Google does."""
    known = fields_of(name)
    for key, value in body.items():
        if key not in known:
            raise unknown_field(key, where)
        if value is not None:
            _check_value(known[key], value, f"{where}.{key}" if where else key)


def _check_value(kind: str, value: object, where: str) -> None:
    if kind.endswith("[]"):
        _check_list(kind, value, where)
    elif kind in BODIES:
        if not isinstance(value, dict):
            raise invalid_value(where, kind, value)
        check_body(kind, value, where)
    elif kind == "integer":
        if type(value) is not int:  # a bool is an int, too
            raise invalid_value(where, "TYPE_INT32", value)
    elif kind in SCALARS:
        if not isinstance(value, SCALARS[kind]):
            raise invalid_value(where, f"TYPE_{kind.upper()}", value)
    elif value not in kind.split("|"):
        raise invalid_value(where, "enum", value)


def _check_list(kind: str, value: object, where: str) -> None:
    if not isinstance(value, list):
        raise invalid_value(where, kind, value)
    for index, item in enumerate(value):
        _check_value(kind[:-2], item, f"{where}[{index}]")


class Arguments:
    """The checked query parameters of one request."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = values

    def text(self, name: str) -> str | None:
        """The last value given, or None."""
        given = self._values.get(name)
        return given[-1] if given else None

    def texts(self, name: str) -> list[str]:
        """Every value given, in order."""
        return list(self._values.get(name, ()))

    def flag(self, name: str) -> bool:
        return (self.text(name) or "").lower() in {"true", "1"}

    def count(self, name: str, default: int, most: int) -> int:
        """A page size: the default if absent or 0, never above `most`. Raises `ApiError` 400 if negative."""
        wanted = int(self.text(name) or 0) or default
        if wanted < 0:
            raise ApiError(400, f"Invalid {name}: {wanted}", "invalidArgument")
        return min(wanted, most)


def check_query(query: Mapping[str, Sequence[str]], known: Mapping[str, str]) -> Arguments:
    """Checks the query parameters. Raises `ApiError` 400 for unknown, repeated and mistyped ones."""
    for name, values in query.items():
        if name in STANDARD_PARAMETERS:
            continue
        if name not in known:
            raise unknown_parameter(name)
        kind = known[name].rstrip("!")
        if len(values) > 1 and not kind.endswith("[]"):
            raise ApiError(400, f"Parameter '{name}' is not repeated.", "invalid")
        for value in values:
            _check_parameter(name, kind.removesuffix("[]"), value)
    return Arguments(query)


def _check_parameter(name: str, kind: str, value: str) -> None:
    if kind == "integer":
        if not value.lstrip("-").isdecimal() or len(value) > 10:
            raise invalid_value(name, "TYPE_INT32", value)
    elif kind == "boolean":
        if value.lower() not in {"true", "false", "1", "0"}:
            raise invalid_value(name, "TYPE_BOOL", value)
    elif kind != "string" and value not in kind.split("|"):
        raise invalid_value(name, "enum", value)


FIELD = re.compile(r"[A-Za-z0-9_]+")


def reduced_to(fields: str, answer: JsonObject) -> JsonObject:
    """The fields of an answer that the parameter `fields` names, such as `id,payload`. Raises `ApiError` 400."""
    names = [name.strip() for name in fields.split(",")]
    if not all(FIELD.fullmatch(name) for name in names):
        raise ApiError(400, f"Invalid field selection {fields}", "invalidParameter", location=("fields", "parameter"))
    return {name: value for name, value in answer.items() if name in names}


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a Google API as in its discovery document.

    `query` maps a parameter's name to its kind: `string`, `integer`, `boolean` or `a|b|c` (choices), with `[]` if it may be
    repeated.
    """

    id: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    query: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    max_upload_bytes: int = 0
    units: int = 1


@dataclass(frozen=True, slots=True)
class MethodMatch:
    """A method with the path arguments of a request. `upload`: it came to the upload address."""

    method: Method
    arguments: Mapping[str, str]
    upload: bool


class MethodRouter:
    """Finds methods by verb and path."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._entries: dict[tuple[str, int], list[tuple[re.Pattern[str], Method]]] = {}
        for method in methods:
            key = (method.verb, method.path.count("/"))
            self._entries.setdefault(key, []).append((_pattern(method.path), method))
        for entries in self._entries.values():
            entries.sort(key=lambda entry: entry[1].path.count("{"))

    def find(self, verb: str, path: str) -> MethodMatch | None:
        """The match for an undecoded path, or None."""
        upload = path.startswith(("/upload/", "/resumable/upload/"))
        if upload:
            path = path[path.index("/upload/") + len("/upload") :]
        for pattern, method in self._entries.get((verb, path.count("/")), ()):
            found = pattern.fullmatch(path)
            if found and (not upload or method.max_upload_bytes):
                arguments = {name: unquote(value) for name, value in found.groupdict().items()}
                return MethodMatch(method, arguments, upload)
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    text = "".join(re.escape(part) if index % 2 == 0 else f"(?P<{part}>[^/]+?)" for index, part in enumerate(parts))
    return re.compile(text)
