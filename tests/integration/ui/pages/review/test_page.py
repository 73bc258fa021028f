"""The review page by keyboard: what is sent to the engine, what is refused, what is said."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.drafting.review import Action, ReviewKind
from app.domain.ids import OutboxId
from app.domain.mail.letter import LetterKind, StyleKind
from app.domain.mail.message import Address
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import CorrectVerdict, UndoCorrection
from app.domain.protocol.commands import Decide, Undo
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    Initiator,
    MailChanged,
    ReviewDecided,
    ReviewReady,
)
from app.domain.record import replace
from app.ui.i18n.formatting import to_ms, when_long
from app.ui.pages.activity.page import ActivityPage
from app.ui.pages.review.decisions import as_letter
from app.ui.pages.review.page import ReviewPage
from app.ui.session.typed_text import UnsavedEdits
from app.ui.widgets.action_buttons import KeyButton
from app.ui.widgets.labels import ElidedLabel, IconLabel
from app.ui.widgets.menus import choices
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LEE, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.page_setup import nameless
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.activateWindow()
    window.review_page.take_focus()
    window.review_page.deciding.glance_ms = 0
    return window.review_page


def toast(window: MainWindow) -> Toast:
    found = window.findChild(Toast)
    assert found is not None
    return found


def show(page: ReviewPage, store: LivelyStore, name: str) -> None:
    page.open(store.reviews[name])
    page.take_focus()


def only(link: RecordedEngine) -> Decide:
    decisions = [one for one in link.commands if isinstance(one, Decide)]
    assert len(decisions) == 1
    return decisions[0]


def test_approve_as_shown(page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow) -> None:
    show(page, store, "meeting")
    at = page.queue.list.current_row()
    following = page.queue.model.id_at(at + 1)
    press("Ctrl+Return")
    sent = only(link)
    assert sent.action is Action.ACCEPT
    assert sent.review_id == store.reviews["meeting"]
    assert sent.revision == 1
    assert sent.draft == store.desk().review(sent.review_id).proposal.draft
    assert page.queue.row_of(sent.review_id) == -1
    assert page.current_review().id == following  # type: ignore[union-attr]
    assert not toast(window).action.isHidden()
    assert "10" in toast(window).words.text()


def test_a_double_press_decides_once(page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow) -> None:
    show(page, store, "meeting")
    press("Ctrl+Return")
    page.deciding.glance_ms = 3_600_000
    press("Ctrl+Return")
    assert only(link).review_id == store.reviews["meeting"]
    assert "just appeared" in toast(window).words.text()
    page.deciding.glance_ms = 0
    press("Ctrl+Return")
    page.desk.anyway.send.click()  # the one that follows has a red flag
    assert len([one for one in link.commands if isinstance(one, Decide)]) == 2


def test_a_form_is_shown_as_what_is_asked_until_it_is_written(page: ReviewPage, store: LivelyStore) -> None:
    body = "Hello Ana,\n\n> When does it come?\n\n\n> What does it cost?\n\n\nBest regards"
    slots = tuple(Span(at, at, SpanKind.OPEN_SLOT, "Your answer") for at in (body.index("\n\n\n>"), body.index("\n\n\nBest")))
    store.propose("form", "m06", ReviewKind.REPLY, Draft((ANA,), (), (), "Re: Order", body, "template", spans=slots))
    show(page, store, "form")
    card = page.desk.card
    assert card.asked.isVisible()
    assert not card.editor.isVisible()
    assert "2 questions that only you can answer" in card.asked.title.text()
    card.asked.write.click()
    assert card.editor.isVisible()
    assert card.editor.hasFocus()
    show(page, store, "slots")
    assert card.editor.isVisible()
    show(page, store, "form")
    press("E")
    assert card.editor.isVisible()


@pytest.mark.parametrize(
    ("middle", "offered", "key", "answer"),
    [
        ("", ("Thank you!", "Thanks, noted."), "1", "Thank you!"),
        ("> Is the lamp still for sale?\n", ("Yes.", "No, unfortunately not."), "2", "No, unfortunately not."),
    ],
)
def test_one_key_answers_or_thanks(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, middle: str, offered: tuple[str, str], key: str, answer: str
) -> None:
    at = len(f"Hello Ana,\n\n{middle}")
    body = f"Hello Ana,\n\n{middle}\n\nBest regards"
    slot = Span(at, at, SpanKind.OPEN_SLOT, "Your answer")
    store.propose("closed", "m06", ReviewKind.REPLY, Draft((ANA,), (), (), "Re: Lamp", body, "template", spans=(slot,)))
    show(page, store, "closed")
    assert page.desk.card.asked.answers.offered == offered
    press(key, "Ctrl+Return")
    sent = only(link).draft
    assert sent is not None and sent.body == body[:at] + answer + body[at:]


def test_a_red_warning_needs_a_second_and_different_act(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    show(page, store, "flagged")
    bar = page.desk.anyway
    assert page.desk.flags.isVisible() and len(page.desk.flags.words) == 2
    assert "looks like an address you know" in page.desk.flags.words[0]
    assert window.actions_by_id["review.approve"].text() == "Send anyway…"
    first = next(one for one in page.desk.findChildren(KeyButton) if one.accessibleName() == "Send anyway…")
    assert first.property("role") != "primary", "what is suspected is not the filled button"
    for _ in range(3):
        press("Ctrl+Return")
    assert link.commands == [], "the key that approves never confirms"
    draft = page.desk.draft()
    assert draft is not None and draft.to[0].email in bar.words.text() and draft.subject in bar.words.text()
    press("Return")
    assert bar.isHidden() and link.commands == [], "Enter takes the safe way"
    press("Ctrl+Return", "Tab", "Return")
    assert only(link).review_id == store.reviews["flagged"]


def test_the_third_in_a_row_waits_until_something_without_a_warning_leaves(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.pages.review.ask_bar.SLOW_MS", 50)
    bar = page.desk.anyway

    def decided() -> int:
        return sum(isinstance(one, Decide) for one in link.commands)

    for sent, enabled in enumerate((True, True, False)):
        show(page, store, "flagged")
        page.deciding.approve()
        assert bar.send.isEnabled() is enabled
        bar.send.click()
        assert decided() == sent + enabled
    qtbot.waitUntil(bar.send.isEnabled)
    show(page, store, "meeting")
    page.deciding.approve()
    show(page, store, "flagged")
    page.deciding.approve()
    assert bar.send.isEnabled()


def test_undo_goes_back_decision_by_decision(page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    show(page, store, "meeting")
    for _ in range(2):
        press("Ctrl+Return")
    page.desk.anyway.send.click()  # the second has a red flag
    decided = [one.review_id for one in link.commands if isinstance(one, Decide)]
    assert len(set(decided)) == 2
    for _ in range(3):
        press("Z")
    assert [one.review_id for one in link.commands if isinstance(one, Undo)] == decided[::-1]


def test_an_open_slot_refuses_approval(qtbot: QtBot, page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    show(page, store, "slots")
    for keys in ("S", "Ctrl+Return"):
        press(keys)
        assert link.commands == []
        assert "your answer" in page.desk.flags.approval_error
        assert page.desk.flags.isVisible()
        page.take_focus()
    press("E")
    editor = page.desk.card.editor
    assert editor.hasFocus()
    qtbot.keyClicks(editor, "It is 88.")
    assert page.desk.flags.approval_error == ""
    press("Ctrl+Return")
    sent = only(link)
    assert sent.action is Action.EDIT
    assert "It is 88." in sent.draft.body
    assert sent.draft.complete


@pytest.mark.parametrize(
    ("field", "text", "word"),
    [
        ("to", "", "recipient"),
        ("to", "not an address", "a valid email address"),
        ("cc", "a@b", "a valid email address"),
        ("body", "  \n ", "no text"),
    ],
)
def test_what_is_incomplete_is_refused(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, field: str, text: str, word: str
) -> None:
    show(page, store, "flagged" if field == "to" else "meeting")
    if field == "body":
        page.deciding.set_body(text)
    else:
        getattr(page.desk.card, field).line.setText(text)
    page.desk.card.later.click()
    assert [one for one in page.findChildren(QMenu) if one.isVisible()] == [], "nor can it be put off"
    page.deciding.approve()
    assert link.commands == []
    assert word in page.desk.flags.approval_error
    assert field == "body" or getattr(page.desk.card, field).line.hasFocus()


def test_edits_in_place_are_sent(page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    show(page, store, "meeting")
    card = page.desk.card
    card.to.line.setText("Lee Wong <lee.wong@studio.example>, new@person.example")
    card.subject.setText("Re: Call, moved")
    page.deciding.set_body("Hi Lee,\n\nFriday is better.")
    page.deciding.approve()
    sent = only(link).draft
    assert isinstance(sent, Draft)
    assert [one.email for one in sent.to] == [LEE.email, "new@person.example"]
    assert sent.subject == "Re: Call, moved"
    assert sent.body == "Hi Lee,\n\nFriday is better."
    assert only(link).action is Action.EDIT


def test_without_a_model_changes_are_not_asked_for(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    for name in ("tool", "meeting"):
        show(page, store, name)
        press("R")
        assert page.desk.ask.isHidden()
        assert "Needs a language model" in page.desk.no_model.words.text()
    press("Escape")
    assert page.desk.no_model.isHidden()
    assert window.page("review").isVisible()
    press("R", "Return")
    assert page.desk.card.editor.hasFocus() and page.desk.no_model.isHidden()
    press("Escape", "R", "Tab", "Return")
    assert window.page("settings").isVisible()
    assert link.commands == []
    show(page, store, "notify")
    window.show_page("review")
    page.take_focus()
    assert window.actions_by_id["review.changes"].text() == "Draft a reply"
    press("R")
    assert only(link) == Decide(store.reviews["notify"], 1, Action.RESPOND, None, "")


SENDING = ("Return", "Ctrl+Return", "Alt+Return")
"""They send a line; the last two approve elsewhere."""


@pytest.mark.parametrize("key", SENDING)
@pytest.mark.usefixtures("with_model")
def test_asking_for_changes(qtbot: QtBot, page: ReviewPage, store: LivelyStore, link: RecordedEngine, key: str) -> None:
    show(page, store, "meeting")
    press("R")
    assert page.desk.ask.line.hasFocus()
    approve = next(one for one in page.desk.findChildren(KeyButton) if one.accessibleName().startswith("Approve"))
    assert approve.property("asked"), "the question has the filled button"
    press(key)
    assert link.commands == []
    qtbot.keyClicks(page.desk.ask.line, "shorter")
    press(key)
    assert only(link) == Decide(store.reviews["meeting"], 1, Action.RESPOND, None, "shorter")
    assert page.desk.ask.isHidden()
    assert not approve.property("asked")


@pytest.mark.parametrize("key", SENDING)
def test_rejecting_asks_for_an_optional_reason(page: ReviewPage, store: LivelyStore, link: RecordedEngine, key: str) -> None:
    show(page, store, "meeting")
    press("Delete", "Escape")
    assert page.desk.ask.isHidden()
    assert link.commands == []
    page.take_focus()
    press("Delete")
    press(key)
    assert only(link) == Decide(store.reviews["meeting"], 1, Action.IGNORE, None, "")


def test_a_rejection_says_what_the_assistant_may_learn(page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    """A common reason has a code, and one tick ends drafts for a sender or a domain."""
    show(page, store, "meeting")
    press("Delete")
    sender, domain = page.desk.ask.options
    assert LEE.email in sender.text()
    sender.click()
    domain.click()
    assert not sender.isChecked()
    page.desk.ask.send.click()
    show(page, store, "plain")
    press("Delete")
    next(one for one in page.desk.ask.findChildren(QPushButton) if one.text() == "Wrong tone").click()
    press("Return")
    assert link.commands == [
        Decide(store.reviews["meeting"], 1, Action.IGNORE, None, "", RejectionReason.NEVER_DOMAIN),
        Decide(store.reviews["plain"], 1, Action.IGNORE, None, "Wrong tone", RejectionReason.TONE),
    ]


@pytest.mark.usefixtures("with_model")
@pytest.mark.parametrize("name", ["question", "escalation"])
def test_kinds_without_a_draft(page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow, name: str) -> None:
    show(page, store, name)
    actions = window.actions_by_id
    assert page.desk.draft() is None
    assert not actions["review.edit"].isEnabled()
    assert actions["review.changes"].isEnabled()
    press("Ctrl+Return")
    assert page.desk.detail.answer.hasFocus() or page.desk.ask.line.hasFocus(), "it asks what to say"
    press("Escape")
    page.take_focus()
    press("E")
    assert link.commands == []
    press("Delete")
    assert only(link) == Decide(store.reviews[name], 1, Action.IGNORE, None, "")


def test_what_only_informs_leaves_the_room_to_the_mail_and_is_dismissed(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    window.resize(900, 600)
    show(page, store, "notify")
    QApplication.processEvents()
    assert page.desk.matter.isVisible() and page.desk.matter.words == "The October statement is ready."
    assert page.desk.why.summary == "An automatic notice from a service"
    assert not page.desk.detail.isVisible() and page.desk.original.height() > 240
    shown = [one.accessibleName() for one in page.desk.findChildren(KeyButton) if one.isVisible() and one.isEnabled()]
    assert shown[0] == "Dismiss"
    assert not {"Approve", "Reject", "Edit"} & set(shown)
    press("Ctrl+Return")
    assert only(link) == Decide(store.reviews["notify"], 1, Action.IGNORE, None, "")
    assert not toast(window).action.isHidden()
    show(page, store, "question")
    assert page.desk.detail.isVisible() and not page.desk.matter.isVisible()
    store.propose("told", "m10", ReviewKind.NOTIFY)
    show(page, store, "told")
    review = page.desk.review
    assert review is not None and page.desk.matter.words == review.proposal.reason
    assert page.desk.why.summary == "Why", "the reason stands once"


def test_why_speaks_to_people_and_folds_away_the_technical_details(
    page: ReviewPage, store: LivelyStore, window: MainWindow
) -> None:
    show(page, store, "slots")
    assert "3 sources" in page.desk.why.summary
    press("W")
    assert page.desk.why.unfolded

    def words() -> str:
        shown = (*page.desk.findChildren(QLabel), *page.desk.findChildren(ElidedLabel))
        return " | ".join(getattr(one, "words", "") or one.text() for one in shown if one.isVisible())

    telemetry = ("336 ms", "search_mail", "64", "96 %", "revision", '{"query"')
    assert not [one for one in telemetry if one in words() + page.desk.why.summary]
    next(one for one in page.desk.why.findChildren(QPushButton) if one.text() == "Technical details").click()
    assert all(one in words() for one in ("336 ms", "search_mail", "revision 1"))
    page.desk.why.source_opened.emit(store.mails["m01"].id)
    assert window.name == "all"
    assert window.mail_page.reading.message.id == store.mails["m01"].id  # type: ignore[union-attr]
    next(one for one in page.desk.why.findChildren(QPushButton) if one.text() == "Show every step").click()
    assert window.name == "activity"
    activity = window.page("activity")
    assert isinstance(activity, ActivityPage)
    assert "Wrote a draft" in activity.detail.trace.toPlainText()


@pytest.mark.parametrize(("name", "words"), [("meeting", "Sending"), ("tool", "Adding the meeting")])
def test_the_toast_offers_undo_for_the_time_that_is_left(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow, name: str, words: str
) -> None:
    show(page, store, name)
    page.deciding.approve()
    assert f"{words} in 10 second" in toast(window).words.text()
    link.tell(ReviewDecided(store.reviews[name], "approved", OutboxId(7), to_ms(store.now) + 7000))
    assert f"{words} in 7 second" in toast(window).words.text()
    toast(window).action.click()
    assert link.commands[-1] == Undo(store.reviews[name])
    link.tell(ReviewDecided(store.reviews[name], "pending", OutboxId(0), 0))
    assert page.current_review().id == store.reviews[name]  # type: ignore[union-attr]
    assert toast(window).words.text() == "Back in Review."
    page.take_focus()
    press("Z")
    assert "Nothing to undo" in toast(window).words.text()


def test_offline_the_promise_is_another(page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow) -> None:
    show(page, store, "meeting")
    link.tell(ConnectionChanged(store.account_id, ConnectionState.LOGIN_NEEDED, 0, ""))
    assert "sign in" in page.desk.flags.accessibleName()
    key = page.desk.flags.findChildren(IconLabel)[-1].grab().toImage()
    link.tell(ConnectionChanged(store.account_id, ConnectionState.OFFLINE, 0, ""))
    show(page, store, "notify")
    assert "offline" not in page.desk.flags.accessibleName(), "nothing goes out"
    show(page, store, "meeting")
    assert "when you're back" in page.desk.flags.accessibleName()
    assert page.desk.flags.findChildren(IconLabel)[-1].grab().toImage() != key, "each trouble has its icon"
    page.deciding.approve()
    assert "when you're back" in toast(window).words.text()
    link.tell(ConnectionChanged(store.account_id, ConnectionState.ONLINE, 0, ""))
    show(page, store, "plain")
    assert "online" not in page.desk.flags.accessibleName()
    page.deciding.approve()
    assert "10 second" in toast(window).words.text()


def test_a_refused_decision_brings_the_item_back(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    show(page, store, "meeting")
    page.deciding.approve()
    assert page.queue.row_of(store.reviews["meeting"]) == -1
    link.tell(CommandFailed("Decide", "stale_decision"))
    assert page.queue.row_of(store.reviews["meeting"]) >= 0
    assert "changed in the meantime" in toast(window).words.text()


def test_edits_survive_moving_about_and_a_restart(page: ReviewPage, store: LivelyStore, window: MainWindow) -> None:
    show(page, store, "meeting")
    page.deciding.set_body("My own words 😀")
    show(page, store, "plain")
    show(page, store, "meeting")
    assert page.desk.draft().body == "My own words 😀"  # type: ignore[union-attr]
    kept = UnsavedEdits(page.context.state).draft(store.reviews["meeting"], 1)
    assert kept.body == "My own words 😀"
    assert UnsavedEdits(page.context.state).draft(store.reviews["meeting"], 2) is None
    page.context.state.setValue(f"drafts/{store.reviews['meeting']}", "{broken")
    assert UnsavedEdits(page.context.state).draft(store.reviews["meeting"], 1) is None


def test_new_items_appear_without_moving_the_desk(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, link: RecordedEngine
) -> None:
    show(page, store, "meeting")
    page.desk.card.editor.setPlainText("half a thought")
    before = page.queue.count
    store.put(Mail("n1", "n1", LEE, "One more", "Hello?", 1))
    store.propose("more", "m12", ReviewKind.NOTIFY, detail="One more.")
    link.tell(ReviewReady(store.reviews["more"], "notify"))
    link.tell(MailChanged(store.account_id, (), Initiator.SYNC))
    qtbot.waitUntil(lambda: page.queue.count == before + 1)
    assert page.current_review().id == store.reviews["meeting"]  # type: ignore[union-attr]
    assert page.desk.draft().body == "half a thought"  # type: ignore[union-attr]


def test_compare_shows_what_changed(page: ReviewPage, store: LivelyStore) -> None:
    show(page, store, "meeting")
    page.deciding.set_body("Hi Lee,\n\nFriday at 10:00 works for me.")
    page.take_focus()
    press("D")
    shown = page.desk.compare.toHtml()
    assert page.desk.compare.isVisible()
    assert "line-through" in shown
    assert "underline" in shown
    press("D")
    assert page.desk.card.isVisible()


def test_the_decided_ones_are_read_only(page: ReviewPage, store: LivelyStore, window: MainWindow) -> None:
    page.queue._switch_list()
    assert page.queue.count == 4
    assert page.current_review() is not None
    assert page.desk.card.editor.isReadOnly()
    assert not any(window.actions_by_id[name].isEnabled() for name in ("review.approve", "review.reject", "review.changes"))
    page.queue._switch_list()
    assert page.queue.count == 8
    show(page, store, "meeting")
    assert not page.desk.card.editor.isReadOnly()


def test_an_empty_queue_says_so_and_points_on(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    for _ in range(8):
        page.deciding.reject("none") if Action.IGNORE in page.current_review().allowed else None  # type: ignore[union-attr]
    assert page.queue.count == 0
    assert page.state.isVisible()
    assert page.current_review() is None
    assert "All clear" in page.state.accessibleName()
    window.actions_by_id["review.approve"].trigger()
    page.deciding.approve()
    assert len([one for one in link.commands if isinstance(one, Decide)]) == 8


def test_a_narrow_window_shows_the_desk_and_a_way_back(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, window: MainWindow
) -> None:
    page.open(store.reviews["meeting"])
    (back,) = [one for one in page.desk.findChildren(QToolButton) if one.accessibleName() == "Back to the queue"]
    assert not back.isVisible()
    window.resize(560, 700)
    page.open(store.reviews["meeting"])
    assert page.desk.isVisible() and back.isVisible()
    assert not page.queue.isVisible()
    back.click()
    assert page.queue.isVisible()
    assert not page.desk.isVisible()


@pytest.mark.parametrize("keys", ["S", "Ctrl+Return", "Ctrl+Shift+Return"])
def test_a_narrow_window_shows_why_a_draft_may_not_go(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, window: MainWindow, keys: str
) -> None:
    """From its list the keyboard went into a draft that could not be seen, and nothing said so."""
    window.resize(560, 700)
    show(page, store, "slots")
    assert page.go_back()
    assert not page.desk.isVisible()
    press(keys)
    assert page.desk.card.editor.hasFocus()
    assert page.desk.card.editor.isVisible()
    assert page.desk.flags.approval_error
    assert page.desk.flags.isVisible()


def times(page: ReviewPage) -> QMenu:
    (menu,) = [one for one in page.findChildren(QMenu) if one.isVisible()]
    return menu


def test_send_later_by_keyboard_with_the_times_of_a_composed_mail(
    page: ReviewPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    show(page, store, "meeting")
    review, bar = page.current_review(), page.desk.later
    assert review is not None
    page.desk.card.later.click()
    menu = times(page)
    menu.actions()[-1].trigger()
    menu.close()
    assert bar.isVisible() and page.go_back() and bar.isHidden(), "any time can be chosen, and Escape leaves it"
    menu.deleteLater()
    page.take_focus()
    press("Ctrl+Shift+Return")
    menu = times(page)
    at = [time for _, time in choices(page.context.clock())]
    (first, *_others) = [one for one in menu.actions() if "\t" in one.text()]
    first.trigger()
    menu.close()
    decided = only(link)
    assert (decided.review_id, decided.action, decided.send_at_ms) == (review.id, Action.ACCEPT, to_ms(at[0]))
    assert toast(window).words.text().startswith(f"Approved. Sending at {when_long(at[0])}")
    page.hear(ReviewDecided(review.id, "approved", OutboxId(7), to_ms(at[0])))
    assert toast(window).words.text().startswith("Approved. Sending at")
    press("Z")
    assert link.commands[-1] == Undo(review.id)


def test_the_message_of_an_item_can_be_corrected(page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    press("T")
    menu = next(one for one in page.findChildren(QMenu) if one.isVisible())
    press("I", on=menu)
    change = link.commands[-1]
    assert isinstance(change, CorrectVerdict)
    review = page.current_review()
    assert review is not None and change.message_id == review.proposal.message_id
    assert change.verdict is OwnerVerdict.FOR_INFORMATION
    page.take_focus()
    press("Z")
    assert link.commands[-1] == UndoCorrection(change.key)


def test_the_draft_goes_on_as_a_letter(page: ReviewPage, window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    page.open(store.reviews["question"])
    assert not window.actions_by_id["review.write"].isEnabled()
    page.open(store.reviews["meeting"])
    page.deciding.set_body("Tuesday suits me.")
    draft, review = page.desk.draft(), page.current_review()
    assert draft is not None and review is not None
    assert not nameless(page)
    page.take_focus()
    press("Ctrl+E")
    assert window.name == "compose"
    letter = window.compose_page.card.letter()
    assert (letter.to, letter.subject, letter.body) == (draft.to, draft.subject, "Tuesday suits me.")
    assert (letter.about, letter.account_id, letter.quoted) == (review.proposal.message_id, review.proposal.account_id, True)
    assert not [one for one in link.commands if isinstance(one, Decide)]
    window.compose_page.go_back()
    assert window.name == "review"
    assert page.current_review() == review


def test_open_places_of_a_draft_are_open_in_the_letter(page: ReviewPage, window: MainWindow, store: LivelyStore) -> None:
    found = [page.context.reader.review(one) for one in store.reviews.values()]
    review = next(one for one in found if one is not None and one.proposal.draft is not None and one.proposal.draft.open_slots)
    draft = review.proposal.draft
    assert draft is not None
    letter = as_letter(review.proposal, draft)
    assert tuple(one.value for one in letter.styles if one.kind is StyleKind.SLOT) == draft.open_slots
    assert letter.kind is (LetterKind.REPLY_ALL if draft.cc else LetterKind.REPLY)
    assert as_letter(review.proposal, replace(draft, cc=(Address("a@b.example"),))).kind is LetterKind.REPLY_ALL
    page.context.navigator.show_letter(letter)
    assert window.compose_page.card.editor.words() == (letter.body, letter.styles)
