"""The served methods of Gmail v1, Calendar v3 and People v1, with scopes, parameters and quota units as in Google's tables."""

from app.sandbox.google_api.schema import Method

FULL = "https://mail.google.com/"
PREFIX = "https://www.googleapis.com/auth/gmail."
USER = "/gmail/v1/users/{userId}"
SEND_BYTES = 36_700_160
INSERT_BYTES = 157_286_400
FORMATS = "minimal|full|raw|metadata"
LISTING = {
    "includeSpamTrash": "boolean",
    "labelIds": "string[]",
    "maxResults": "integer",
    "pageToken": "string",
    "q": "string",
}


def _scopes(*names: str) -> tuple[str, ...]:
    return (FULL, *(PREFIX + name for name in names))


def gmail_methods() -> list[Method]:
    return [*_messages(), *_threads(), *_drafts(), *_labels(), *_mailbox()]


def _messages() -> list[Method]:
    name, path = "gmail.users.messages.", USER + "/messages"
    read = _scopes("metadata", "modify", "readonly")
    addon = ("addons.current.message.action", "addons.current.message.metadata", "addons.current.message.readonly")
    get = _scopes(*addon, "metadata", "modify", "readonly")
    attachment = _scopes(addon[0], addon[2], "modify", "readonly")
    modify, insert = _scopes("modify"), _scopes("insert", "modify")
    send = _scopes("addons.current.action.compose", "compose", "modify", "send")
    format_ = {"format": FORMATS, "metadataHeaders": "string[]"}
    source = {"deleted": "boolean", "internalDateSource": "receivedTime|dateHeader"}
    screen = {"neverMarkSpam": "boolean", "processForCalendar": "boolean"}
    item_path = path + "/{id}"
    batch_modify, batch_delete = "BatchModifyMessagesRequest", "BatchDeleteMessagesRequest"
    return [
        Method(name + "list", "GET", path, read, LISTING, units=5),
        Method(name + "get", "GET", item_path, get, format_, units=20),
        Method(name + "send", "POST", path + "/send", send, {}, "Message", SEND_BYTES, 100),
        Method(name + "insert", "POST", path, insert, source, "Message", INSERT_BYTES, 25),
        Method(name + "import", "POST", path + "/import", insert, {**source, **screen}, "Message", INSERT_BYTES, 25),
        Method(name + "modify", "POST", item_path + "/modify", modify, {}, "ModifyMessageRequest", units=5),
        Method(name + "batchModify", "POST", path + "/batchModify", modify, {}, batch_modify, units=50),
        Method(name + "batchDelete", "POST", path + "/batchDelete", (FULL,), {}, batch_delete, units=50),
        Method(name + "trash", "POST", item_path + "/trash", modify, units=20),
        Method(name + "untrash", "POST", item_path + "/untrash", modify, units=20),
        Method(name + "delete", "DELETE", item_path, (FULL,), units=10),
        Method(name + "attachments.get", "GET", path + "/{messageId}/attachments/{id}", attachment, units=20),
    ]


def _threads() -> list[Method]:
    name, path = "gmail.users.threads.", USER + "/threads"
    read = _scopes("metadata", "modify", "readonly")
    addon = ("addons.current.message.action", "addons.current.message.metadata", "addons.current.message.readonly")
    get = _scopes(*addon, "metadata", "modify", "readonly")
    modify, item_path = _scopes("modify"), path + "/{id}"
    format_ = {"format": "full|metadata|minimal", "metadataHeaders": "string[]"}
    return [
        Method(name + "list", "GET", path, read, LISTING, units=10),
        Method(name + "get", "GET", item_path, get, format_, units=40),
        Method(name + "modify", "POST", item_path + "/modify", modify, {}, "ModifyThreadRequest", units=10),
        Method(name + "trash", "POST", item_path + "/trash", modify, units=20),
        Method(name + "untrash", "POST", item_path + "/untrash", modify, units=20),
        Method(name + "delete", "DELETE", item_path, (FULL,), units=20),
    ]


def _drafts() -> list[Method]:
    name, path = "gmail.users.drafts.", USER + "/drafts"
    write = _scopes("addons.current.action.compose", "compose", "modify")
    read, item_path = _scopes("compose", "modify", "readonly"), path + "/{id}"
    listing = {kind: value for kind, value in LISTING.items() if kind != "labelIds"}
    return [
        Method(name + "list", "GET", path, read, listing, units=5),
        Method(name + "get", "GET", item_path, read, {"format": FORMATS}, units=20),
        Method(name + "create", "POST", path, write, {}, "Draft", SEND_BYTES, 10),
        Method(name + "update", "PUT", item_path, write, {}, "Draft", SEND_BYTES, 15),
        Method(name + "send", "POST", path + "/send", write, {}, "Draft", SEND_BYTES, 100),
        Method(name + "delete", "DELETE", item_path, write, units=10),
    ]


def _labels() -> list[Method]:
    name, path = "gmail.users.labels.", USER + "/labels"
    read, write = _scopes("labels", "metadata", "modify", "readonly"), _scopes("labels", "modify")
    item_path = path + "/{id}"
    return [
        Method(name + "list", "GET", path, read),
        Method(name + "get", "GET", item_path, read),
        Method(name + "create", "POST", path, write, {}, "Label"),
        Method(name + "update", "PUT", item_path, write, {}, "Label"),
        Method(name + "patch", "PATCH", item_path, write, {}, "Label"),
        Method(name + "delete", "DELETE", item_path, write),
    ]


