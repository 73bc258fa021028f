"""Every served method joined with what answers it."""

from collections.abc import Mapping

from app.sandbox.calendar_api import calendar_handlers
from app.sandbox.call import Handler
from app.sandbox.gmail_drafts import draft_handlers
from app.sandbox.gmail_labels import label_handlers
from app.sandbox.gmail_messages import message_handlers
from app.sandbox.gmail_methods import gmail_methods
from app.sandbox.gmail_threads import thread_handlers
from app.sandbox.methods import Method
from app.sandbox.other_methods import other_methods
from app.sandbox.people_api import people_handlers


def served_methods() -> list[Method]:
    """Every method of the three APIs that is served."""
    return [*gmail_methods(), *other_methods()]


def all_handlers() -> Mapping[str, Handler]:
    """Method id to what answers it."""
    groups: dict[str, Mapping[str, Handler]] = {
        "gmail.users.messages.": message_handlers(),
        "gmail.users.drafts.": draft_handlers(),
        "gmail.users.": {**thread_handlers(), **label_handlers()},
        "calendar.": calendar_handlers(),
        "people.": people_handlers(),
    }
    return {prefix + name: handler for prefix, group in groups.items() for name, handler in group.items()}
