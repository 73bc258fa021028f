"""The labels of a mailbox: Gmail's system labels and the user's own, with Gmail's rules for names."""

from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject

SYSTEM = (
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
)  # fmt: skip
FIXED = frozenset({"SENT", "DRAFT", "CHAT"})
LONGEST_NAME = 225
SHOWN = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}


class LabelBook:
    """JSON of `labels.list` by id: system labels first, then the user's."""

    def __init__(self) -> None:
        self._labels: dict[str, JsonObject] = {name: {"id": name, "name": name, "type": "system"} for name in SYSTEM}
        self._created = 0

    def shapes(self) -> list[JsonObject]:
        return list(self._labels.values())

    def shape(self, label_id: str) -> JsonObject:
        """One label. Raises `ApiError` 404."""
        if label_id not in self._labels:
            raise not_found()
        return self._labels[label_id]

    def known(self, label_id: str) -> bool:
        return label_id in self._labels

    def id_for_name(self, name: str) -> str | None:
        """Id of a label by name or id, ignoring case. Spaces may be written as dashes."""
        wanted = name.casefold()
        for label_id, label in self._labels.items():
            written = label["name"].casefold()
            names = {label_id.casefold(), written, written.replace(" ", "-").replace("/", "-"), written.removeprefix("category_")}
            if wanted in names:
                return label_id
        return None

    def create(self, body: JsonObject) -> JsonObject:
        """Creates a label from a request. Raises `ApiError` 400 or 409."""
        label = self._store(f"Label_{self._created + 1}", body)
        self._created += 1
        return label

    def update(self, label_id: str, body: JsonObject) -> JsonObject:
        """Replaces a label's fields. Raises `ApiError` 400 for a system label or another id, 404 for an unknown one, 409."""
        if label_id in SYSTEM or body.get("id", label_id) != label_id:
            raise invalid_argument("Invalid update request")
        return self._store(self.shape(label_id)["id"], body)

    def delete(self, label_id: str) -> None:
        """Deletes a label. Raises `ApiError` 400 for a system label, 404 for an unknown one."""
        if label_id in SYSTEM:
            raise invalid_argument("Invalid delete request")
        del self._labels[self.shape(label_id)["id"]]

    def _store(self, label_id: str, body: JsonObject) -> JsonObject:
        name = (body.get("name") or "").strip()
        if not name or len(name) > LONGEST_NAME or name.startswith("/") or name.endswith("/") or name.upper() in SYSTEM:
            raise invalid_argument("Invalid label name")
        others = (label["name"] for one, label in self._labels.items() if one != label_id)
        if any(other.casefold() == name.casefold() for other in others):
            raise ApiError(409, "Label name exists or conflicts", "aborted")
        self._labels[label_id] = {**SHOWN, **body, "id": label_id, "name": name, "type": "user"}
        return self._labels[label_id]
