"""Opens the palette over the window, with what makes sense on the page that is open."""

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.ui.actions import Where
from app.ui.context import Context
from app.ui.label_places import label_places
from app.ui.mail.views import VIEW_ICONS, view_title
from app.ui.palette.items import Item
from app.ui.palette.palette import Palette
from app.ui.palette.sources import command_items, person_items, template_items, view_items
from app.ui.places import LISTED

MAIL_PLACES = frozenset(map(str, LISTED))


def open_palette(context: Context, page: str, window: QWidget, put_template: Callable[[int], object]) -> Palette:
    """Show it over `window`; it closes by itself. `put_template` puts a template into the letter at hand."""
    places = {Where.WINDOW}
    if page in MAIL_PLACES or page.startswith("label:"):
        places.add(Where.MAIL)
    elif page in set(Where):
        places.add(Where(page))
    fixed = command_items(context, frozenset(places))
    views = [(str(view), view_title(view), VIEW_ICONS[view]) for view in LISTED]
    fixed += view_items(context, views)
    with suppress(ExpectedError):  # a mailbox that cannot be read now takes only its own lines away
        fixed += view_items(context, [(one.name, one.title, one.icon) for one in label_places(context.reader) if one.name])
        if page == "compose":
            fixed += template_items(context, put_template)

    def people(typed: str, most: int) -> list[Item]:
        with suppress(ExpectedError):
            return person_items(context, typed, most)
        return []

    made = Palette(context, fixed, people, window)
    made.show()
    made.line.setFocus()
    return made
