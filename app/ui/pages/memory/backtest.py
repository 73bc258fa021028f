"""The dialog "Test on past email": what triage would have done with past mail, and the choice of its limits from that."""

import json
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QDateTime
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from app.domain.agents.backtest import CHOICES, FEWEST_ANSWERED, STANDARD, TriageLimits, figures, limits_for
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Message
from app.domain.mail.triage import Decision
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import BacktestProgress
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.formatting import day_words, filled, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.services.async_task import EngineQuestion
from app.ui.services.notices import said_of
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog, Scrolled
from app.ui.widgets.factory import STRETCH, button, column, label, named, row
from app.ui.widgets.form_controls import ChoiceBox

MONTHS = (3, 6, 12)
WIDTH, HEIGHT = 640, 590
LISTED = 500
LOWEST_LIST = 120
LEARNED_SHOWN = 3
WEEK_MS = 7 * 24 * 3600 * 1000


def learned_words(done: BacktestDone) -> str:
    """What the archive taught, or that too little is known yet."""
    if done.answered < FEWEST_ANSWERED or not done.strongest:
        words = QCoreApplication.translate(
            "Backtest",
            "Too few to learn from: you answered %1 of these emails, and %2 are needed. Until then, sorting uses general rules.",
        )
        return filled(words, done.answered, FEWEST_ANSWERED)
    words = filled(QCoreApplication.translate("Backtest", "Learned from %1 of your emails."), done.examples)
    answered = QCoreApplication.translate("Backtest", "senders you often answer")
    known = QCoreApplication.translate("Backtest", "people you know")
    asks = QCoreApplication.translate("Backtest", "emails that ask something")
    yours = QCoreApplication.translate("Backtest", "conversations you take part in")
    lists = QCoreApplication.translate("Backtest", "mailing lists")
    automatic = QCoreApplication.translate("Backtest", "automatic emails")
    copied = QCoreApplication.translate("Backtest", "emails you're only copied on")
    told = {  # the kinds of email that features stand for; others say nothing to a person
        **dict.fromkeys(("sender_answered", "sender_answers", "domain_answered"), answered),
        **dict.fromkeys(("written_to", "sender_sent", "known"), known),
        **dict.fromkeys(("asks", "question", "question_mark", "request", "asks_alone", "asks_dense", "asks_owner"), asks),
        **dict.fromkeys(("wish_asked", "wish_unasked"), asks),
        **dict.fromkeys(("answers_own", "took_part", "previous", "reply"), yours),
        **dict.fromkeys(("list", "unsubscribe", "bulk", "foreign_list", "list_answered"), lists),
        **dict.fromkeys(("robot_name", "no_reply", "auto", "asks_by_program"), automatic),
        **dict.fromkeys(("in_cc", "not_addressed"), copied),
        "colleague": QCoreApplication.translate("Backtest", "colleagues"),
        "stranger": QCoreApplication.translate("Backtest", "strangers"),
        "alone": QCoreApplication.translate("Backtest", "emails only to you"),
        "recipients": QCoreApplication.translate("Backtest", "emails to many people"),
        "greets_owner": QCoreApplication.translate("Backtest", "emails that greet you by name"),
        "sender_received": QCoreApplication.translate("Backtest", "senders who write often"),
        "forward": QCoreApplication.translate("Backtest", "forwarded emails"),
        "short": QCoreApplication.translate("Backtest", "very short emails"),
        "long": QCoreApplication.translate("Backtest", "long emails"),
    }
    weights: dict[str, float] = defaultdict(float)
    for name, weight in done.strongest:
        if name in told:
            weights[told[name]] += weight
    more = [kind for kind, weight in weights.items() if weight > 0][:LEARNED_SHOWN]
    less = [kind for kind, weight in weights.items() if weight < 0][:LEARNED_SHOWN]
    if more:
        often = QCoreApplication.translate("Backtest", "You answer these more often than the general rules expect: %1.")
        words += " " + often.replace("%1", ", ".join(more))
    if less:
        seldom = QCoreApplication.translate("Backtest", "You answer these less often: %1.")
        words += " " + seldom.replace("%1", ", ".join(less))
    return words


def period_words(done: BacktestDone) -> str:
    known = figures(done.rows, STANDARD)
    words = QCoreApplication.translate("Backtest", "From %1 to %2 you received %3 emails and answered %4.")
    days = [day_words(QDateTime.fromMSecsSinceEpoch(at).date()) for at in (done.since_ms, done.until_ms)]
    return filled(words, *days, known.received, known.answered)


