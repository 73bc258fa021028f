"""The labels of a mailbox: Gmail's system labels and the user's own, with Gmail's rules for names and colours."""

from dataclasses import dataclass

from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject, object_of, text_of

SYSTEM = (
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
)  # fmt: skip
FIXED = frozenset({"SENT", "DRAFT", "CHAT"})
PALETTE = (
    "#000000 #434343 #666666 #999999 #cccccc #efefef #f3f3f3 #ffffff #fb4c2f #ffad47 #fad165 #16a766 #43d692 #4a86e8 "
    "#a479e2 #f691b3 #f6c5be #ffe6c7 #fef1d1 #b9e4d0 #c6f3de #c9daf8 #e4d7f5 #fcdee8 #efa093 #ffd6a2 #fce8b3 #89d3b2 "
    "#a0eac9 #a4c2f4 #d0bcf1 #fbc8d9 #e66550 #ffbc6b #fcda83 #44b984 #68dfa9 #6d9eeb #b694e8 #f7a7c0 #cc3a21 #eaa041 "
    "#f2c960 #149e60 #3dc789 #3c78d8 #8e63ce #e07798 #ac2b16 #cf8933 #d5ae49 #0b804b #2a9c68 #285bac #653e9b #b65775 "
    "#822111 #a46a21 #aa8831 #076239 #1a764d #1c4587 #41236d #83334c #464646 #e7e7e7 #0d3472 #b6cff5 #0d3b44 #98d7e4 "
    "#3d188e #e3d7ff #711a36 #fbd3e0 #8a1c0a #f2b2a8 #7a2e0b #ffc8af #7a4706 #ffdeb5 #594c05 #fbe983 #684e07 #fdedc1 "
    "#0b4f30 #b3efd3 #04502e #a2dcc1 #c2c2c2 #4986e7 #2da2bb #b99aff #994a64 #f691b2 #ff7537 #ffad46 #662e37 #ebdbde "
    "#cca6ac #094228 #42d692 #16a765 #757575 #1e53b8 #007286 #7858c3 #c2185b #d93025 #54240e #633e04 #521d28 #202124 "
    "#083018"
)
LONGEST_NAME = 225


@dataclass(slots=True)
class UserLabel:
    """A label of the user's."""

    id: str
    name: str
    message_list: str = "show"
    label_list: str = "labelShow"
    text_color: str = ""
    background_color: str = ""

    def shape(self) -> JsonObject:
        """JSON of `labels.list`."""
        shape: JsonObject = {
            "id": self.id,
            "name": self.name,
            "messageListVisibility": self.message_list,
            "labelListVisibility": self.label_list,
            "type": "user",
        }
        if self.background_color:
            shape["color"] = {"textColor": self.text_color, "backgroundColor": self.background_color}
        return shape


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
        return self._user_label(label_id).shape()

    def known(self, label_id: str) -> bool:
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
        name = self._checked_name(body, None)
        self._created += 1
        label = UserLabel(f"Label_{self._created}", name)
        self._change(label, body)
        self._user[label.id] = label
        return label

    def update(self, label_id: str, body: JsonObject, *, whole: bool) -> UserLabel:
        """Changes a label. With `whole`, fields missing in the body get their defaults."""
        label = self._user_label(label_id, "Invalid update request")
        given = text_of(body, "id")
        if given is not None and given != label_id:
            raise invalid_argument("Label id in the body does not match the one in the path")
        if whole or "name" in body:
            label.name = self._checked_name(body, label_id)
        if whole:
            label.message_list, label.label_list = "show", "labelShow"
        self._change(label, body)
        return label

    def delete(self, label_id: str) -> None:
        """Deletes a label. Raises `ApiError` 400 for a system label, 404 for an unknown one."""
        self._user_label(label_id, "Invalid delete request")
        del self._user[label_id]

    def _user_label(self, label_id: str, refusal: str = "") -> UserLabel:
        if refusal and label_id in SYSTEM:
            raise invalid_argument(refusal)
        if label_id not in self._user:
            raise not_found()
        return self._user[label_id]

    def _checked_name(self, body: JsonObject, own_id: str | None) -> str:
        name = (text_of(body, "name") or "").strip()
        if not name or len(name) > LONGEST_NAME or name.startswith("/") or name.endswith("/"):
            raise invalid_argument("Invalid label name")
        if name.upper() in SYSTEM:
            raise invalid_argument("Invalid label name")
        for label in self._user.values():
            if label.name.casefold() == name.casefold() and label.id != own_id:
                raise ApiError(409, "Label name exists or conflicts", "aborted")
        return name

    def _change(self, label: UserLabel, body: JsonObject) -> None:
        label.message_list = text_of(body, "messageListVisibility") or label.message_list
        label.label_list = text_of(body, "labelListVisibility") or label.label_list
        color = object_of(body, "color")
        if not color:
            return
        text, background = text_of(color, "textColor") or "", text_of(color, "backgroundColor") or ""
        for value in (text, background):
            if value.lower() not in PALETTE.split():
                raise invalid_argument(f"Label color {value} is not on the allowed color palette")
        label.text_color, label.background_color = text, background
