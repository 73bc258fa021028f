"""The dialog that tries a model on past messages: what it would have said, beside what the owner did."""

import time

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import DraftFault, ModelTried, TestModel, TrialMail, TrialMails, TryModel
from app.ui.i18n.error_messages import sentence, translated
from app.ui.i18n.formatting import decision_words, filled, money_words, seconds_words
from app.ui.message.plain_text import LongPlainText
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import add_row, button, column, label, named, plain_tip, put, row, say, text_table

MESSAGES = 20
ENOUGH = 5
"""From so many messages on, advice is given."""
FAILURES_IN_A_ROW = 3
"""After so many failures of the server the rest is not asked. Answers that cannot be used are results."""
LONGEST_S = 600.0
"""A slow computer may take a minute for a message."""


class ModelTrialDialog(Dialog):
    """Asks about one message after the other, and can be stopped at any time."""

    def __init__(self, link: EngineLink, wanted: TestModel, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Try %1 on your messages").replace("%1", wanted.model.rpartition("/")[2]))
        self._wanted = wanted
        self._query = EngineQuestion(link, self)
        self._left: list[MessageId] = []
        self._until_s = time.monotonic() + LONGEST_S
        self.tried: list[ModelTried] = []
        self.summary = label(self.tr("Choosing messages…"), Type.STRONG, wrap=True)
        heads = [self.tr("Message"), self.tr("You"), self.tr("Model"), self.tr("Draft"), self.tr("Time"), self.tr("Price")]
        self.table = text_table(self.tr("Messages"), heads, 0)
        self.table.currentCellChanged.connect(self._show)
        self.text = named(LongPlainText(), self.tr("Draft and your own answer"))
        self.text.setTabChangesFocus(True)
        self.stop = button(self.tr("Stop"), "", self._stop)
        hint = self.tr("Each message is sent to the model as it would be for a draft. Nothing is sent to anyone else or changed.")
        put(
            column(self, Space.LARGE, Space.MEDIUM),
            label(hint, Type.BODY, "soft", wrap=True),
            self.summary,
            (self.table, 3),
            (self.text, 2),
            put(row(), 1, self.stop, button(self.tr("Close"), "", self.close)),
        )
        self.resize(960, 680)
        self._query.ask(TrialMail(MESSAGES), self._chosen, self._failed)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._query.cancel()
        super().closeEvent(event)

    def _chosen(self, answer: TrialMails) -> None:
        self._left = list(answer.ids)
        self._next()

    def _next(self) -> None:
        self._summarize()
        if not self._left or time.monotonic() > self._until_s:
            self._stop()
            return
        self._query.ask(TryModel(self._wanted.model, self._wanted.api_base, self._left.pop(0)), self._heard, self._failed)

    def _heard(self, answer: ModelTried) -> None:
        self.tried.append(answer)
        add_row(self.table, self._cells(answer))
        said = self.table.item(self.table.rowCount() - 1, 2)
        if answer.error and said is not None:
            said.setToolTip(plain_tip(translated(ErrorText.of_stored(answer.error))))
        if self.table.currentRow() < 0:
            self.table.setCurrentCell(0, 0)
        last = self.tried[-FAILURES_IN_A_ROW:]
        if len(last) == FAILURES_IN_A_ROW and all(one.error and not one.unusable for one in last):
            self._left = []
        self._next()

    def _failed(self, error: ExpectedError) -> None:
        self._left = []
        say(self.summary, sentence(error.code, error.text), "danger")
        self.stop.setEnabled(False)

    def _stop(self) -> None:
        self._query.cancel()
        self._left = []
        self.stop.setEnabled(False)
        self._summarize()

    def _summarize(self) -> None:
        """The numbers so far in a sentence."""
        answered = [one for one in self.tried if not one.error]
        unusable = [one for one in self.tried if one.unusable]
        if not self.tried:
            say(self.summary, self.tr("Asking the model…") if self._left else self.tr("There are no messages to try it on."), "")
            return
        if not answered and not unusable:
            say(self.summary, translated(ErrorText.of_stored(self.tried[-1].error)), "danger")
            return
        judged = [*answered, *unusable]
        agree = sum(one.agrees(one.decision) for one in judged)
        local = sum(one.agrees(one.local) for one in judged)
        drafts = [one for one in answered if one.body]
        good = sum(not one.faults for one in drafts)
        words = [
            filled(self.tr("%1 of %2 sorted as you decided, %3 without a model."), agree, len(judged), local),
            filled(self.tr("%1 of %2 drafts without problems."), good, len(drafts)),
        ]
        if unusable:
            text = self.tr("%1 of %2 answers couldn't be used. Such messages are sorted and drafted without the model.")
            words.append(filled(text, len(unusable), len(judged)))
        seconds = sum(one.seconds for one in judged) / len(judged)
        usd = sum(one.usd for one in judged) / len(judged)
        price = self.tr("%1 per 1,000 messages").replace("%1", money_words(usd * 1000)) if usd else self.tr("price unknown")
        words.append(filled(self.tr("%1 per message, %2."), seconds_words(seconds * 1000), price))
        if len(judged) >= ENOUGH and 2 * good < len(drafts) + len(unusable):
            words.append(self.tr("Choose another model, or none. This one rarely helps."))
        elif len(judged) >= ENOUGH and agree < local:
            words.append(self.tr("Use it only for drafts: enter “none” as the model for sorting under Advanced."))
        say(self.summary, " ".join(words), "")

    def _cells(self, one: ModelTried) -> tuple[str, ...]:
        failed = self.tr("unusable") if one.unusable else self.tr("no answer")
        said = failed if one.error else decision_words(one.decision)
        if one.unusable or one.overruled:
            said = f"{said} → {decision_words(one.local)}"
        faults = {
            DraftFault.UNANSWERED: self.tr("misses a question"),
            DraftFault.UNSUPPORTED: self.tr("says something no source supports"),
            DraftFault.LANGUAGE: self.tr("wrong language"),
            DraftFault.LENGTH: self.tr("too long or empty"),
            DraftFault.RECIPIENTS: self.tr("mentions an unknown address"),
            DraftFault.PREAMBLE: self.tr("extra words around the draft"),
        }
        return (
            f"{one.sender}: {one.subject}",
            self.tr("answered") if one.answered else self.tr("didn't answer"),
            said,
            ", ".join(faults[fault] for fault in one.faults) or (self.tr("good") if one.body else ""),
            seconds_words(one.seconds * 1000) if one.seconds else "",
            money_words(one.usd) if one.usd >= 0.005 else "",
        )

    def _show(self, at: int) -> None:
        one = self.tried[at]
        draft = one.body or one.reason or (translated(ErrorText.of_stored(one.error)) if one.error else "")
        mine = one.owner_text or self.tr("You didn't answer.")
        self.text.setPlainText("\n".join((self.tr("The model:"), draft, "", self.tr("You:"), mine)))
