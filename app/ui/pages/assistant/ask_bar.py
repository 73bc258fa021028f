"""The bar to type a request: field, files, account choice and notices; and commands about mail that need no request."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QCoreApplication, QDate, QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.domain.agents.mail_commands import MailAction, MailCommand, mail_command, rule_of
from app.domain.agents.requests import ALL_MAIL, LONGEST_REQUEST, MOST_FILES, MailScope, Request
from app.domain.agents.routing import RoutingRule
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, MessageId, RequestId, ThreadId
from app.domain.mail.message import Account, SystemLabel
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.domain.protocol.events import CommandFailed
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import day_words, local_day, number_words
from app.ui.pages.assistant.answer import ChipRow
from app.ui.services.async_task import AsyncTask
from app.ui.services.notices import said_of
from app.ui.session.pending_requests import scope_in, scope_text
from app.ui.session.session_store import PageState, long_number, type_again, typed_texts
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import announce, button, clear, column, label, put, row, rule, tool_button
from app.ui.widgets.form_controls import ChoiceBox, GrowingField
from app.ui.widgets.menus import PageMenu, add_calendar
from app.ui.widgets.notice_line import NoticeLine

RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AskField(GrowingField):
    """Text field; `entered` is emitted by Enter. Shift+Enter starts a new line."""

    entered = Signal()

    def __init__(self, here: bool = False) -> None:
        super().__init__(fewest=1, most=6)
        self._here = here
        self.setAccessibleName(self.tr("What the assistant should do"))
        self.setPlaceholderText(self.tr("Ask about it…") if here else self.tr("Ask anything about your mail…"))

    def event(self, event: QEvent) -> bool:
        """Takes Ctrl+Enter from the page's shortcuts while the field has text; beside mail, whose keys these are, always."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in RETURNS:
            event.setAccepted(self._here or bool(self.toPlainText().strip()))
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURNS and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)


BOTTOM = Qt.AlignmentFlag.AlignBottom
WIDEST_ACCOUNT = 18
"""Characters of an address that are always visible."""


def paths_of(stored: object) -> tuple[Path, ...]:
    """The files in a stored list; none if it cannot be read."""
    try:
        return tuple(Path(str(one)) for one in json.loads(str(stored or "[]")))
    except (ValueError, TypeError, RecursionError):
        return ()


LABELS: dict[MailAction, tuple[tuple[str, ...], tuple[str, ...]]] = {
    MailAction.ARCHIVE: ((), (SystemLabel.INBOX.value,)),
    MailAction.TRASH: ((SystemLabel.TRASH.value,), (SystemLabel.INBOX.value, SystemLabel.SPAM.value)),
    MailAction.READ: ((), (SystemLabel.UNREAD.value,)),
    MailAction.STAR: ((SystemLabel.STARRED.value,), ()),
}
"""The labels that each action adds and removes."""
LONGEST_NAMED = 40
"""Characters of a request on a button."""
OFFERED_MS = 10_000
"""How long Undo is offered."""


