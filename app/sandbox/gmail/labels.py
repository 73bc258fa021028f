"""The labels of a mailbox: Gmail's system labels and the user's own, with Gmail's rules for names."""

from dataclasses import dataclass

from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject, text_of

SYSTEM = (
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
)  # fmt: skip
FIXED = frozenset({"SENT", "DRAFT", "CHAT"})
LONGEST_NAME = 225


@dataclass(frozen=True, slots=True)
class UserLabel:
    """A label of the user's."""

    id: str
    name: str

    def shape(self) -> JsonObject:
        """JSON of `labels.list`."""
        visible = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
        return {"id": self.id, "name": self.name, **visible, "type": "user"}


class LabelBook:
    def __init__(self) -> None:
        self._user: dict[str, UserLabel] = {}
        self._created = 0

    def shapes(self) -> list[JsonObject]:
        """System labels first, then the user's."""
        system: list[JsonObject] = [{"id": name, "name": name, "type": "system"} for name in SYSTEM]
        return [*system, *(label.shape() for label in self._user.values())]

    def shape(self, label_id: str) -> JsonObject:
        """One label. Raises `ApiError` 404."""
        if label_id in SYSTEM:
            return {"id": label_id, "name": label_id, "type": "system"}
        if label_id not in self._user:
            raise not_found()
        return self._user[label_id].shape()

    def known(self, label_id: str) -> bool:
        """Whether there is a label with this id."""
        return label_id in SYSTEM or label_id in self._user

    def id_for_name(self, name: str) -> str | None:
        """Id of a label by name or id, ignoring case. Spaces may be written as dashes."""
        wanted = name.casefold()
        for system in SYSTEM:
            if wanted in {system.casefold(), system.casefold().removeprefix("category_")}:
                return system
        for label in self._user.values():
            written = label.name.casefold()
            if wanted in {written, written.replace(" ", "-").replace("/", "-"), label.id.casefold()}:
                return label.id
        return None

    def create(self, body: JsonObject) -> UserLabel:
        """Creates a label from a request. Raises `ApiError` 400 or 409."""
        name = self._checked_name(body)
        self._created += 1
        label = UserLabel(f"Label_{self._created}", name)
        self._user[label.id] = label
        return label

    def delete(self, label_id: str) -> None:
        """Deletes a label. Raises `ApiError` 400 for a system label, 404 for an unknown one."""
        if label_id in SYSTEM:
            raise invalid_argument("Invalid delete request")
        self.shape(label_id)
        del self._user[label_id]

    def _checked_name(self, body: JsonObject) -> str:
        name = (text_of(body, "name") or "").strip()
        if not name or len(name) > LONGEST_NAME or name.startswith("/") or name.endswith("/"):
            raise invalid_argument("Invalid label name")
        if name.upper() in SYSTEM:
            raise invalid_argument("Invalid label name")
        for label in self._user.values():
            if label.name.casefold() == name.casefold():
                raise ApiError(409, "Label name exists or conflicts", "aborted")
        return name
