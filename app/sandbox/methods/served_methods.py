"""The served methods of Gmail v1, Calendar v3 and People v1, as Google's discovery documents describe them.

The documents come with Google's client library. They do not tell what a call costs.
"""

import json
from importlib.resources import files
from typing import Any

from app.sandbox.google_api.schema import Method

UNITS = {
    "gmail.users.getProfile": 1,
    "gmail.users.history.list": 2,
    "gmail.users.messages.list": 5,
    "gmail.users.messages.get": 20,
    "gmail.users.messages.send": 100,
    "gmail.users.messages.modify": 5,
    "gmail.users.messages.batchModify": 50,
    "gmail.users.messages.attachments.get": 20,
    "gmail.users.threads.get": 40,
    "gmail.users.drafts.list": 5,
    "gmail.users.drafts.get": 20,
    "gmail.users.drafts.create": 10,
    "gmail.users.drafts.update": 15,
    "gmail.users.drafts.send": 100,
    "gmail.users.drafts.delete": 10,
    "gmail.users.labels.list": 1,
    "gmail.users.labels.get": 1,
    "gmail.users.labels.create": 1,
    "gmail.users.labels.delete": 1,
    "gmail.users.settings.sendAs.list": 1,
    "gmail.users.settings.sendAs.patch": 100,
    "gmail.users.settings.getVacation": 1,
    "gmail.users.settings.updateVacation": 5,
    "calendar.events.list": 1,
    "calendar.events.get": 1,
    "calendar.events.insert": 1,
    "calendar.events.patch": 1,
    "calendar.events.delete": 1,
    "people.people.connections.list": 1,
}
"""The served methods with the quota units of a call."""


def served_methods() -> list[Method]:
    """Reads every served method from the documents."""
    folder = files("googleapiclient.discovery_cache") / "documents"
    names = ("gmail.v1", "calendar.v3", "people.v1")
    documents = {name.partition(".")[0]: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names}
    return [_method(documents[method_id.partition(".")[0]], method_id, units) for method_id, units in UNITS.items()]


def _method(document: dict[str, Any], method_id: str, units: int) -> Method:
    *places, name = method_id.split(".")[1:]
    node = document
    for place in places:
        node = node["resources"][place]
    described = node["methods"][name]
    return Method(
        id=method_id,
        verb=described["httpMethod"],
        path=f"/{document['servicePath']}{described.get('flatPath', described['path'])}",
        scopes=tuple(described["scopes"]),
        query={key: one for key, one in described["parameters"].items() if one["location"] == "query"},
        body=described.get("request", {}),
        types=document["schemas"],
        max_upload_bytes=int(described.get("mediaUpload", {}).get("maxSize", 0)),
        units=units,
    )