class MailCommandOffer(NoticeLine):
    """Carries out a command about mail: shows what it finds, or says what it would change and does that after a click."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.icons)
        self._context = context
        self._task = AsyncTask(self)
        self._rule: RoutingRule | None = None
        self.found: tuple[ThreadId, ...] = ()

    def took(self, ask: AskAssistant) -> bool:
        """Whether the text is a command, which is then carried out here: in its account and within its limits."""
        command = None if ask.files or ask.after or ask.scope.conversation else mail_command(ask.text)
        if command is None:
            self.say("")
            return False
        accounts = self._context.reader.accounts()
        account = [f"account:{one.email}" for one in accounts if one.id == ask.account_id and len(accounts) > 1]
        limits = [ask.scope.query] if ask.scope.query else []
        query = " ".join((command.query, *limits, *account))
        command = replace(command, query=query, conditions=(*command.conditions, *limits))
        self._rule = self._as_rule(command)
        if command.action is not MailAction.SHOW:
            self.say(self.tr("Looking for matching conversations…"), "search")
            self._task.begin(self._look(command))
            return True
        self.say("")
        self._context.navigator.search(query)
        if self._rule is not None:
            words = self.tr("A rule can label new mail like this.")
            make = partial(self._context.navigator.make_rule, self._rule)
            self._context.notices.tell(words, self.tr("Make this a rule"), make, OFFERED_MS, leads=True)
        return True

    async def _look(self, command: MailCommand) -> None:
        try:
            answer = await self._context.link.ask(SearchMail(command.query))
        except ExpectedError as error:
            self.say(said_of(error, self._context.reader), "error")
            return
        assert isinstance(answer, ThreadIds)
        self.found = answer.ids
        if not self.found:
            self._offer_rule(self.tr("No conversation matches: %1").replace("%1", command.words), "search")
            return
        count = len(self.found)
        words, verb, icon, done = {
            MailAction.ARCHIVE: (
                self.tr("Archive %n conversation(s)?", "", count),
                self.tr("Archive"),
                "archive",
                self.tr("%n conversation(s) archived", "", count),
            ),
            MailAction.TRASH: (
                self.tr("Move %n conversation(s) to trash?", "", count),
                self.tr("Move to trash"),
                "trash",
                self.tr("%n conversation(s) moved to trash", "", count),
            ),
            MailAction.READ: (
                self.tr("Mark %n conversation(s) as read?", "", count),
                self.tr("Mark as read"),
                "mail",
                self.tr("%n conversation(s) marked as read", "", count),
            ),
            MailAction.STAR: (
                self.tr("Star %n conversation(s)?", "", count),
                self.tr("Star"),
                "starred",
                self.tr("%n conversation(s) starred", "", count),
            ),
        }[command.action]
        show = partial(self._context.navigator.search, command.query)
        self.say(words, icon, verb, partial(self._act, command.action, done), self.tr("Show them"), show)
        announce(self, words)

    def _act(self, action: MailAction, done: str) -> None:
        """Changes the found conversations in one go, with one Undo."""
        self._offer_rule("", "rules")
        key, link = str(uuid4()), self._context.link
        link.send(ChangeLabels(key, self.found, *LABELS[action]))
        self._context.notices.tell(done, self.tr("Undo"), lambda: link.send(UndoChange(key)), OFFERED_MS)

    def _offer_rule(self, words: str, icon: str) -> None:
        """Offers to make the command a rule, after some words. Where no rule can do it, only the words are there."""
        rule = self._rule
        if rule is None:
            self.say(words, icon)
            return
        offer = self.tr("A rule can do this with new mail: %1").replace("%1", rule.name)
        make = partial(self._context.navigator.make_rule, rule)
        self.say("\n".join(filter(None, (words, offer))), icon, self.tr("Make this a rule"), make)

    def _as_rule(self, command: MailCommand) -> RoutingRule | None:
        """The rule with its name, None where no rule can do what the command does."""
        rule = rule_of(command, self._email_of)
        if rule is None:
            return None
        match = rule.match
        news = self.tr("newsletters") if match.header_match else ""
        subject = f"“{match.subject_contains}”" if match.subject_contains else ""
        what = ", ".join(filter(None, (news, match.sender_email or match.sender_domain, subject)))
        names = {
            MailAction.SHOW: self.tr("Label %1"),
            MailAction.ARCHIVE: self.tr("Archive %1"),
            MailAction.READ: self.tr("Mark %1 as read"),
            MailAction.STAR: self.tr("Star %1"),
        }
        label = "" if rule.actions else what
        return replace(rule, name=names[command.action].replace("%1", what), label=label)

    def _email_of(self, name: str) -> str:
        """The address of the only person of this name, empty for none or several."""
        found = self._context.reader.people(name, 2)
        return found[0].address.email if len(found) == 1 else ""


LONGEST_SUBJECT = 32
"""Characters of a subject on a chip."""


class ScopeChips(QWidget):
    """Which mail a request may read: a chip for each limit, which can be changed and removed, and a menu to add others.

    `here`: the conversation is the one on screen, so its chip need not name it.
    """

    changed = Signal()

    def __init__(self, context: Context, here: bool = False) -> None:
        super().__init__()
        self._context, self._here = context, here
        self.scope = ALL_MAIL
        self._rows = column(self, 0, 0)
        self.add = button(self.tr("Limit to…"), "link", lambda: self._pop_up(self._places, self._days))
        self.show_scope(ALL_MAIL)

    def show_scope(self, scope: MailScope) -> None:
        """Shows the limits. Does nothing for the ones that are shown."""
        if scope == self.scope and self._rows.count():
            return
        self.scope = scope
        self.add.setParent(None)
        clear(self._rows)
        chips: list[QWidget] = []
        for words, icon, without in limits_of(self._context, scope, self._here):
            fill = None if icon == "mail" else self._days if icon == "calendar" else self._places
            change = button(words, "chip", partial(self._pop_up, fill) if fill else self._open)
            change.setIcon(self._context.icons.icon(icon))
            name = self.tr("Change %1") if fill else self.tr("Open %1")
            change.setAccessibleName(name.replace("%1", words))
            remove = self.tr("Remove %1").replace("%1", words)
            close = tool_button(self._context.icons.icon("close"), remove, partial(self._take, without))
            chips.append(QWidget())
            put(row(chips[-1], 0, 0), change, close)
        self._rows.addWidget(FlowRow((*chips, self.add), Space.SMALL, Space.TIGHT))
        self.add.show()
        self.changed.emit()

    def _take(self, scope: MailScope) -> None:
        self.show_scope(scope)
        self.add.setFocus()

    def _open(self) -> None:
        self._context.navigator.show_message(self.scope.conversation)

    def _pop_up(self, *fills: Callable[[QMenu], None]) -> None:
        menu = PageMenu(self)
        for fill in fills:
            fill(menu)
            menu.addSeparator()
        near = self.add if len(fills) > 1 else self.focusWidget() or self.add
        menu.popup(near.mapToGlobal(near.rect().bottomLeft()))

    def _places(self, menu: QMenu) -> None:
        for inbox, sent in ((True, False), (False, True), (True, True)):
            scope = replace(self.scope, inbox=inbox, sent=sent)
            menu.addAction(place_words(scope), partial(self._take, scope))

    def _days(self, menu: QMenu) -> None:
        today = QDate.currentDate()
        for days, words in ((7, self.tr("Last 7 days")), (30, self.tr("Last 30 days")), (365, self.tr("Last 12 months"))):
            menu.addAction(words, partial(self._since, today.addDays(-days)))
        other = menu.addMenu(self.tr("Since a date…"))
        chosen = self.scope.since
        add_calendar(other, QDate(chosen.year, chosen.month, chosen.day) if chosen else today, self._since)

    def _since(self, day: QDate) -> None:
        """From the beginning of a day in the owner's time zone."""
        self._take(replace(self.scope, since=datetime(day.year(), day.month(), day.day()).astimezone()))


