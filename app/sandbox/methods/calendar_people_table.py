"""The Calendar v3 and People v1 methods that are served, with their scopes and parameters."""

from app.sandbox.google_api.schema import Method

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
