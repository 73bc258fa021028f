"""The palette: what is typed picks commands, pages, people and mail; everything by keyboard."""

import asyncio
from functools import partial
from typing import NoReturn

import pytest
from PySide6.QtTest import QSignalSpy, QTest

from app.domain.errors import StoreDamaged
from app.domain.protocol.commands import ChangeSettings, SearchMail, ThreadIds
from app.domain.protocol.queries import FindMail, FoundMail, FoundMails
from app.domain.record import replace
from app.store.accounts import Accounts
from app.ui.lists.picking import Item, picked, rank
from app.ui.navigation.places import INBOX_OF, label_places, nothing_there
from app.ui.pages.memory.backtest import BacktestDialog
from app.ui.pages.settings.page import SettingsPage
from app.ui.palette import Palette, command_items, open_palette, person_items, recent, remember, view_items
from app.ui.window.main_window import RESTART, MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.page_setup import until
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def palette(window: MainWindow) -> Palette:
    window.show_page("inbox")
    window.actions_by_id["window.palette"].trigger()
    found = window.findChild(Palette)
    assert found is not None
    return found


def test_words_pick_lines_in_a_sensible_order() -> None:
    items = [Item(title, "", "mail", lambda: None) for title in ("Go to Inbox", "Inbox", "Reply", "Čekání")]
    assert [one.title for one in picked(items, "inb")] == ["Inbox", "Go to Inbox"]
    assert [one.title for one in picked(items, "to inb")] == ["Go to Inbox"]
    assert [one.title for one in picked(items, "ceka")] == ["Čekání"]
    assert picked(items, "zebra") == []
    assert rank(Item("A", "page", "mail", lambda: None, also="mail@x.org"), ["mail"]) == 2


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("signature", "Signature, vacation responder, out of office · Sending"),
        ("out of office", "Signature, vacation responder, out of office · Sending"),
        ("vacation", "Signature, vacation responder, out of office · Sending"),
        ("undo send delay", "Undo send · Sending"),
        ("make the text bigger", "Text size · Appearance and keyboard"),
        ("sound when mail arrives", "On the desktop · Notifications"),
        ("dark mode", "Theme · Appearance and keyboard"),
    ],
)
def test_everyday_words_find_a_setting_here_and_in_the_settings(
    window: MainWindow, palette: Palette, typed: str, found: str
) -> None:
    palette.line.setText(typed)
    assert palette.titles()[0] == found
    palette.close()
    window.show_page("settings")
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    page.search.line.setText(typed)
    assert page.search.hits.item(0).text() == found


def test_a_setting_changed_by_keys_says_so_and_can_be_undone(window: MainWindow, palette: Palette, link: RecordedEngine) -> None:
    palette.line.setText("theme: dark")
    palette.take()
    (toast,) = window.findChildren(Toast)
    assert toast.words.text() == "Theme: Dark"
    toast.action.click()
    assert link.commands[-2:] == [
        ChangeSettings((("appearance.theme", '"dark"'),)),
        ChangeSettings((("appearance.theme", '"system"'),)),
    ]


def test_a_text_size_chosen_by_keys_offers_the_restart_and_is_undone(
    window: MainWindow, palette: Palette, link: RecordedEngine
) -> None:
    palette.line.setText("text size: 125")
    palette.take()
    (toast,) = window.findChildren(Toast)
    assert toast.words.text() == "Text size: 125% after a restart. Ctrl+Z undoes it."
    assert toast.action.text() == "Restart now"
    window.actions_by_id["window.undo"].trigger()
    assert link.commands[-1] == ChangeSettings((("appearance.text_percent", "100"),))
    quitting = QSignalSpy(window.quitting)
    palette_again = open_palette(window.context, "inbox", window, lambda _one: None)
    palette_again.line.setText("language: cestina")
    palette_again.take()
    toast.action.click()
    assert (quitting.count(), window.exit_code) == (1, RESTART)


def test_a_command_is_done_by_keys(window: MainWindow, palette: Palette) -> None:
    QTest.keyClicks(palette.line, "go to act")
    assert palette.titles()[0] == "Go to Activity"
    press("Return", on=palette.line)
    assert window.name == "activity"


def test_commands_of_other_pages_are_not_offered(window: MainWindow, palette: Palette) -> None:
    titles = {one.title for one in command_items(window.context, frozenset())}
    assert not titles
    assert "Archive" in palette.titles()
    assert "Bold" not in palette.titles()
    palette.close()
    review = open_palette(window.context, "review", window, lambda _one: None)
    assert "Archive" not in review.titles()
    review.close()


def test_a_command_of_another_page_goes_there(window: MainWindow, palette: Palette) -> None:
    QTest.keyClicks(palette.line, "test on past")
    assert palette.titles()[0] == "Test on past email"
    press("Return", on=palette.line)
    assert window.name == "memory"
    made = window.findChild(BacktestDialog)
    assert made is not None and made.isVisible()
    made.close()


def test_a_person_is_written_to(window: MainWindow, palette: Palette) -> None:
    QTest.keyClicks(palette.line, "lee")
    row = next(row for row, title in enumerate(palette.titles()) if "lee.wong" in title)
    for _ in range(row):
        press("Down", on=palette.line)
    press("Return", on=palette.line)
    assert window.name == "compose"
    assert [one.email for one in window.compose_page.card.to.addresses] == ["lee.wong@studio.example"]


