"""Which page stands behind a name; each is imported and built when it is first shown."""

from collections.abc import Callable

from app.ui.context import Context
from app.ui.page import Page


def review(context: Context) -> Page:
    """The review queue."""
    from app.ui.compose.completing import AddressCompleter
    from app.ui.review.desk_place import keep_desk
    from app.ui.review.page import ReviewPage
    from app.ui.spelling import SpellMarks

    page = ReviewPage(context)
    keep_desk(page.parts, page.desk, context.clock)
    card = page.desk.card
    SpellMarks(card.editor, context)
    for field in (card.to, card.cc, card.bcc):
        AddressCompleter(field.line, context.reader.people, context.notices, card.edited.emit)
    return page


def mail(context: Context) -> Page:
    """The lists of the mailbox."""
    from app.ui.compose.from_mail import FromMail
    from app.ui.lists.selected import keep_selected
    from app.ui.mail.dragging import Dragging
    from app.ui.mail.open_dialogs import keep_mail_dialogs
    from app.ui.mail.page import MailPage
    from app.ui.mail.reading_place import keep_reading

    page = MailPage(context)
    keep_mail_dialogs(page)
    Dragging(context, page.list, page.model, lambda: page.search_text or str(page.view))
    keep_selected(page.parts, page.list, page.model, lambda: page.search_text or str(page.view))
    keep_reading(page.parts, page.reading)
    writing = FromMail(context, lambda: page.reading.message)
    writing.connect(page)
    page.reading.put_below(writing.bar())
    page.reading.showed.connect(lambda: writing.follow(page.reading.message))
    return page


def compose(context: Context) -> Page:
    """Writing a letter."""
    from app.ui.compose.letter_place import keep_letter
    from app.ui.compose.page import ComposePage
    from app.ui.spelling import SpellMarks

    page = ComposePage(context)
    keep_letter(page)
    SpellMarks(page.card.editor, context)
    return page


def drafts(context: Context) -> Page:
    """Letters that are being written."""
    from app.ui.compose.drafts import DraftsPage

    return DraftsPage(context)


def assistant(context: Context) -> Page:
    """What the owner asks for."""
    from app.ui.assistant.keeping import keep_assistant
    from app.ui.assistant.page import AssistantPage

    page = AssistantPage(context)
    keep_assistant(page)
    return page


def activity(context: Context) -> Page:
    """What the assistant did."""
    from app.ui.activity.page import ActivityPage

    return ActivityPage(context)


def settings(context: Context) -> Page:
    """The settings."""
    from app.ui.settings.page import make_settings_page

    return make_settings_page(context)


def welcome(context: Context) -> Page:
    """The first run."""
    from app.ui.welcome.page import make_welcome_page

    return make_welcome_page(context)


def outbox(context: Context) -> Page:
    """What leaves."""
    from app.ui.outbox.page import OutboxPage

    return OutboxPage(context)


def memory(context: Context) -> Page:
    """What was learned."""
    from app.ui.memory.page import MemoryPage

    return MemoryPage(context)


def search(context: Context) -> Page:
    """What a search finds."""
    from app.ui.compose.from_mail import KeylessBar
    from app.ui.mail.reading_place import keep_reading
    from app.ui.search.page import SearchPage

    page = SearchPage(context)
    keep_reading(page.parts, page.reading)
    page.reading.put_below(KeylessBar(context, page.reading))
    return page


def waiting(context: Context) -> Page:
    """Sent mail without an answer."""
    from app.ui.mail.reading_place import keep_reading
    from app.ui.waiting.page import WaitingPage

    page = WaitingPage(context)
    keep_reading(page.parts, page.reading)
    return page


def templates(context: Context) -> Page:
    """Text templates."""
    from app.ui.templates.page import TemplatesPage

    return TemplatesPage(context)


def shortcuts(context: Context) -> Page:
    """The table of keys."""
    from app.ui.palette.shortcuts import ShortcutsPage

    return ShortcutsPage(context)


FACTORIES: dict[str, Callable[[Context], Page]] = {
    "review": review,
    "mail": mail,
    "compose": compose,
    "drafts": drafts,
    "search": search,
    "waiting": waiting,
    "templates": templates,
    "shortcuts": shortcuts,
    "outbox": outbox,
    "assistant": assistant,
    "activity": activity,
    "memory": memory,
    "settings": settings,
    "welcome": welcome,
}
"""The pages by name."""