def limits_of(context: Context, scope: MailScope, here: bool = False) -> Iterator[tuple[str, str, MailScope]]:
    """The words, the icon and the scope without it, of each limit. `here`: the conversation is the one on screen."""
    if scope.conversation:
        message = None if here else context.reader.message(scope.conversation)
        words = QCoreApplication.translate("Assistant", "This conversation")
        if message is not None:
            subject = " ".join(message.subject.split()) or QCoreApplication.translate("Assistant", "(no subject)")
            cut = subject if len(subject) <= LONGEST_SUBJECT else f"{subject[:LONGEST_SUBJECT]}…"
            words = QCoreApplication.translate("Assistant", "Conversation “%1”").replace("%1", cut)
        yield words, "mail", replace(scope, conversation=MessageId(0))
    if scope.inbox or scope.sent:
        yield place_words(scope), "inbox" if scope.inbox else "sent", replace(scope, inbox=False, sent=False)
    if scope.since is not None:
        since = QCoreApplication.translate("Assistant", "Since %1").replace("%1", day_words(local_day(scope.since)))
        yield since, "calendar", replace(scope, since=None)


def place_words(scope: MailScope) -> str:
    if scope.inbox and scope.sent:
        return QCoreApplication.translate("Assistant", "Inbox and sent")
    return QCoreApplication.translate("Assistant", "Inbox") if scope.inbox else QCoreApplication.translate("Assistant", "Sent")


