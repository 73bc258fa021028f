"""The Assistant page: where requests are typed, their list and the open request.

The list has the requests of the store and those that were sent but are not stored yet. After a restart come back the text being
typed, pending requests, edited plans and the scroll position of the open request.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from uuid import uuid4

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.agents.requests import LONGEST_REQUEST, MOST_STEPS, Capability, PlannedStep, Request
from app.domain.errors import ExpectedError
from app.domain.ids import RequestId
from app.domain.mail.message import GMAIL
from app.domain.protocol.assistant_commands import AskAssistant, RequestChanged
from app.domain.protocol.events import CommandFailed, MailChanged, OutboxChanged, ReviewDecided, ReviewReady, SettingsChanged
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.lists.model import RowNumbers
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.assistant.ask_bar import AskBar
from app.ui.pages.assistant.assistant_texts import examples, request_look
from app.ui.pages.assistant.detail import RequestDetail
from app.ui.pages.base import RowsPage
from app.ui.session.session_store import PageState
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import Flowing, Scrolled
from app.ui.widgets.factory import column, put, row
from app.ui.widgets.labels import ElidedLink
from app.ui.widgets.split_view import EmptyState, Stack


class ExampleRequests(QWidget):
    """Explanation and example requests, shown while there are no requests. `chosen(text)` is called for an example."""

    def __init__(self, icons: Icons, chosen: Callable[[str], object]) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.state = EmptyState(icons)
        self.examples: dict[bool, list[ElidedLink]] = {}
        inside = Flowing()
        column(self, 0, 0).addWidget(Scrolled(inside))
        layout = put(column(inside, Space.LARGE), 2, self.state)
        for model in (True, False):
            self.examples[model] = [ElidedLink(words) for words in examples(model)]
            for link, words in zip(self.examples[model], examples(model), strict=True):
                link.clicked.connect(partial(chosen, words))
                layout.addLayout(put(row(None, 0, 0), 1, link, 1))
        layout.addStretch(3)

    def show_for(self, account: bool, model: bool, connect: Callable[[], object]) -> None:
        """Shows what is possible.

        Without an account it offers to connect one. Without a language model the examples only search.
        """
        for needed, links in self.examples.items():
            for link in links:
                link.setVisible(account and needed is model)
        if account:
            words = self.tr("Finds and summarizes mail, creates documents and drafts emails. You see the plan first.")
            self.state.show_state("assistant", self.tr("No requests yet"), words)
        else:
            words = self.tr("The assistant works with your mail. Connect an account first.")
            self.state.show_state("sign_in", self.tr("No account yet"), words, self.tr("Connect an account"), connect)


SHOWN = 5000
PLAN = "plan:"


class AssistantPage(RowsPage[Request]):
    """The newest 5000 requests, with the open one on the right."""

    def __init__(self, context: Context) -> None:
        self._numbers = RowNumbers()
        super().__init__(context, "assistant", self.tr("Assistant"), self.tr("Requests"), self._numbers)
        self.session = context.requests
        self.asked, self.wishes = self.session.asked, self.session.wishes
        self.open_id: RequestId | None = None
        self.bar = AskBar(context, self.title, self._ask)
        self.detail = RequestDetail(context)
        self.detail.back.connect(self.go_back)
        self.detail.changed.connect(self.touch_now)
        self.detail.stand_in(self)
        self.beginning = ExampleRequests(context.icons, self.bar.put)
        self._stack = Stack(self.list, self.beginning)
        put(column(self, 0, 0), self.bar, (self._split(self._stack, self.detail), 1))
        self.panes.folded.connect(self.detail.back_button.setVisible)
        connect_actions(self, context, {"assistant.ask": self.take_focus, **self.detail.handlers})
        self.bar.edited.connect(self.moved)
        self.detail.edited.connect(self.moved)

    def ask(self, words: str) -> None:
        """Sends a request that was typed elsewhere.

        If it is too long or there is no account, its text goes into the field instead.
        """
        text = words.strip()
        if text and len(text) <= LONGEST_REQUEST and self.bar.account:
            self._ask(AskAssistant(RequestId(str(uuid4())), self.bar.account, text))
        elif text:
            self.bar.put(text)

    def refresh(self) -> None:
        reader = self.context.reader
        accounts = [account for account in reader.accounts() if account.kind == GMAIL]
        self.bar.show_accounts(accounts)
        if self.asked.settle(reader.requests_of(self.asked.ids)):
            self.moved.emit()
        ids = [*self.asked.ids, *(one for one in reader.request_ids(SHOWN) if not self.wishes.forgotten(one))]
        before = max(self.list.current_row(), 0)
        self._set_ids(self._numbers.take(ids))
        self._stack.setCurrentIndex(0 if ids else 1)
        self.panes.show_alone(not ids)
        if not ids:
            model = bool(self.context.settings().model.name)
            self.beginning.show_for(bool(accounts), model, partial(self.context.navigator.show_page, "welcome"))
            self.open_id = None
            self.detail.open(None)
            return
        row = self.model.row_of(self._numbers.number(self.open_id)) if self.open_id is not None else -1
        row = row if row >= 0 else min(before, len(ids) - 1)
        self.list.select_row(row, quiet=True)
        self.open_number(self.model.id_at(row))

    def concerned_by(self, event: Event) -> bool:
        """Events about requests, and about the reviews and mail that their steps wait for."""
        concerns = (RequestChanged, ReviewReady, ReviewDecided, OutboxChanged, MailChanged, SettingsChanged, CommandFailed)
        return isinstance(event, concerns)

    def says(self, event: Event) -> bool:
        """Whether the page shows this failed command beside its request."""
        return self.detail.says(event)

    def hear(self, event: Event) -> None:
        """Takes progress and failed commands, also while hidden."""
        self.detail.hear(event)
        self.bar.hear(event)
        super().hear(event)

    def forget_words(self) -> None:
        """Clears the typed text and edited plans, because an account is being removed."""
        super().forget_words()
        self.bar.field.clear()
        self.detail.plans.clear()

    def take_focus(self) -> None:
        self.bar.field.setFocus()

    def go_back(self) -> bool:
        """From the request or the field to the list."""
        if self.panes.go_back(self.list):
            return True
        leaves = self.bar.field.hasFocus() and self.list.isVisibleTo(self)
        if leaves:
            self.list.setFocus()
        return leaves

    def open_number(self, number: int) -> None:
        """Shows the request with this row number."""
        request, held = self._read((number,)).get(number), self.window().focusWidget()
        self.open_id = request.id if request is not None else None
        self.bar.offer_follow_up(request)
        self.detail.back_button.setVisible(self.panes.narrow)
        self.detail.open(request)
        if held is not None and self.detail.isAncestorOf(held) and not (held.isVisibleTo(self) and held.isEnabled()):
            # Qt would choose some other widget when the focused one disappears
            (self.list if self.list.isVisibleTo(self) else self.bar.field).setFocus()

    def save_state(self) -> PageState:
        """Adds the typed text, the requests without an answer and the edited plans."""
        plans: PageState = {
            f"{PLAN}{key}": json.dumps([[step.capability, step.instruction] for step in plan])
            for key, plan in self.detail.plans.items()
        }
        return {**super().save_state(), **self.bar.save_state(), **self.asked.save_state(), **plans}

    def restore_state(self, state: PageState) -> None:
        """Restores text and plans, and sends the requests again."""
        super().restore_state(state)
        self.bar.restore_state(state)
        asks = self.asked.restore_state(state)
        self.bar.sent.update(ask.request_id for ask in asks)
        there: Mapping[RequestId, Request] = {}
        with suppress(ExpectedError):
            there = self.context.reader.requests_of([ask.request_id for ask in asks])
        for ask in asks:
            if ask.request_id not in there:  # it may not have reached the engine before a crash
                self.context.link.send(ask)
        for key, value in state.items():
            if key.startswith(PLAN) and (plan := _plan(value)):
                self.detail.plans[RequestId(key.removeprefix(PLAN))] = plan

    def _ask(self, ask: AskAssistant) -> None:
        if not self.bar.offer.took(ask):
            self.session.send(ask, self.context.clock())
            self.open_id = ask.request_id
            self._back_to = {}
            self.touch_now()
            self.panes.show_detail()
            self.moved.emit()

    def _read(self, numbers: Sequence[int]) -> Mapping[int, Request]:
        ids = {RequestId(name): number for name, number in self._numbers.names(numbers).items()}
        found = {**self.asked.requests(list(ids)), **self.context.reader.requests_of(list(ids))}
        return {ids[key]: request for key, request in found.items()}

    def _row(self, request: Request) -> RowPresentation:
        return request_look(request, self.context.clock(), request.id in self.asked.ids)

    def _choose(self, number: int) -> None:
        """Opens a request at its current step."""
        if self._guard(partial(self.open_number, number)):
            self.detail.show_current()

    def _open(self, number: int) -> None:
        self._guard(partial(self.open_number, number))
        self.panes.show_detail()
        self.detail.take_focus()


def _plan(value: str | int) -> tuple[PlannedStep, ...]:
    """Reads a stored plan; empty if it cannot be read."""
    try:
        found = json.loads(str(value))
        return tuple(PlannedStep(Capability(kind), str(words)) for kind, words in found)[:MOST_STEPS]
    except (ValueError, TypeError, RecursionError):
        return ()
