"""The table of all actions of the window. Keys, menus, buttons, the cheat sheet and the demo share one `QAction` for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from app.ui.context import Context, Notices
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.services.notices import ErrorNotice


class ActionScope(StrEnum):
    """Where an action's keys work: everywhere or on one page."""

    WINDOW = "window"
    REVIEW = "review"
    MAIL = "mail"
    OUTBOX = "outbox"
    MEMORY = "memory"
    COMPOSE = "compose"
    DRAFTS = "drafts"
    TEMPLATES = "templates"
    WAITING = "waiting"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """A row of the table. `id` is `scope.verb`; `text` is the English source text; `keys` are in Qt's portable form, and the
    first one is shown.
    """

    id: str
    text: str
    keys: tuple[str, ...]
    where: ActionScope
    icon: str


TABLE: tuple[ActionSpec, ...] = (
    ActionSpec("window.search", QT_TRANSLATE_NOOP("Actions", "Search"), ("/", "Ctrl+F"), ActionScope.WINDOW, "search"),
    ActionSpec("window.palette", QT_TRANSLATE_NOOP("Actions", "Do or find anything"), ("Ctrl+K",), ActionScope.WINDOW, "palette"),
    ActionSpec("window.compose", QT_TRANSLATE_NOOP("Actions", "Write a mail"), ("Ctrl+N",), ActionScope.WINDOW, "edit"),
    ActionSpec("window.review", QT_TRANSLATE_NOOP("Actions", "Go to Review"), ("Ctrl+1",), ActionScope.WINDOW, "review"),
    ActionSpec("window.inbox", QT_TRANSLATE_NOOP("Actions", "Go to Inbox"), ("Ctrl+2",), ActionScope.WINDOW, "inbox"),
    ActionSpec("window.sent", QT_TRANSLATE_NOOP("Actions", "Go to Sent"), ("Ctrl+3",), ActionScope.WINDOW, "sent"),
    ActionSpec("window.outbox", QT_TRANSLATE_NOOP("Actions", "Go to Outbox"), ("Ctrl+4",), ActionScope.WINDOW, "outbox"),
    ActionSpec("window.activity", QT_TRANSLATE_NOOP("Actions", "Go to Activity"), ("Ctrl+5",), ActionScope.WINDOW, "activity"),
    ActionSpec("window.memory", QT_TRANSLATE_NOOP("Actions", "Go to Memory"), ("Ctrl+6",), ActionScope.WINDOW, "memory"),
    ActionSpec("window.drafts", QT_TRANSLATE_NOOP("Actions", "Go to Drafts"), ("Ctrl+7",), ActionScope.WINDOW, "drafts"),
    ActionSpec("window.waiting", QT_TRANSLATE_NOOP("Actions", "Go to Waiting"), ("Ctrl+8",), ActionScope.WINDOW, "waiting"),
    ActionSpec("window.assistant", QT_TRANSLATE_NOOP("Actions", "Go to Assistant"), ("Ctrl+9",), ActionScope.WINDOW, "assistant"),
    ActionSpec("window.templates", QT_TRANSLATE_NOOP("Actions", "Text templates"), (), ActionScope.WINDOW, "knowledge"),
    ActionSpec("window.settings", QT_TRANSLATE_NOOP("Actions", "Settings"), ("Ctrl+,",), ActionScope.WINDOW, "settings"),
    ActionSpec("window.sync", QT_TRANSLATE_NOOP("Actions", "Check for new mail"), ("F5",), ActionScope.WINDOW, "refresh"),
    ActionSpec("window.sign_in", QT_TRANSLATE_NOOP("Actions", "Sign in again"), ("Ctrl+Shift+S",), ActionScope.WINDOW, "sign_in"),
    ActionSpec("window.import", QT_TRANSLATE_NOOP("Actions", "Open a mail archive"), (), ActionScope.WINDOW, "import"),
    ActionSpec("window.pause", QT_TRANSLATE_NOOP("Actions", "Pause the assistant"), (), ActionScope.WINDOW, "pause"),
    ActionSpec(
        "window.keys", QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts"), ("?", "Shift+?", "F1"), ActionScope.WINDOW, "key"
    ),
    ActionSpec("window.shortcuts", QT_TRANSLATE_NOOP("Actions", "Change keyboard shortcuts"), (), ActionScope.WINDOW, "key"),
    ActionSpec(
        "window.notice", QT_TRANSLATE_NOOP("Actions", "Undo, or what a notice offers"), ("Ctrl+Z",), ActionScope.WINDOW, "undo"
    ),
    ActionSpec("window.back", QT_TRANSLATE_NOOP("Actions", "Back"), ("Escape",), ActionScope.WINDOW, "back"),
    ActionSpec("window.quit", QT_TRANSLATE_NOOP("Actions", "Quit"), ("Ctrl+Q",), ActionScope.WINDOW, "close"),
    ActionSpec(
        "review.approve", QT_TRANSLATE_NOOP("Actions", "Approve"), ("Ctrl+Return", "Ctrl+Enter"), ActionScope.REVIEW, "approve"
    ),
    ActionSpec("review.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), ("E",), ActionScope.REVIEW, "edit"),
    ActionSpec("review.changes", QT_TRANSLATE_NOOP("Actions", "Ask for changes"), ("R",), ActionScope.REVIEW, "changes"),
    ActionSpec("review.save", QT_TRANSLATE_NOOP("Actions", "Save as Gmail draft"), ("S",), ActionScope.REVIEW, "save_draft"),
    ActionSpec(
        "review.later", QT_TRANSLATE_NOOP("Actions", "Send later"), ("Ctrl+Shift+Return",), ActionScope.REVIEW, "calendar"
    ),
    ActionSpec("review.reject", QT_TRANSLATE_NOOP("Actions", "Reject"), ("X",), ActionScope.REVIEW, "reject"),
    ActionSpec("review.skip", QT_TRANSLATE_NOOP("Actions", "Skip"), ("J",), ActionScope.REVIEW, "skip"),
    ActionSpec("review.previous", QT_TRANSLATE_NOOP("Actions", "Previous"), ("K",), ActionScope.REVIEW, "back"),
    ActionSpec("review.undo", QT_TRANSLATE_NOOP("Actions", "Undo"), ("Z",), ActionScope.REVIEW, "undo"),
    ActionSpec("review.why", QT_TRANSLATE_NOOP("Actions", "Why this draft"), ("W",), ActionScope.REVIEW, "info"),
    ActionSpec(
        "review.compare", QT_TRANSLATE_NOOP("Actions", "Compare with the proposal"), ("D",), ActionScope.REVIEW, "own_reply"
    ),
    ActionSpec("review.write", QT_TRANSLATE_NOOP("Actions", "Go on as a letter"), ("Ctrl+E",), ActionScope.REVIEW, "drafting"),
    ActionSpec("review.focus", QT_TRANSLATE_NOOP("Actions", "One at a time"), ("F",), ActionScope.REVIEW, "focus"),
    ActionSpec("review.group", QT_TRANSLATE_NOOP("Actions", "Group by kind"), ("G",), ActionScope.REVIEW, "group"),
    ActionSpec("mail.next", QT_TRANSLATE_NOOP("Actions", "Next"), ("J",), ActionScope.MAIL, "skip"),
    ActionSpec("mail.previous", QT_TRANSLATE_NOOP("Actions", "Previous"), ("K",), ActionScope.MAIL, "back"),
    ActionSpec("mail.draft", QT_TRANSLATE_NOOP("Actions", "Draft a reply"), ("R",), ActionScope.MAIL, "model"),
    ActionSpec("mail.reply", QT_TRANSLATE_NOOP("Actions", "Reply"), ("Ctrl+R",), ActionScope.MAIL, "reply"),
    ActionSpec("mail.reply_all", QT_TRANSLATE_NOOP("Actions", "Reply to all"), ("A",), ActionScope.MAIL, "reply_all"),
    ActionSpec("mail.forward", QT_TRANSLATE_NOOP("Actions", "Forward"), ("F",), ActionScope.MAIL, "forward"),
    ActionSpec("mail.continue", QT_TRANSLATE_NOOP("Actions", "Go on with this draft"), ("Ctrl+E",), ActionScope.MAIL, "drafts"),
    ActionSpec("mail.archive", QT_TRANSLATE_NOOP("Actions", "Archive"), ("E",), ActionScope.MAIL, "archive"),
    ActionSpec("mail.inbox", QT_TRANSLATE_NOOP("Actions", "Move to inbox"), ("I",), ActionScope.MAIL, "inbox"),
    ActionSpec("mail.star", QT_TRANSLATE_NOOP("Actions", "Star"), ("S",), ActionScope.MAIL, "starred"),
    ActionSpec(
        "mail.unread", QT_TRANSLATE_NOOP("Actions", "Mark as read or unread"), ("U", "Shift+U"), ActionScope.MAIL, "mark_read"
    ),
    ActionSpec("mail.label", QT_TRANSLATE_NOOP("Actions", "Label"), ("L",), ActionScope.MAIL, "label"),
    ActionSpec("mail.move", QT_TRANSLATE_NOOP("Actions", "Move to a label"), ("V",), ActionScope.MAIL, "move"),
    ActionSpec("mail.snooze", QT_TRANSLATE_NOOP("Actions", "Snooze"), ("B",), ActionScope.MAIL, "snooze"),
    ActionSpec("mail.spam", QT_TRANSLATE_NOOP("Actions", "Spam or not spam"), ("!", "Shift+!"), ActionScope.MAIL, "spam"),
    ActionSpec("mail.trash", QT_TRANSLATE_NOOP("Actions", "Move to trash"), ("Delete", "#"), ActionScope.MAIL, "trash"),
    ActionSpec(
        "mail.rule", QT_TRANSLATE_NOOP("Actions", "Make a rule from this mail"), ("Ctrl+Shift+R",), ActionScope.MAIL, "rules"
    ),
    ActionSpec("mail.copy_address", QT_TRANSLATE_NOOP("Actions", "Copy the sender's address"), (), ActionScope.MAIL, "contact"),
    ActionSpec("mail.gmail", QT_TRANSLATE_NOOP("Actions", "Open in Gmail"), (), ActionScope.MAIL, "web"),
    ActionSpec("mail.source", QT_TRANSLATE_NOOP("Actions", "Show the source"), ("Ctrl+U",), ActionScope.MAIL, "code"),
    ActionSpec("mail.select_all", QT_TRANSLATE_NOOP("Actions", "Select all"), ("Ctrl+A",), ActionScope.MAIL, "review"),
    ActionSpec("mail.print", QT_TRANSLATE_NOOP("Actions", "Print"), ("Ctrl+P",), ActionScope.MAIL, "print"),
    ActionSpec("mail.pdf", QT_TRANSLATE_NOOP("Actions", "Save as PDF"), ("Ctrl+Shift+P",), ActionScope.MAIL, "pdf"),
    ActionSpec("mail.undo", QT_TRANSLATE_NOOP("Actions", "Undo"), ("Z",), ActionScope.MAIL, "undo"),
    ActionSpec("outbox.cancel", QT_TRANSLATE_NOOP("Actions", "Cancel sending"), ("X",), ActionScope.OUTBOX, "reject"),
    ActionSpec("outbox.send", QT_TRANSLATE_NOOP("Actions", "Send now"), ("Ctrl+Return",), ActionScope.OUTBOX, "sending"),
    ActionSpec("outbox.redraft", QT_TRANSLATE_NOOP("Actions", "Draft anew"), ("R",), ActionScope.OUTBOX, "reply"),
    ActionSpec("outbox.look", QT_TRANSLATE_NOOP("Actions", "Look in Sent"), ("S",), ActionScope.OUTBOX, "sent"),
    ActionSpec("memory.add", QT_TRANSLATE_NOOP("Actions", "Add a preference"), ("N",), ActionScope.MEMORY, "add"),
    ActionSpec("memory.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), ("E",), ActionScope.MEMORY, "edit"),
    ActionSpec("memory.delete", QT_TRANSLATE_NOOP("Actions", "Delete"), ("Delete",), ActionScope.MEMORY, "trash"),
    ActionSpec(
        "compose.send", QT_TRANSLATE_NOOP("Actions", "Send"), ("Ctrl+Return", "Ctrl+Enter"), ActionScope.COMPOSE, "sending"
    ),
    ActionSpec(
        "compose.later", QT_TRANSLATE_NOOP("Actions", "Send later"), ("Ctrl+Shift+Return",), ActionScope.COMPOSE, "calendar"
    ),
    ActionSpec(
        "compose.attach", QT_TRANSLATE_NOOP("Actions", "Attach files"), ("Ctrl+Shift+A",), ActionScope.COMPOSE, "attachment"
    ),
    ActionSpec(
        "compose.template", QT_TRANSLATE_NOOP("Actions", "Insert a template"), ("Ctrl+;",), ActionScope.COMPOSE, "knowledge"
    ),
    ActionSpec("compose.bold", QT_TRANSLATE_NOOP("Actions", "Bold"), ("Ctrl+B",), ActionScope.COMPOSE, "bold"),
    ActionSpec("compose.italic", QT_TRANSLATE_NOOP("Actions", "Italic"), ("Ctrl+I",), ActionScope.COMPOSE, "italic"),
    ActionSpec(
        "compose.bullets", QT_TRANSLATE_NOOP("Actions", "Bulleted list"), ("Ctrl+Shift+8",), ActionScope.COMPOSE, "bullets"
    ),
    ActionSpec(
        "compose.numbers", QT_TRANSLATE_NOOP("Actions", "Numbered list"), ("Ctrl+Shift+7",), ActionScope.COMPOSE, "numbers"
    ),
    ActionSpec("compose.link", QT_TRANSLATE_NOOP("Actions", "Link"), ("Ctrl+Shift+K",), ActionScope.COMPOSE, "link"),
    ActionSpec("compose.discard", QT_TRANSLATE_NOOP("Actions", "Discard"), ("Ctrl+Shift+D",), ActionScope.COMPOSE, "trash"),
    ActionSpec("drafts.open", QT_TRANSLATE_NOOP("Actions", "Go on writing"), ("Return", "E"), ActionScope.DRAFTS, "edit"),
    ActionSpec("drafts.discard", QT_TRANSLATE_NOOP("Actions", "Discard"), ("Delete",), ActionScope.DRAFTS, "trash"),
    ActionSpec("templates.add", QT_TRANSLATE_NOOP("Actions", "Add a template"), ("N",), ActionScope.TEMPLATES, "add"),
    ActionSpec("templates.save", QT_TRANSLATE_NOOP("Actions", "Save"), ("Ctrl+S",), ActionScope.TEMPLATES, "save_draft"),
    ActionSpec("templates.delete", QT_TRANSLATE_NOOP("Actions", "Delete"), ("Delete",), ActionScope.TEMPLATES, "trash"),
    ActionSpec("waiting.nudge", QT_TRANSLATE_NOOP("Actions", "Draft a nudge"), ("R",), ActionScope.WAITING, "notify"),
    ActionSpec("waiting.dismiss", QT_TRANSLATE_NOOP("Actions", "Wait no longer"), ("X",), ActionScope.WAITING, "done"),
    ActionSpec("waiting.open", QT_TRANSLATE_NOOP("Actions", "Open the conversation"), ("Return",), ActionScope.WAITING, "mail"),
    ActionSpec("assistant.ask", QT_TRANSLATE_NOOP("Actions", "New request"), ("N",), ActionScope.ASSISTANT, "add"),
    ActionSpec("assistant.run", QT_TRANSLATE_NOOP("Actions", "Run the plan"), ("Ctrl+Return",), ActionScope.ASSISTANT, "play"),
    ActionSpec("assistant.again", QT_TRANSLATE_NOOP("Actions", "Plan again"), ("R",), ActionScope.ASSISTANT, "refresh"),
    ActionSpec("assistant.stop", QT_TRANSLATE_NOOP("Actions", "Stop"), ("X",), ActionScope.ASSISTANT, "stop"),
    ActionSpec("assistant.go_on", QT_TRANSLATE_NOOP("Actions", "Go on"), ("T",), ActionScope.ASSISTANT, "skip"),
    ActionSpec("assistant.open", QT_TRANSLATE_NOOP("Actions", "Open what waits"), ("O",), ActionScope.ASSISTANT, "review"),
    ActionSpec("assistant.copy", QT_TRANSLATE_NOOP("Actions", "Copy the answer"), ("C",), ActionScope.ASSISTANT, "copy"),
    ActionSpec("assistant.forget", QT_TRANSLATE_NOOP("Actions", "Forget"), ("Delete",), ActionScope.ASSISTANT, "trash"),
)
REPEATING = ("review.skip", "review.previous", "mail.next", "mail.previous")
"""Actions that repeat while their key is held. Approve must not: a held key would run through the whole queue."""


def build_actions(icon: Callable[[str], QIcon], parent: QObject) -> dict[str, QAction]:
    """Makes a `QAction` for each row of the table, by id. A page's actions work while the keyboard focus is inside that page,
    once the page has added them to itself.
    """
    made: dict[str, QAction] = {}
    for spec in TABLE:
        action = QAction(icon(spec.icon), name_words(spec), parent)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
        inside = spec.where is not ActionScope.WINDOW
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut if inside else Qt.ShortcutContext.WindowShortcut
        action.setShortcutContext(context)
        action.setAutoRepeat(spec.id in REPEATING)
        made[spec.id] = action
    return made


def connect_actions(widget: QWidget, context: Context, handlers: Mapping[str, Callable[[], object]]) -> None:
    """Adds actions to a widget and connects their handlers. An `ExpectedError` in a handler becomes a notice."""
    for name, handler in handlers.items():
        widget.addAction(context.actions[name])
        context.actions[name].triggered.connect(partial(_call, context.notices, handler))


def _call(notices: Notices, handler: Callable[[], object], _checked: bool = False) -> None:
    with ErrorNotice(notices):
        handler()


def name_words(spec: ActionSpec) -> str:
    """Translated name of an action. It stays the same when a page changes the text of its `QAction`."""
    return QCoreApplication.translate("Actions", spec.text)


def where_words(where: ActionScope) -> str:
    """Translated heading of a scope in the cheat sheet."""
    words = {
        ActionScope.WINDOW: QCoreApplication.translate("Actions", "Everywhere"),
        ActionScope.REVIEW: QCoreApplication.translate("Actions", "In Review"),
        ActionScope.MAIL: QCoreApplication.translate("Actions", "In the mail lists"),
        ActionScope.OUTBOX: QCoreApplication.translate("Actions", "In the Outbox"),
        ActionScope.MEMORY: QCoreApplication.translate("Actions", "In the Memory"),
        ActionScope.COMPOSE: QCoreApplication.translate("Actions", "While writing"),
        ActionScope.DRAFTS: QCoreApplication.translate("Actions", "In the Drafts"),
        ActionScope.TEMPLATES: QCoreApplication.translate("Actions", "In the templates"),
        ActionScope.WAITING: QCoreApplication.translate("Actions", "In Waiting"),
        ActionScope.ASSISTANT: QCoreApplication.translate("Actions", "In the Assistant"),
    }
    return words[where]