class AskBar(QWidget):
    """Calls `asked` for each request."""

    edited = Signal()
    """The text, the caret, the files, the limits or the account changed."""

    def __init__(self, context: Context, title: str, asked: Callable[[AskAssistant], object], here: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._context, self._asked, self._here = context, asked, here
        self.files: tuple[Path, ...] = ()
        self.preset = ALL_MAIL
        self.sent: set[RequestId] = set()
        self._open: Request | None = None
        self._restored_account = AccountId(0)
        self.accounts = ChoiceBox(context.icons, self.tr("In which account"))
        self.accounts.setMinimumContentsLength(WIDEST_ACCOUNT)
        self.accounts.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.field = AskField(here)
        attach = tool_button(context.icons.icon("attachment"), self.tr("Attach files for the assistant"), self._choose_files)
        self.ask = button(self.tr("Ask"), "primary", self.submit)
        self.follow = button("", "chip")
        self.follow.setCheckable(True)
        self.follow.hide()
        self.limits, self._chips, self.offer = ScopeChips(context, here), ChipRow(), MailCommandOffer(context)
        self.too_long = label("", Type.CAPTION, "danger")
        self.refused, self.standing = NoticeLine(context.icons, "danger"), NoticeLine(context.icons)
        self.head = put(row(), (label(title, Type.TITLE), 1), self.accounts)
        first = put(row(), (self.field, 1), (attach, BOTTOM), (self.ask, BOTTOM))
        below = (self.limits, self._chips, self.too_long, self.offer, self.refused, self.standing)
        inside = column(None, (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.MEDIUM))
        put(inside, self.head, first, FlowRow((self.follow,), Space.SMALL), *below)
        put(column(self, 0, 0), inside, rule())
        self.follow.toggled.connect(self._followed)
        self.limits.changed.connect(self.edited)
        self.field.entered.connect(self.submit)
        self.field.textChanged.connect(self._changed)
        self.field.cursorPositionChanged.connect(self.edited)
        self.accounts.activated.connect(lambda _at: self.edited.emit())
        self._changed()

    @property
    def words(self) -> str:
        return self.field.toPlainText().strip()

    @property
    def account(self) -> AccountId:
        """The chosen account; 0 if there is none."""
        return AccountId(self.accounts.currentData() or 0)

    def show_accounts(self, accounts: Sequence[Account]) -> None:
        """Fills the account choice, which is hidden if there is only one. Says if no language model is chosen."""
        chosen = self._restored_account or self.account
        known = [(account.id, account.email) for account in accounts]
        if known != [(self.accounts.itemData(at), self.accounts.itemText(at)) for at in range(self.accounts.count())]:
            self.accounts.clear()
            for account_id, email in known:
                self.accounts.addItem(email, account_id)
        self.accounts.setCurrentIndex(max(self.accounts.findData(chosen), 0 if known else -1))
        self._restored_account = AccountId(0)
        self.accounts.setVisible(len(known) > 1)
        plain = bool(known) and not self._context.settings().model.name
        words = self.tr("Without AI, I can find mail, and archive, star, trash or mark it as read.") if plain else ""
        choose = partial(self._context.navigator.show_settings, "model")
        self.standing.say(words, "no_model", self.tr("Choose a model"), choose)
        self._enable()

    def submit(self) -> None:
        if not self.ask.isEnabled():
            return
        after = self._open.id if self._open is not None and self.follow.isChecked() else RequestId("")
        ask = AskAssistant(RequestId(str(uuid4())), self.account, self.words, self.files, after, self.limits.scope)
        self.field.clear()
        self.give(())
        self.limits.show_scope(self.preset)
        self.sent.add(ask.request_id)
        self._asked(ask)

    def hear(self, event: Event) -> None:
        """Takes back a request of this bar that failed. The session heard the event before."""
        refused = self._context.requests.refusal
        if isinstance(event, CommandFailed) and refused is not None and refused.request_id in self.sent:
            self.refuse(refused, sentence(event.code, event.text))

    def _followed(self, follows: bool) -> None:
        """Marks the chip. A follow-up keeps to the account and, unless the owner set limits, to the mail of its request."""
        self.follow.setIcon(self._context.icons.icon("approve" if follows else "add"))
        if self._open is not None:
            at = self.accounts.findData(self._open.account_id)
            self.accounts.setCurrentIndex(at if follows and at >= 0 else self.accounts.currentIndex())
            if follows and self.limits.scope == self.preset:
                self.limits.show_scope(self._open.scope)
            elif not follows and self.limits.scope == self._open.scope:
                self.limits.show_scope(self.preset)

    def offer_follow_up(self, request: Request | None) -> None:
        """Offers to follow up on the open request, once it has an answer."""
        if request is None or self._open is None or request.id != self._open.id:
            self.follow.setChecked(False)
        self._open = request
        words = " ".join(request.text.split()) if request is not None else ""
        longest = LONGEST_NAMED // 2 if self._here else LONGEST_NAMED
        short = words if len(words) <= longest else f"{words[:longest]}…"
        self.follow.setText(self.tr("Follow up on “%1”").replace("%1", short))
        self.follow.setVisible(request is not None and any(step.answer for step in request.steps))

    def give(self, files: Sequence[Path]) -> None:
        """Shows the files that go with the next request. A click on one removes it."""
        self.files = tuple(dict.fromkeys(files))[:MOST_FILES]
        chips = []
        for path in self.files:
            made = button(f"{path.name} ✕", "chip", partial(self.give, [one for one in self.files if one != path]))
            made.setAccessibleName(self.tr("Remove %1").replace("%1", path.name))
            chips.append(made)
        self._chips.show_chips(chips)
        self.edited.emit()

    def _choose_files(self) -> None:
        dialog = QFileDialog(self, self.tr("Attach files for the assistant"), str(self._context.save_folder))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.give((*self.files, *map(Path, names))))
        dialog.open()

    def put(self, words: str) -> None:
        """Replaces the text (can be undone) and focuses the field."""
        cursor = self.field.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(words)
        self.field.setTextCursor(cursor)
        self.field.setFocus()

    def refuse(self, ask: AskAssistant, why: str) -> None:
        """Says why a request failed and puts its text, files and limits back, unless other text was typed."""
        if not self.words:
            self.put(ask.text)
            self.give(ask.files)
            self.limits.show_scope(ask.scope)
        self.refused.say(why, "error")
        announce(self.refused, why, urgent=True)

    def save_state(self) -> PageState:
        given: PageState = {"files": json.dumps([str(one) for one in self.files])} if self.files else {}
        limits: PageState = {"scope": scope_text(self.limits.scope)} if self.limits.scope != self.preset else {}
        return {**typed_texts(text=self.field), "account": self.account, **given, **limits} if self.words else {}

    def restore_state(self, state: PageState) -> None:
        type_again(state, text=self.field)
        self.give(paths_of(state.get("files", "")))
        self.limits.show_scope(scope_in(state.get("scope", "")) or self.preset)
        self._restored_account = AccountId(long_number(state, "account"))
        if self.accounts.count():
            self.accounts.setCurrentIndex(max(self.accounts.findData(self._restored_account), 0))

    def _changed(self) -> None:
        self.refused.say("")
        self._enable()
        self.edited.emit()

    def _enable(self) -> None:
        size = len(self.words)
        self.too_long.setText(f"{number_words(size)} / {number_words(LONGEST_REQUEST)}")
        self.too_long.setVisible(size > LONGEST_REQUEST)
        self.ask.setEnabled(0 < size <= LONGEST_REQUEST and bool(self.account))
