"""The labels of a mailbox: Gmail's system labels and the user's own, with Gmail's rules for names."""

from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject

SYSTEM = (
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
)  # fmt: skip
FIXED = frozenset({"SENT", "DRAFT", "CHAT"})
LONGEST_NAME = 225


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
        name = (body.get("name") or "").strip()
        if not name or len(name) > LONGEST_NAME or name.startswith("/") or name.endswith("/") or name.upper() in SYSTEM:
            raise invalid_argument("Invalid label name")
        if any(label["name"].casefold() == name.casefold() for label in self._labels.values()):
            raise ApiError(409, "Label name exists or conflicts", "aborted")
        self._created += 1
        shown = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
        label = {**shown, **body, "id": f"Label_{self._created}", "name": name, "type": "user"}
        self._labels[label["id"]] = label
        return label

    def delete(self, label_id: str) -> None:
        """Deletes a label. Raises `ApiError` 400 for a system label, 404 for an unknown one."""
        if label_id in SYSTEM:
            raise invalid_argument("Invalid delete request")
        del self._labels[self.shape(label_id)["id"]]