def _mailbox() -> list[Method]:
    profile, read = _scopes("compose", "metadata", "modify", "readonly"), _scopes("metadata", "modify", "readonly")
    settings = _scopes("modify", "readonly", "settings.basic")
    basic = PREFIX + "settings.basic"
    patch = (basic, PREFIX + "settings.sharing")
    send_as, vacation = USER + "/settings/sendAs", USER + "/settings/vacation"
    history = {
        "historyTypes": "messageAdded|messageDeleted|labelAdded|labelRemoved[]",
        "labelId": "string",
        "maxResults": "integer",
        "pageToken": "string",
        "startHistoryId": "string",
    }
    return [
        Method("gmail.users.getProfile", "GET", USER + "/profile", profile),
        Method("gmail.users.history.list", "GET", USER + "/history", read, history, units=2),
        Method("gmail.users.settings.sendAs.list", "GET", send_as, settings),
        Method("gmail.users.settings.sendAs.get", "GET", send_as + "/{sendAsEmail}", settings),
        Method("gmail.users.settings.sendAs.patch", "PATCH", send_as + "/{sendAsEmail}", patch, {}, "SendAs", units=100),
        Method("gmail.users.settings.getVacation", "GET", vacation, settings),
        Method("gmail.users.settings.updateVacation", "PUT", vacation, (basic,), {}, "VacationSettings", units=5),
    ]


AUTH = "https://www.googleapis.com/auth/"
CALENDAR_READ = (
    "calendar",
    "calendar.app.created",
    "calendar.events",
    "calendar.events.freebusy",
    "calendar.events.owned",
    "calendar.events.owned.readonly",
    "calendar.events.public.readonly",
    "calendar.events.readonly",
    "calendar.readonly",
)
PERSON_SOURCES = (
    "READ_SOURCE_TYPE_UNSPECIFIED|READ_SOURCE_TYPE_PROFILE|READ_SOURCE_TYPE_CONTACT|"
    "READ_SOURCE_TYPE_DOMAIN_CONTACT|READ_SOURCE_TYPE_OTHER_CONTACT[]"
)
SORT_ORDERS = "LAST_MODIFIED_ASCENDING|LAST_MODIFIED_DESCENDING|FIRST_NAME_ASCENDING|LAST_NAME_ASCENDING"
EVENT_TYPES = "birthday|default|focusTime|fromGmail|outOfOffice|workingLocation[]"


def _auth(*names: str) -> tuple[str, ...]:
    return tuple(AUTH + name for name in names)


def other_methods() -> list[Method]:
    """Every Calendar and People method that is served."""
    return [*_events(), *_people()]


def _events() -> list[Method]:
    read = _auth(*CALENDAR_READ)
    write = _auth("calendar", "calendar.app.created", "calendar.events", "calendar.events.owned")
    name, path = "calendar.events.", "/calendar/v3/calendars/{calendarId}/events"
    item_path = path + "/{eventId}"
    removing = {"sendNotifications": "boolean", "sendUpdates": "all|externalOnly|none"}
    adding = {
        **removing,
        "conferenceDataVersion": "integer",
        "eventLabelVersion": "integer",
        "maxAttendees": "integer",
        "supportsAttachments": "boolean",
    }
    getting = {"alwaysIncludeEmail": "boolean", "maxAttendees": "integer", "timeZone": "string"}
    return [
        Method(name + "list", "GET", path, read, _event_listing()),
        Method(name + "get", "GET", item_path, read, getting),
        Method(name + "insert", "POST", path, write, adding, "Event"),
        Method(name + "patch", "PATCH", item_path, write, {**adding, "alwaysIncludeEmail": "boolean"}, "Event"),
        Method(name + "delete", "DELETE", item_path, write, removing),
    ]


def _event_listing() -> dict[str, str]:
    strings = ("iCalUID", "pageToken", "q", "syncToken", "timeMax", "timeMin", "timeZone", "updatedMin")
    booleans = ("alwaysIncludeEmail", "showDeleted", "showHiddenInvitations", "singleEvents")
    return {
        **dict.fromkeys(strings, "string"),
        **dict.fromkeys(booleans, "boolean"),
        "eventTypes": EVENT_TYPES,
        "maxAttendees": "integer",
        "maxResults": "integer",
        "orderBy": "startTime|updated",
        "privateExtendedProperty": "string[]",
        "sharedExtendedProperty": "string[]",
    }


def _people() -> list[Method]:
    contacts = _auth("contacts", "contacts.readonly")
    getting = {"personFields": "string", "requestMask.includeField": "string", "sources": PERSON_SOURCES}
    paging = {"pageSize": "integer", "pageToken": "string", "requestSyncToken": "boolean", "syncToken": "string"}
    connections = {**getting, **paging, "sortOrder": SORT_ORDERS}
    return [Method("people.people.connections.list", "GET", "/v1/people/{peopleId}/connections", contacts, connections)]