def outcome_words(done: BacktestDone, limits: TriageLimits) -> str:
    """What triage would have done with these limits, one line a fact."""
    told = figures(done.rows, limits.learned(done.respond_from))
    weeks = max(1.0, (done.until_ms - done.since_ms) / WEEK_MS)
    marked = QCoreApplication.translate("Backtest", "Needs reply: %1 emails, about %2 a week. You answered %3 of them.")
    missed = QCoreApplication.translate("Backtest", "Missed: %1 of the %2 emails you answered would not be in Needs reply.")
    hidden = QCoreApplication.translate("Backtest", "Hidden: %1 of these would not be in Review at all. Ignored in total: %2.")
    lines = (
        filled(marked, told.marked, round(told.marked / weeks), told.right),
        filled(missed, told.missed, told.answered),
        filled(hidden, told.hidden, told.ignored),
    )
    return "\n".join(lines)


class BacktestDialog(Dialog):
    """Runs the trial and lets the user choose. Nothing changes before Apply."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Test on past email"))
        self._context = context
        self._done: BacktestDone | None = None
        self._question = EngineQuestion(context.link, self)
        self._accounts = ChoiceBox(context.icons, self.tr("Account"))
        for account in context.reader.accounts():
            self._accounts.addItem(account.email, account.id)
        self._accounts.setVisible(self._accounts.count() > 1)
        self.months = ChoiceBox(context.icons, self.tr("Period"))
        for count in MONTHS:
            self.months.addItem(self.tr("Last %n month(s)", "", count), count)
        self.months.setCurrentIndex(1)
        self.months.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.start = button(self.tr("Try"), "primary", self.run)
        self.start.setDefault(True)
        self.cancel = button(self.tr("Cancel"), "", self.stop)
        self.bar = named(QProgressBar(), self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.words = label(self._intro(), wrap=True)
        self.learned = label("", Type.CAPTION, "soft", wrap=True)
        self.misses = ChoiceBox(context.icons, self.tr("How many answered emails may be missed"))
        self.misses.currentIndexChanged.connect(lambda _at: self._show_choice())
        self.outcome = label("", wrap=True)
        self.shown = ChoiceBox(context.icons, self.tr("Listed emails"))
        self.shown.addItem(self.tr("Missed emails"), False)
        self.shown.addItem(self.tr("In Needs reply, but not answered"), True)
        self.shown.currentIndexChanged.connect(lambda _at: self._list_rows())
        self.model: IdModel[Message] = IdModel(self._read, self._look, self)
        self.list = RowList(context.appearance, context.icons, self.tr("Emails"), self.model, compact=True)
        self.list.opened.connect(self._open)
        self.apply = button(self.tr("Apply"), "primary", self._apply)
        self.reset = button(self.tr("Reset to standard"), "link", self._reset)
        self._results, self._room, inside = QWidget(), QWidget(), QWidget()
        head = row(None, 0, Space.SMALL, self._accounts, self.months, self.start, (self.bar, 9), self.cancel, STRETCH)
        chosen = row(None, 0, Space.SMALL, label(self.tr("Allowed misses")), self.misses, STRETCH)
        listed = row(None, 0, Space.SMALL, self.shown, STRETCH)
        column(self._results, 0, Space.SMALL, self.learned, chosen, self.outcome, listed, (self.list, 1))
        leave = button(self.tr("Close"), "", self.close)
        foot = row(None, 0, Space.SMALL, self.reset, STRETCH, self.apply, leave)
        column(inside, 0, Space.MEDIUM, self.words, (self._results, 1), (self._room, 1))
        self.list.setMinimumHeight(LOWEST_LIST)
        self.list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        column(self, Space.LARGE, Space.MEDIUM, head, (Scrolled(inside), 1), foot)
        around = parent.window().size()
        self.resize(min(WIDTH, around.width()), min(HEIGHT, around.height()))
        self._show_state()

    def _intro(self) -> str:
        return self.tr(
            "Sorts your past email again, using only what was known before each message, and compares the result "
            "with what you answered within 14 days. Nothing is changed or sent."
        )

    def run(self) -> None:
        """Starts the trial."""
        account_id = self._accounts.currentData()
        if account_id is None:
            self.words.setText(self.tr("Add an account first."))
            return
        self._done = None
        self.bar.setRange(0, 0)
        self.words.setText(self.tr("Reading your email…"))
        self._question.ask(RunBacktest(AccountId(account_id), int(self.months.currentData())), self._answered, self._failed)
        self._show_state()

    def stop(self) -> None:
        self._question.cancel()
        self.words.setText(self._intro())
        self._show_state()

    def hear(self, event: Event) -> None:
        if isinstance(event, BacktestProgress) and self._question.busy:
            self.bar.setRange(0, max(event.total, 1))
            self.bar.setValue(event.done)
            words = self.tr("Sorting your past email: %1 of %2")
            self.words.setText(filled(words, event.done, event.total))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._question.cancel()
        super().closeEvent(event)

    def _answered(self, answer: BacktestDone) -> None:
        self._done = answer
        self.words.setText(period_words(answer))
        self.learned.setText(learned_words(answer))
        self.misses.blockSignals(True)
        self.misses.clear()
        standard = self.tr("Standard")
        now = self._context.settings().triage.limits
        options = [(standard, STANDARD)]
        if now != STANDARD:
            options.append((self.tr("Current setting"), now))
        words = self.tr("%1 in 100 emails you answer")
        options += [(filled(words, count), limits_for(answer.rows, count)) for count in CHOICES]
        for text, limits in options:
            self.misses.addItem(text, (limits.respond_from, limits.ignore_from))
        self.misses.setCurrentIndex(0 if now == STANDARD else 1)
        self.misses.blockSignals(False)
        self._show_choice()
        self._show_state()
        self.misses.setFocus()

    def _failed(self, error: ExpectedError) -> None:
        self.words.setText(said_of(error, self._context.reader))
        self._show_state()

    @property
    def limits(self) -> TriageLimits:
        """The chosen limits."""
        chosen = self.misses.currentData()
        return TriageLimits(*chosen) if chosen is not None else STANDARD

    def _show_state(self) -> None:
        busy, done = self._question.busy, self._done
        for part in (self.bar, self.cancel):
            part.setVisible(busy)
        self.start.setVisible(not busy)
        enough = done is not None and any(one.answered for one in done.rows)
        self._results.setVisible(enough)
        self._room.setVisible(not enough)
        self.apply.setVisible(enough)
        self.reset.setVisible(self._context.settings().triage.limits != STANDARD)
        if done is not None and not enough:
            self.words.setText(self.tr("You didn't answer any email in this period, so there's nothing to compare."))

    def _show_choice(self) -> None:
        if self._done is not None:
            self.outcome.setText(outcome_words(self._done, self.limits))
            self.apply.setEnabled(self.limits != self._context.settings().triage.limits)
            self._list_rows()

    def _list_rows(self) -> None:
        if self._done is None:
            return
        useless, limits = bool(self.shown.currentData()), self.limits.learned(self._done.respond_from)
        judged = [one for one in reversed(self._done.rows) if one.answered is (not useless)]
        wanted = [one.message_id for one in judged if (one.decision(limits) is Decision.RESPOND) is useless]
        self.model.set_ids(array("q", wanted[:LISTED]))

    def _read(self, ids: Sequence[int]) -> Mapping[int, Message]:
        found = self._context.reader.messages_of([MessageId(one) for one in ids])
        return {int(key): message for key, message in found.items()}

    def _look(self, message: Message) -> RowPresentation:
        who = message.sender.name or message.sender.email
        when = when_short(message.date, self._context.clock())
        return RowPresentation(who, message.subject, message.subject, when, f"{who}, {message.subject}, {when}")

    def _open(self, key: int) -> None:
        self._context.navigator.show_message(MessageId(key))
        self.close()

    def _apply(self) -> None:
        before = self._context.settings().triage.limits
        send_limits(self._context, self.limits)
        words = self.tr("Applied. New email is sorted this way.")
        self._context.notices.tell(words, self.tr("Undo"), partial(send_limits, self._context, before))
        self.close()

    def _reset(self) -> None:
        send_limits(self._context, STANDARD)
        self._context.notices.tell(self.tr("Sorting was reset to standard."))
        self.close()


def send_limits(context: Context, limits: TriageLimits) -> None:
    """Saves the limits; also called by Undo, when the dialog is gone."""
    values = (("triage.respond_from", limits.respond_from), ("triage.ignore_from", limits.ignore_from))
    context.link.send(ChangeSettings(tuple((key, json.dumps(value)) for key, value in values)))