def test_a_mailbox_that_cannot_be_read_takes_only_its_own_lines(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> NoReturn:
        raise StoreDamaged("SQLite reports SQLITE_CORRUPT.")

    monkeypatch.setattr(window.context.reader, "accounts", damaged)
    monkeypatch.setattr(window.context.reader, "people", damaged)
    palette = open_palette(window.context, "compose", window, lambda _one: None)
    QTest.keyClicks(palette.line, "go to")
    assert "Go to Activity" in palette.titles()
    palette.close()


async def test_mail_is_found_behind_the_commands(window: MainWindow, link: RecordedEngine, store: LivelyStore) -> None:
    mail = store.mails["m03"]
    palette = open_palette(window.context, "inbox", window, lambda _one: None)
    palette.line.setText("order")
    await until(lambda: FindMail("order", 6) in link.queries)
    link.answer(FoundMails((FoundMail(mail.thread_id, mail.id, ()),), more=False))
    await until(lambda: any("Delivery of order 4411" in title for title in palette.titles()))
    assert palette.titles()[-2:] == ["Search all mail for “order”", "Ask the assistant: “order”"]
    palette.close()
    await asyncio.sleep(0)


async def test_a_late_answer_is_not_shown_under_other_words(window: MainWindow, link: RecordedEngine, store: LivelyStore) -> None:
    palette = open_palette(window.context, "inbox", window, lambda _one: None)
    palette.line.setText("order")
    await until(lambda: FindMail("order", 6) in link.queries)
    palette.line.setText("x")
    await until(lambda: FindMail("order", 6) in link.withdrawn)
    palette.line.setText("or")
    palette.close()
    await asyncio.sleep(0.25)
    assert link.queries == [FindMail("order", 6)]


async def test_each_of_several_accounts_has_its_inbox(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    own = window.accounts()[0].email
    assert not [place for place in label_places(window.context.reader) if place.name]
    Accounts(store.db).add("club@b.example", "Club", ("club@b.example",), "", "#3b6fd4")
    places = label_places(window.context.reader)
    assert [place.title for place in places] == ["", *sorted((own, "club@b.example"))]
    club = next(place for place in places if place.title == "club@b.example")
    window.show_page(club.name)
    await until(lambda: SearchMail("label:inbox account:club@b.example") in link.queries)
    link.answer(ThreadIds(()))
    await until(lambda: window.mail_page._state._sentence.text() == nothing_there(club.name, "")[1])
    assert window.mail_page._heading.text() == "club@b.example"
    assert nothing_there(club.name, "x") != nothing_there("label:x", "x")


def test_what_was_done_last_stands_first(window: MainWindow, palette: Palette) -> None:
    QTest.keyClicks(palette.line, "go to act")
    press("Return", on=palette.line)
    state = window.context.state
    again = open_palette(window.context, "activity", window, lambda _one: None)
    assert again.titles()[0] == "Go to Activity"
    assert again.titles().count("Go to Activity") == 1
    again.close()
    for number in range(8):
        remember(state, f"x{number}")
    assert recent(state) == ["x7", "x6", "x5", "x4", "x3"]
    remember(state, "")
    remember(state, "x5")
    assert recent(state) == ["x5", "x7", "x6", "x4", "x3"]


def test_people_and_labels_are_not_remembered(window: MainWindow, palette: Palette) -> None:
    people = person_items(window.context, "a", 9)
    assert people
    assert all(not one.name for one in people)
    assert [one.name for one in view_items(window.context, [("label:secret", "Secret", "label"), ("sent", "Sent", "sent")])] == [
        "",
        "page.sent",
    ]


async def test_a_letter_is_from_the_account_whose_mail_is_on_screen(window: MainWindow, store: LivelyStore) -> None:
    club = replace(store, account_id=Accounts(store.db).add("club@b.example", "Club", ("club@b.example",), "", "#3b6fd4"))
    there = club.put(Mail("other", "other", ANA, "For the club", "Hello", 1))
    compose, own = window.actions_by_id["window.compose"].trigger, window.accounts()[0].email
    unsubscribe = partial(window.context.open_link, "mailto:leave@list.example")
    write = next(one.act for one in person_items(window.context, "ana", 1))
    sender = window.compose_page.card.from_box.currentData
    shown = window.mail_page.reading
    for begin in (compose, unsubscribe, write):
        for mail, account in ((store.mails["m05"], own), (there, "club@b.example")):
            window.show_message(mail.id)
            await until(lambda wanted=mail.id: shown.message is not None and shown.message.id == wanted)
            begin()
            assert sender() == account
        for place, account in ((f"{INBOX_OF}club@b.example", "club@b.example"), ("outbox", own)):
            window.show_page(place)
            begin()
            assert sender() == account


def test_a_key_goes_through_the_inboxes(window: MainWindow, store: LivelyStore) -> None:
    go = window.actions_by_id["window.next_inbox"].trigger
    go()
    toast = window.findChild(Toast)
    assert window.name == "inbox" and toast is not None and toast.isHidden()
    go()
    assert window.name == "inbox", "one account has one inbox"
    assert toast.words.text().startswith("You have one inbox.")
    Accounts(store.db).add("club@b.example", "Club", ("club@b.example",), "", "#3b6fd4")
    seen = []
    for _ in range(4):
        go()
        seen.append(window.name)
    own = window.accounts()[0].email
    inboxes = [f"{INBOX_OF}{email}" for email in sorted((own, "club@b.example"))]
    assert seen == [*inboxes, "inbox", inboxes[0]]
