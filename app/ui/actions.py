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
    SUBSCRIPTIONS = "subscriptions"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """A row of the table. `id` is `scope.verb`; `text` is the English source text; `keys` are in Qt's portable form, and the
    first one is shown.
    """

    id: str
    text: str
    keys: tuple[str, ...]
    icon: str

    @property
    def where(self) -> ActionScope:
        return ActionScope(self.id.partition(".")[0])


TABLE: tuple[ActionSpec, ...] = (
    ActionSpec("window.search", QT_TRANSLATE_NOOP("Actions", "Search"), ("/", "Ctrl+Shift+F"), "search"),
    ActionSpec("window.palette", QT_TRANSLATE_NOOP("Actions", "Search or run a command"), ("Ctrl+K",), "palette"),
    ActionSpec("window.compose", QT_TRANSLATE_NOOP("Actions", "Compose"), ("Ctrl+N", "C"), "edit"),
    ActionSpec("window.today", QT_TRANSLATE_NOOP("Actions", "Go to Today"), ("Ctrl+0",), "today"),
    ActionSpec("window.review", QT_TRANSLATE_NOOP("Actions", "Go to Review"), ("Ctrl+1",), "review"),
    ActionSpec("window.inbox", QT_TRANSLATE_NOOP("Actions", "Go to Inbox"), ("Ctrl+2", "G, I"), "inbox"),
    ActionSpec("window.next_inbox", QT_TRANSLATE_NOOP("Actions", "Next inbox"), ("Ctrl+Shift+2",), "inbox"),
    ActionSpec("window.starred", QT_TRANSLATE_NOOP("Actions", "Go to Starred"), ("G, S",), "starred"),
    ActionSpec("window.sent", QT_TRANSLATE_NOOP("Actions", "Go to Sent"), ("Ctrl+3", "G, T"), "sent"),
    ActionSpec("window.outbox", QT_TRANSLATE_NOOP("Actions", "Go to Outbox"), ("Ctrl+4",), "outbox"),
    ActionSpec("window.activity", QT_TRANSLATE_NOOP("Actions", "Go to Activity"), ("Ctrl+5",), "activity"),
    ActionSpec("window.memory", QT_TRANSLATE_NOOP("Actions", "Go to Memory"), ("Ctrl+6",), "memory"),
    ActionSpec("window.drafts", QT_TRANSLATE_NOOP("Actions", "Go to Drafts"), ("Ctrl+7", "G, D"), "drafts"),
    ActionSpec("window.waiting", QT_TRANSLATE_NOOP("Actions", "Go to Waiting"), ("Ctrl+8",), "waiting"),
    ActionSpec("window.assistant", QT_TRANSLATE_NOOP("Actions", "Go to Assistant"), ("Ctrl+9",), "assistant"),
    ActionSpec("window.subscriptions", QT_TRANSLATE_NOOP("Actions", "Go to Subscriptions"), ("Ctrl+Shift+U",), "unsubscribe"),
    ActionSpec("window.templates", QT_TRANSLATE_NOOP("Actions", "Text templates"), (), "knowledge"),
    ActionSpec("window.settings", QT_TRANSLATE_NOOP("Actions", "Settings"), ("Ctrl+,",), "settings"),
    ActionSpec("window.sync", QT_TRANSLATE_NOOP("Actions", "Get new mail"), ("F5",), "refresh"),
    ActionSpec("window.sign_in", QT_TRANSLATE_NOOP("Actions", "Sign in again"), ("Ctrl+Shift+S",), "sign_in"),
    ActionSpec("window.import", QT_TRANSLATE_NOOP("Actions", "Import a mail archive"), (), "import"),
    ActionSpec("window.pause", QT_TRANSLATE_NOOP("Actions", "Pause assistant"), (), "pause"),
    ActionSpec("window.keys", QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts"), ("?", "Shift+?", "F1"), "key"),
    ActionSpec("window.shortcuts", QT_TRANSLATE_NOOP("Actions", "Change keyboard shortcuts"), (), "key"),
    ActionSpec("window.undo", QT_TRANSLATE_NOOP("Actions", "Undo"), ("Ctrl+Z", "Z"), "undo"),
    ActionSpec("window.back", QT_TRANSLATE_NOOP("Actions", "Back"), ("Escape",), "back"),
    ActionSpec("window.quit", QT_TRANSLATE_NOOP("Actions", "Quit"), ("Ctrl+Q",), "close"),
    ActionSpec("review.approve", QT_TRANSLATE_NOOP("Actions", "Approve"), ("Ctrl+Return", "Ctrl+Enter"), "approve"),
    ActionSpec("review.approve_other", QT_TRANSLATE_NOOP("Actions", "Approve without archiving"), ("Alt+Return",), "archive"),
    ActionSpec("review.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), ("E",), "edit"),
    ActionSpec("review.changes", QT_TRANSLATE_NOOP("Actions", "Ask for changes"), ("R",), "changes"),
    ActionSpec("review.save", QT_TRANSLATE_NOOP("Actions", "Save as Gmail draft"), ("S",), "save_draft"),
    ActionSpec("review.later", QT_TRANSLATE_NOOP("Actions", "Send later"), ("Ctrl+Shift+Return",), "calendar"),
    ActionSpec("review.reject", QT_TRANSLATE_NOOP("Actions", "Reject"), ("Delete", "#"), "reject"),
    ActionSpec("review.no_answer", QT_TRANSLATE_NOOP("Actions", "Reject: no answer needed"), ("N",), "reject"),
    ActionSpec("review.skip", QT_TRANSLATE_NOOP("Actions", "Skip"), ("J",), "skip"),
    ActionSpec("review.previous", QT_TRANSLATE_NOOP("Actions", "Previous"), ("K",), "back"),
    ActionSpec("review.should", QT_TRANSLATE_NOOP("Actions", "Sorted wrongly?"), ("T",), "changes"),
    ActionSpec("review.why", QT_TRANSLATE_NOOP("Actions", "Why this draft"), ("W",), "info"),
    ActionSpec("review.compare", QT_TRANSLATE_NOOP("Actions", "Show changes"), ("D",), "own_reply"),
    ActionSpec("review.write", QT_TRANSLATE_NOOP("Actions", "Open in editor"), ("Ctrl+E",), "drafting"),
    ActionSpec("review.answer_1", QT_TRANSLATE_NOOP("Actions", "Short answer 1"), ("1",), "reply"),
    ActionSpec("review.answer_2", QT_TRANSLATE_NOOP("Actions", "Short answer 2"), ("2",), "reply"),
    ActionSpec("review.focus", QT_TRANSLATE_NOOP("Actions", "Focus mode"), ("F",), "focus"),
    ActionSpec("review.select", QT_TRANSLATE_NOOP("Actions", "Select"), ("X",), "done"),
    ActionSpec("review.extend", QT_TRANSLATE_NOOP("Actions", "Extend the selection down"), ("Shift+J",), "skip"),
    ActionSpec("review.extend_back", QT_TRANSLATE_NOOP("Actions", "Extend the selection up"), ("Shift+K",), "back"),
    ActionSpec("review.dismiss_all", QT_TRANSLATE_NOOP("Actions", "Dismiss all"), ("Shift+X",), "done"),
    ActionSpec("mail.next", QT_TRANSLATE_NOOP("Actions", "Next"), ("J",), "skip"),
    ActionSpec("mail.previous", QT_TRANSLATE_NOOP("Actions", "Previous"), ("K",), "back"),
    ActionSpec("mail.draft", QT_TRANSLATE_NOOP("Actions", "Draft a reply"), ("D",), "drafting"),
    ActionSpec("mail.ask", QT_TRANSLATE_NOOP("Actions", "Ask about this message"), ("Q",), "assistant"),
    ActionSpec("mail.reply", QT_TRANSLATE_NOOP("Actions", "Reply"), ("R", "Ctrl+R"), "reply"),
    ActionSpec("mail.reply_all", QT_TRANSLATE_NOOP("Actions", "Reply to all"), ("A",), "reply_all"),
    ActionSpec("mail.forward", QT_TRANSLATE_NOOP("Actions", "Forward"), ("F",), "forward"),
    ActionSpec("mail.continue", QT_TRANSLATE_NOOP("Actions", "Continue this draft"), ("Ctrl+E",), "drafts"),
    ActionSpec("mail.archive", QT_TRANSLATE_NOOP("Actions", "Archive"), ("E",), "archive"),
    ActionSpec("mail.inbox", QT_TRANSLATE_NOOP("Actions", "Move to inbox"), ("I",), "inbox"),
    ActionSpec("mail.star", QT_TRANSLATE_NOOP("Actions", "Star"), ("S",), "starred"),
    ActionSpec("mail.unread", QT_TRANSLATE_NOOP("Actions", "Mark as read or unread"), ("U", "Shift+U"), "mark_read"),
    ActionSpec("mail.label", QT_TRANSLATE_NOOP("Actions", "Label"), ("L",), "label"),
    ActionSpec("mail.move", QT_TRANSLATE_NOOP("Actions", "Move to…"), ("V",), "move"),
    ActionSpec("mail.snooze", QT_TRANSLATE_NOOP("Actions", "Snooze"), ("B",), "snooze"),
    ActionSpec("mail.mute", QT_TRANSLATE_NOOP("Actions", "Mute or unmute"), ("M",), "mute"),
    ActionSpec("mail.spam", QT_TRANSLATE_NOOP("Actions", "Spam or not spam"), ("!", "Shift+!"), "spam"),
    ActionSpec("mail.should", QT_TRANSLATE_NOOP("Actions", "Sorted wrongly?"), ("T",), "changes"),
    ActionSpec("mail.trash", QT_TRANSLATE_NOOP("Actions", "Move to trash"), ("Delete", "#"), "trash"),
    ActionSpec("mail.rule", QT_TRANSLATE_NOOP("Actions", "Make a rule from this email"), ("Ctrl+Shift+R",), "rules"),
    ActionSpec("mail.sender", QT_TRANSLATE_NOOP("Actions", "Show or hide the sender card"), ("Shift+P",), "contact"),
    ActionSpec("mail.block", QT_TRANSLATE_NOOP("Actions", "Block the sender"), (), "block"),
    ActionSpec("mail.copy_address", QT_TRANSLATE_NOOP("Actions", "Copy the sender's address"), (), "contact"),
    ActionSpec("mail.gmail", QT_TRANSLATE_NOOP("Actions", "Open in Gmail"), (), "web"),
    ActionSpec("mail.next_message", QT_TRANSLATE_NOOP("Actions", "Next message in the conversation"), ("N",), "skip"),
    ActionSpec("mail.previous_message", QT_TRANSLATE_NOOP("Actions", "Previous message in the conversation"), ("P",), "back"),
    ActionSpec("mail.unfold", QT_TRANSLATE_NOOP("Actions", "Expand all messages"), (";",), "group"),
    ActionSpec("mail.fold", QT_TRANSLATE_NOOP("Actions", "Collapse all messages"), (":", "Shift+:"), "focus"),
    ActionSpec("mail.find", QT_TRANSLATE_NOOP("Actions", "Find in this message"), ("Ctrl+F",), "search"),
    ActionSpec("mail.source", QT_TRANSLATE_NOOP("Actions", "View original"), (), "code"),
    ActionSpec("mail.copy_code", QT_TRANSLATE_NOOP("Actions", "Copy code"), ("Ctrl+Shift+C",), "copy"),
    ActionSpec("mail.unsubscribe", QT_TRANSLATE_NOOP("Actions", "Unsubscribe"), ("Ctrl+U",), "unsubscribe"),
    ActionSpec("mail.open", QT_TRANSLATE_NOOP("Actions", "Open"), ("O",), "mail"),
    ActionSpec("mail.archive_older", QT_TRANSLATE_NOOP("Actions", "Archive and open the next older"), ("]",), "archive"),
    ActionSpec("mail.archive_newer", QT_TRANSLATE_NOOP("Actions", "Archive and open the next newer"), ("[",), "archive"),
    ActionSpec("mail.select", QT_TRANSLATE_NOOP("Actions", "Select"), ("X",), "done"),
    ActionSpec("mail.extend", QT_TRANSLATE_NOOP("Actions", "Extend the selection down"), ("Shift+J",), "skip"),
    ActionSpec("mail.extend_back", QT_TRANSLATE_NOOP("Actions", "Extend the selection up"), ("Shift+K",), "back"),
    ActionSpec("mail.next_split", QT_TRANSLATE_NOOP("Actions", "Next inbox split"), ("`", "Ctrl+Alt+Right"), "skip"),
    ActionSpec(
        "mail.previous_split", QT_TRANSLATE_NOOP("Actions", "Previous inbox split"), ("~", "Shift+~", "Ctrl+Alt+Left"), "back"
    ),
    ActionSpec("mail.select_read", QT_TRANSLATE_NOOP("Actions", "Archive read newsletters"), (), "archive"),
    ActionSpec("mail.splits", QT_TRANSLATE_NOOP("Actions", "Edit inbox splits"), (), "edit"),
    ActionSpec("mail.best_first", QT_TRANSLATE_NOOP("Actions", "Best results first"), ("Shift+B",), "focus"),
    ActionSpec("mail.density", QT_TRANSLATE_NOOP("Actions", "Compact or comfortable list"), (), "group"),
    ActionSpec("mail.select_all", QT_TRANSLATE_NOOP("Actions", "Select all"), ("Ctrl+A", "*, A", "Shift+*, A"), "review"),
    ActionSpec("mail.print", QT_TRANSLATE_NOOP("Actions", "Print"), ("Ctrl+P",), "print"),
    ActionSpec("mail.pdf", QT_TRANSLATE_NOOP("Actions", "Save as PDF"), ("Ctrl+Shift+P",), "pdf"),
    ActionSpec("outbox.cancel", QT_TRANSLATE_NOOP("Actions", "Cancel sending"), ("X",), "reject"),
    ActionSpec("outbox.send", QT_TRANSLATE_NOOP("Actions", "Send now"), ("Ctrl+Return",), "sending"),
    ActionSpec("outbox.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), ("E",), "edit"),
    ActionSpec("outbox.redraft", QT_TRANSLATE_NOOP("Actions", "Redraft"), ("R",), "reply"),
    ActionSpec("outbox.look", QT_TRANSLATE_NOOP("Actions", "Check Sent"), ("S",), "sent"),
    ActionSpec("outbox.undo", QT_TRANSLATE_NOOP("Actions", "Undo this change"), ("U",), "undo"),
    ActionSpec("memory.add", QT_TRANSLATE_NOOP("Actions", "Add a preference"), ("N",), "add"),
    ActionSpec("memory.try", QT_TRANSLATE_NOOP("Actions", "Test on past email"), ("T",), "activity"),
    ActionSpec("memory.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), ("E",), "edit"),
    ActionSpec("memory.delete", QT_TRANSLATE_NOOP("Actions", "Delete"), ("Delete",), "trash"),
    ActionSpec("compose.send", QT_TRANSLATE_NOOP("Actions", "Send"), ("Ctrl+Return", "Ctrl+Enter"), "sending"),
    ActionSpec("compose.send_other", QT_TRANSLATE_NOOP("Actions", "Send without archiving"), ("Alt+Return",), "archive"),
    ActionSpec("compose.later", QT_TRANSLATE_NOOP("Actions", "Send later"), ("Ctrl+Shift+Return",), "calendar"),
    ActionSpec("compose.remind", QT_TRANSLATE_NOOP("Actions", "Remind me if no reply"), ("Ctrl+Shift+H",), "waiting"),
    ActionSpec("compose.attach", QT_TRANSLATE_NOOP("Actions", "Attach files"), ("Ctrl+Shift+A",), "attachment"),
    ActionSpec("compose.template", QT_TRANSLATE_NOOP("Actions", "Insert a template"), ("Ctrl+;",), "knowledge"),
    ActionSpec("compose.bold", QT_TRANSLATE_NOOP("Actions", "Bold"), ("Ctrl+B",), "bold"),
    ActionSpec("compose.italic", QT_TRANSLATE_NOOP("Actions", "Italic"), ("Ctrl+I",), "italic"),
    ActionSpec("compose.bullets", QT_TRANSLATE_NOOP("Actions", "Bulleted list"), ("Ctrl+Shift+8",), "bullets"),
    ActionSpec("compose.numbers", QT_TRANSLATE_NOOP("Actions", "Numbered list"), ("Ctrl+Shift+7",), "numbers"),
    ActionSpec("compose.link", QT_TRANSLATE_NOOP("Actions", "Link"), ("Ctrl+Shift+K",), "link"),
    ActionSpec("compose.answer_1", QT_TRANSLATE_NOOP("Actions", "Short answer 1"), ("Alt+1",), "reply"),
    ActionSpec("compose.answer_2", QT_TRANSLATE_NOOP("Actions", "Short answer 2"), ("Alt+2",), "reply"),
    ActionSpec("compose.answer_3", QT_TRANSLATE_NOOP("Actions", "Short answer 3"), ("Alt+3",), "reply"),
    ActionSpec("compose.full", QT_TRANSLATE_NOOP("Actions", "Open in editor"), ("Ctrl+Shift+E",), "drafting"),
    ActionSpec("compose.help", QT_TRANSLATE_NOOP("Actions", "Help me write"), ("Ctrl+J",), "model"),
    ActionSpec("compose.discard", QT_TRANSLATE_NOOP("Actions", "Discard draft"), ("Ctrl+Shift+D",), "trash"),
    ActionSpec("drafts.open", QT_TRANSLATE_NOOP("Actions", "Edit"), ("Return", "E"), "edit"),
    ActionSpec("drafts.discard", QT_TRANSLATE_NOOP("Actions", "Discard draft"), ("Delete",), "trash"),
    ActionSpec("templates.add", QT_TRANSLATE_NOOP("Actions", "Add a template"), ("N",), "add"),
    ActionSpec("templates.save", QT_TRANSLATE_NOOP("Actions", "Save"), ("Ctrl+S",), "save_draft"),
    ActionSpec("templates.delete", QT_TRANSLATE_NOOP("Actions", "Delete"), ("Delete",), "trash"),
    ActionSpec("waiting.nudge", QT_TRANSLATE_NOOP("Actions", "Draft follow-up"), ("R",), "notify"),
    ActionSpec("waiting.dismiss", QT_TRANSLATE_NOOP("Actions", "Stop tracking"), ("X",), "done"),
    ActionSpec("waiting.open", QT_TRANSLATE_NOOP("Actions", "Open the conversation"), ("Return",), "mail"),
    ActionSpec("subscriptions.leave", QT_TRANSLATE_NOOP("Actions", "Unsubscribe"), ("U",), "unsubscribe"),
    ActionSpec("subscriptions.archive", QT_TRANSLATE_NOOP("Actions", "Archive all"), ("E",), "archive"),
    ActionSpec("subscriptions.always", QT_TRANSLATE_NOOP("Actions", "Archive automatically"), ("A",), "rules"),
    ActionSpec("subscriptions.block", QT_TRANSLATE_NOOP("Actions", "Block"), ("!", "Shift+!"), "block"),
    ActionSpec("subscriptions.open", QT_TRANSLATE_NOOP("Actions", "Show all messages"), ("Return",), "search"),
    ActionSpec("assistant.ask", QT_TRANSLATE_NOOP("Actions", "New request"), ("N",), "add"),
    ActionSpec("assistant.run", QT_TRANSLATE_NOOP("Actions", "Run"), ("Ctrl+Return",), "play"),
    ActionSpec("assistant.again", QT_TRANSLATE_NOOP("Actions", "Make a new plan"), ("R",), "refresh"),
    ActionSpec("assistant.stop", QT_TRANSLATE_NOOP("Actions", "Stop"), ("X",), "stop"),
    ActionSpec("assistant.go_on", QT_TRANSLATE_NOOP("Actions", "Resume"), ("T",), "skip"),
    ActionSpec("assistant.open", QT_TRANSLATE_NOOP("Actions", "Open the item that waits for you"), ("O",), "review"),
    ActionSpec("assistant.copy", QT_TRANSLATE_NOOP("Actions", "Copy the answer"), ("Ctrl+Shift+C",), "copy"),
    ActionSpec("assistant.forget", QT_TRANSLATE_NOOP("Actions", "Delete"), ("Delete",), "trash"),
)
REPEATING = (
    "review.skip", "review.previous", "review.extend", "review.extend_back", "mail.next", "mail.previous", "mail.extend",
    "mail.extend_back",
)  # fmt: skip
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


def connect_actions(
    widget: QWidget, context: Context, handlers: Mapping[str, Callable[[], object]], *, keys: bool = True
) -> None:
    """Adds actions to a widget and connects their handlers. An `ExpectedError` in a handler becomes a notice.

    Several pages may connect the same action: it acts on the visible one. Without `keys` only buttons and menus call it.
    """
    for name, handler in handlers.items():
        if keys:
            widget.addAction(context.actions[name])
        context.actions[name].triggered.connect(partial(_call, widget, context.notices, handler))


def _call(widget: QWidget, notices: Notices, handler: Callable[[], object], _checked: bool = False) -> None:
    if widget.isVisible():
        with ErrorNotice(notices):
            handler()


def name_words(spec: ActionSpec) -> str:
    """Translated name of an action. It stays the same when a page changes the text of its `QAction`."""
    return QCoreApplication.translate("Actions", spec.text)


def spec_words(action_id: str) -> str:
    return next(name_words(spec) for spec in TABLE if spec.id == action_id)


def where_words(where: ActionScope) -> str:
    words = {
        ActionScope.WINDOW: QCoreApplication.translate("Actions", "Everywhere"),
        ActionScope.REVIEW: QCoreApplication.translate("Actions", "In Review"),
        ActionScope.MAIL: QCoreApplication.translate("Actions", "In the mail lists"),
        ActionScope.OUTBOX: QCoreApplication.translate("Actions", "In the Outbox"),
        ActionScope.MEMORY: QCoreApplication.translate("Actions", "In Memory"),
        ActionScope.COMPOSE: QCoreApplication.translate("Actions", "While writing"),
        ActionScope.DRAFTS: QCoreApplication.translate("Actions", "In Drafts"),
        ActionScope.TEMPLATES: QCoreApplication.translate("Actions", "In Templates"),
        ActionScope.SUBSCRIPTIONS: QCoreApplication.translate("Actions", "In Subscriptions"),
        ActionScope.WAITING: QCoreApplication.translate("Actions", "In Waiting"),
        ActionScope.ASSISTANT: QCoreApplication.translate("Actions", "In the Assistant"),
    }
    return words[where]
