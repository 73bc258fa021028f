"""Writing in the real window over a real store: kept as typed, sent with an undo, nothing lost on the way."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QSettings, Qt, QUrl
from PySide6.QtGui import QColor, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton

from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId, LetterId, OutboxId
from app.domain.mail.letter import Letter, LetterKind, RemoteDraftChange, Style, StyleKind
from app.domain.mail.message import Account, Address
from app.domain.protocol.commands import CancelSend
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState
from app.domain.protocol.letter_commands import (
    AdoptDraft,
    AttachFile,
    DiscardLetter,
    LetterChanged,
    RemoveFile,
    RestoreLetter,
    SaveLetter,
    SendLetter,
    SettleDraft,
    UseTemplate,
)
from app.domain.record import replace
from app.store.letters.gmail_drafts import LetterDrafts
from app.store.letters.letters import Letters, NewFile, Templates
from app.ui.pages.compose.drafts import DraftsPage, draft_look
from app.ui.pages.compose.editor import fill, words_of
from app.ui.pages.compose.new_letter import forgotten_words, new_letter
from app.ui.pages.compose.page import ComposePage
from app.ui.session.typed_text import KeptLetters
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, OWNER, TOM, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.page_setup import cut, nameless
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def account(window: MainWindow) -> Account:
    return window.accounts()[0]


@pytest.fixture
def page(window: MainWindow) -> ComposePage:
    return window.compose_page


@pytest.fixture
def letters(store: LivelyStore) -> Letters:
    return Letters(store.db, store.clock)


def sent(link: RecordedEngine, kind: type) -> list:  # type: ignore[type-arg]
    return [one for one in link.commands if isinstance(one, kind)]


def do(window: MainWindow, action: str) -> None:
    window.actions_by_id[action].trigger()


def test_a_reply_is_typed_kept_and_sent(window: MainWindow, page: ComposePage, store: LivelyStore, link: RecordedEngine) -> None:
    window.show_message(store.mails["m03"].id)
    do(window, "mail.reply")
    do(window, "compose.full")
    assert window.name == "compose"
    assert page.card.to.addresses == (ANA,)
    assert page.card.subject.text() == "Re: Delivery of order 4411"
    assert page.card.editor.hasFocus()
    QTest.keyClicks(page.card.editor, "On Friday.")
    page.keeping.flush()
    (saved,) = sent(link, SaveLetter)
    assert (saved.letter.body, saved.letter.kind, saved.revision) == ("On Friday.", LetterKind.REPLY, 1)
    press("Ctrl+Return", on=page.card.editor)
    (command,) = sent(link, SendLetter)
    assert command.letter.about == store.mails["m03"].id
    until_ms = int(store.now.timestamp() * 1000) + 10_000
    link.tell(LetterChanged(saved.letter.id, 2, "leaving", OutboxId(9), until_ms))
    assert window.name == "all"
    assert page.letter_id is None


def test_what_is_typed_after_a_refused_send_is_newer_than_that(page: ComposePage, link: RecordedEngine, account: Account) -> None:
    """The engine kept the refused words under their revision: the same number again would change nothing there."""
    page.open(new_letter(account.id, (ANA,), "Plan", "On Friday."))
    page.send()
    (refused,) = sent(link, SendLetter)
    link.tell(
        CommandFailed("SendLetter", "refused", ErrorText.of("offer.pdf is still being fetched from Gmail.", "Wait for it."))
    )
    QTest.keyClicks(page.card.editor, "Or on Monday. ")
    page.close_letter()
    last = sent(link, SaveLetter)[-1]
    assert "Or on Monday." in last.letter.body
    assert last.revision > refused.revision


@pytest.mark.parametrize("copies", [False, True])
def test_tab_goes_from_the_recipients_to_the_text_and_to_send(window: MainWindow, page: ComposePage, copies: bool) -> None:
    do(window, "window.compose")
    card, passed = page.card, list[str]()
    if copies:
        card.copies.more.click()
    card.to.line.setFocus()
    for _ in range(6 if copies else 4):
        held = QApplication.focusWidget()
        passed.append(held.accessibleName())
        press("Tab", on=held)
    assert passed == ["To", *(["Cc", "Bcc"] if copies else []), "Subject", "Text", "Send"]
    assert all(one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in (card.copies.more, card.styles.findChild(QAbstractButton)))


def test_undo_of_a_send_brings_the_letter_back(
    window: MainWindow, page: ComposePage, link: RecordedEngine, account: Account
) -> None:
    letter = new_letter(account.id, (ANA,), "Plan", "Hello")
    page.open(letter)
    page.send()
    until_ms = int(window.context.clock().timestamp() * 1000) + 10_000
    link.tell(LetterChanged(letter.id, 2, "leaving", OutboxId(9), until_ms))
    toast = window.context.notices.toast  # type: ignore[attr-defined]
    toast.action.click()
    assert sent(link, CancelSend) == [CancelSend(OutboxId(9))]
    link.tell(LetterChanged(letter.id, 3, "open"))
    assert page.letter_id == letter.id
    assert page.card.editor.toPlainText() == "Hello"


def test_what_is_typed_survives_a_killed_window(page: ComposePage, link: RecordedEngine, account: Account, data: object) -> None:
    letter = new_letter(account.id, (ANA,), "Plan")
    page.open(letter)
    QTest.keyClicks(page.card.editor, "Half a sen")
    page.keeping.flush()
    again = KeptLetters(QSettings(str(data.window_state), QSettings.Format.IniFormat))  # type: ignore[attr-defined]
    ((revision, found),) = again.all()
    assert (found.body, revision) == ("Half a sen", 1)
    other = RecordedEngine()
    again.resend(other)
    assert [one.letter.body for one in sent(other, SaveLetter)] == ["Half a sen"]
    link.tell(LetterChanged(letter.id, 1, "open"))
    assert not KeptLetters(QSettings(str(data.window_state), QSettings.Format.IniFormat)).all()  # type: ignore[attr-defined]


def test_offline_the_letter_says_that_it_waits(
    window: MainWindow, page: ComposePage, store: LivelyStore, link: RecordedEngine, account: Account
) -> None:
    letter = new_letter(account.id, (TOM,), "Frame", "It is ready.")
    page.open(letter)
    note = page.form.waits
    assert note.isHidden()
    link.tell(ConnectionChanged(account.id, ConnectionState.OFFLINE, 0, ""))
    assert not note.isHidden()
    assert "when you're back" in note.words
    page.send()
    link.tell(LetterChanged(letter.id, 2, "leaving", OutboxId(7), int(store.now.timestamp() * 1000) + 10_000))
    toast = window.context.notices.toast  # type: ignore[attr-defined]
    assert toast.words.text().startswith("You're offline. This is sent")
    link.tell(ConnectionChanged(account.id, ConnectionState.ONLINE, 0, ""))
    assert note.isHidden()


def test_leaving_keeps_and_an_empty_letter_goes(window: MainWindow, page: ComposePage, link: RecordedEngine) -> None:
    do(window, "window.compose")
    assert page.card.to.line.hasFocus()
    press("Escape", on=page.card.editor)
    assert not sent(link, SaveLetter)
    do(window, "window.compose")
    QTest.keyClicks(page.card.subject, "Hm")
    window.show_page("inbox")
    assert [one.letter.subject for one in sent(link, SaveLetter)] == ["Hm"]


@pytest.mark.parametrize("to", [(), (ANA,)])
@pytest.mark.parametrize("subject", ["", "Hm"])
def test_a_letter_with_only_its_head_stays_one_without_goes(
    page: ComposePage, link: RecordedEngine, letters: Letters, account: Account, to: tuple[Address, ...], subject: str
) -> None:
    letter = new_letter(account.id, to, subject)
    letters.save(letter, 1)
    page.open(letter)
    assert page.close_letter() is bool(to or subject)
    assert bool(sent(link, DiscardLetter)) is not bool(to or subject)


def test_what_may_be_forgotten_is_asked_once(page: ComposePage, link: RecordedEngine, account: Account) -> None:
    page.open(new_letter(account.id, (ANA,), "Plan", "See the attached file."))
    page.send()
    assert page.ask.isVisibleTo(page)
    assert not sent(link, SendLetter)
    page.ask.first.click()
    assert len(sent(link, SendLetter)) == 1
    page.send()
    assert len(sent(link, SendLetter)) == 1


def test_tab_stays_with_the_letter_after_a_question(window: MainWindow, page: ComposePage, account: Account) -> None:
    """It led to the window's first button, which ends the sample mailbox."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    page.context.navigator.show_letter(new_letter(account.id, (ANA,), "Plan", "See the attached file."))
    page.send()
    assert page.ask.first.hasFocus()
    press("Tab", on=page.ask.first)
    held = QApplication.focusWidget()
    assert isinstance(held, QPushButton) and held.text().startswith("Send")


@pytest.mark.parametrize("asks", ["link", "time", "doubt"])
def test_escape_puts_away_what_asks_before_it_leaves_the_letter(
    window: MainWindow, page: ComposePage, store: LivelyStore, account: Account, asks: str
) -> None:
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    page.context.navigator.show_letter(new_letter(account.id, (ANA,)))
    if asks == "link":
        press("Ctrl+Shift+K", on=page.card.editor)
    elif asks == "time":
        page.later.ask(store.clock())
    else:
        page.ask.ask("Sure?", "Yes", lambda: None)
    asking = window.focusWidget()
    assert asking is not None
    assert asking is not page.card.editor
    press("Escape", on=asking)
    assert (window.name, window.focusWidget(), asking.isVisible()) == ("compose", page.card.editor, False)
    press("Escape", on=page.card.editor)
    assert window.name != "compose"


@pytest.mark.parametrize("to", ["", "ana@"])
def test_without_a_whole_address_nothing_goes(page: ComposePage, link: RecordedEngine, account: Account, to: str) -> None:
    page.open(new_letter(account.id, (), "Plan", "Hello"))
    page.card.to.line.setText(to)
    page.send()
    assert not sent(link, SendLetter)
    assert page.card.to.line.hasFocus()


def test_open_places_are_selected_before_it_goes(page: ComposePage, link: RecordedEngine, account: Account) -> None:
    letter = replace(new_letter(account.id, (ANA,), "Plan", "On ."), styles=(Style(3, 3, StyleKind.SLOT, "day"),))
    page.open(letter)
    page.send()
    assert not sent(link, SendLetter)
    QTest.keyClicks(page.card.editor, "Friday")
    page.send()
    assert sent(link, SendLetter)[0].letter.body == "On Friday."


def test_a_discard_can_be_undone(
    window: MainWindow, page: ComposePage, link: RecordedEngine, letters: Letters, account: Account
) -> None:
    letter = new_letter(account.id, (ANA,), "Plan", "Hello")
    letters.save(letter, 1)
    page.open(letter)
    page.discard()
    assert sent(link, DiscardLetter) == [DiscardLetter(letter.id)]
    window.context.notices.toast.action.click()  # type: ignore[attr-defined]
    assert sent(link, RestoreLetter) == [RestoreLetter(letter.id)]
    assert page.letter_id == letter.id


def test_files_come_by_drop_and_go_by_button(
    page: ComposePage, link: RecordedEngine, letters: Letters, account: Account, tmp_path: Path
) -> None:
    letter = new_letter(account.id, (ANA,), "Plan", "Hello")
    page.open(letter)
    file = tmp_path / "a.txt"
    file.write_text("x")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(file))])
    page.card.editor.insertFromMimeData(dropped)
    assert [type(one) for one in link.commands[-2:]] == [SaveLetter, AttachFile]
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 1, b"x"), NewFile("b", "x/y", 5, None, "g", "1")))
    page.refresh()
    (first, *_) = [one for one in page.card.files.findChildren(QAbstractButton) if not one.isHidden()]
    first.click()
    assert sent(link, RemoveFile) == [RemoveFile(letter.id, letters.get(letter.id).files[0].id)]


def test_a_version_elsewhere_is_asked_about(
    page: ComposePage, link: RecordedEngine, store: LivelyStore, letters: Letters, account: Account
) -> None:
    letter = new_letter(account.id, (ANA,), "Plan", "Hello")
    letters.save(letter, 1)
    page.open(letter)
    LetterDrafts(store.db, store.clock).changed_elsewhere(letter.id, RemoteDraftChange.EDITED)
    page.card.editor.setFocus()
    page.refresh()
    assert page.ask.isVisibleTo(page)
    QTest.keyClicks(page.window().focusWidget(), " I come ")
    assert page.card.editor.toPlainText() == " I come Hello", "a space is no answer"
    assert not sent(link, SettleDraft)
    assert page.ask.isVisibleTo(page)
    page.ask.second.click()
    assert sent(link, SettleDraft) == [SettleDraft(letter.id, theirs=True)]
    letters.save(replace(letter, body="From the phone"), 5)
    link.tell(LetterChanged(letter.id, 5, "open", reload=True))
    assert page.card.editor.toPlainText() == "From the phone"


def test_a_template_is_filled_in(page: ComposePage, link: RecordedEngine, store: LivelyStore, account: Account) -> None:
    made = Templates(store.db, store.clock).save(0, "Offer", "Our offer", "Dear {{first name}},\n\nit costs {{price}}.")
    page.open(new_letter(account.id, (ANA,)))
    page.put_template(made)
    body, styles = page.card.editor.words()
    assert body == "Dear Ana,\n\nit costs ."
    assert [style.value for style in styles] == ["price"]
    assert page.card.subject.text() == "Our offer"
    assert sent(link, UseTemplate) == [UseTemplate(made)]


@pytest.mark.parametrize("key", ["Return", "Ctrl+Return"])
def test_styles_by_key(page: ComposePage, window: MainWindow, account: Account, link: RecordedEngine, key: str) -> None:
    page.open(new_letter(account.id, (ANA,), "Plan", "one two"))
    window.show_page("compose")
    page.card.editor.moveCursor(QTextCursor.MoveOperation.WordRight, QTextCursor.MoveMode.KeepAnchor)
    do(window, "compose.bold")
    do(window, "compose.bullets")
    page.card.editor.selectAll()
    page.card.ask_link()
    QTest.keyClicks(page.card.links.field, "example.org")
    press(key, on=page.card.links.field)
    assert not sent(link, SendLetter), "the key answers the open question"
    kinds = {style.kind: style for style in page.card.editor.words()[1]}
    assert set(kinds) == {StyleKind.BOLD, StyleKind.BULLET, StyleKind.LINK}
    assert kinds[StyleKind.LINK].value == "https://example.org"
    page.card.editor.set_link("")
    page.card.editor.toggle(StyleKind.BULLET)
    assert StyleKind.BULLET not in {style.kind for style in page.card.editor.words()[1]}


def test_every_control_has_a_name_and_nothing_is_cut(
    window: MainWindow, page: ComposePage, account: Account, letters: Letters
) -> None:
    letter = new_letter(account.id, (ANA, TOM), "A long subject that goes on", "Hello")
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 1, b"x"),))
    page.open(letter)
    window.show_page("compose")
    window.resize(700, 700)
    QTest.qWait(50)
    assert not nameless(page)
    assert not cut(page)


def test_the_drafts_page_lists_ours_and_others(
    window: MainWindow, link: RecordedEngine, store: LivelyStore, letters: Letters, account: Account
) -> None:
    foreign = store.put(Mail("d9", "t9", OWNER, "Begun elsewhere", "Half", 5, labels=frozenset({"DRAFT"}), to=(TOM,)))
    letters.save(new_letter(account.id, (ANA,), "Ours", "Hello"), 1)
    window.show_page("drafts")
    drafts = window.page("drafts")
    assert isinstance(drafts, DraftsPage)
    do(window, "window.back")  # nothing is beside the list
    subjects = [drafts.model.record(row).letter.subject if row == 0 else "" for row in range(1)]  # type: ignore[union-attr]
    assert subjects == ["Ours"]
    assert drafts.model.rowCount() == 2
    drafts.list.select_row(1)
    do(window, "drafts.open")
    (adopted,) = sent(link, AdoptDraft)
    assert adopted.message_id == foreign.id
    letters.save(Letter(adopted.letter_id, account.id, LetterKind.NEW, subject="Begun elsewhere"), 1)
    link.tell(LetterChanged(adopted.letter_id, 1, "open", reload=True))
    assert window.compose_page.letter_id == adopted.letter_id
    assert "in Gmail" in draft_look(foreign, store.now).snippet


def test_a_draft_in_the_list_names_its_open_places(store: LivelyStore, letters: Letters, account: Account) -> None:
    body = "We ask  for each."
    places = (Style(7, 7, StyleKind.SLOT, "price"), Style(7, 7, StyleKind.SLOT, "currency"), Style(0, 2, StyleKind.BOLD))
    letter = replace(new_letter(account.id, (ANA,), "Price", body), styles=places)
    letters.save(letter, 1)
    assert draft_look(letters.get(letter.id), store.now).snippet == "We ask [price][currency] for each."
    letters.save(replace(letter, body="word " * 100, styles=()), 2)
    assert draft_look(letters.get(letter.id), store.now).snippet.endswith(" word…")


def test_mailto_begins_a_letter(window: MainWindow, page: ComposePage) -> None:
    window.context.open_link(
        "mailto:ann@example.org,bob%40x.org?subject=Hello%20there&cc=c@x.org&body=a%0D%0Ab+c&attach=/etc/passwd"
    )
    letter = page.card.letter()
    assert letter is not None
    assert [one.email for one in letter.to] == ["ann@example.org", "bob@x.org"]
    assert (letter.subject, letter.body, [one.email for one in letter.cc]) == ("Hello there", "a\nb+c", ["c@x.org"])


@pytest.mark.parametrize(
    ("subject", "body", "files", "word"),
    [
        ("x", "Hello", 0, ""),
        (" ", "Hello", 0, "subject"),
        ("x", " ", 0, "empty"),
        ("x", "V příloze posílám nabídku", 0, "attachment"),
        ("x", "V příloze posílám nabídku", 1, ""),
        ("x", "Přiložený soubor", 0, "attachment"),
        ("x", "Nabídku přikládáme.", 0, "attachment"),
        ("x", "I am attaching it", 0, "attachment"),
        ("x", "Enclosing the plan", 0, "attachment"),
        ("x", "Two attachments", 0, "attachment"),
        ("x", "They came unattached.", 0, ""),
    ],
)
def test_what_was_probably_forgotten(subject: str, body: str, files: int, word: str) -> None:
    said = forgotten_words(Letter(LetterId("a"), AccountId(1), LetterKind.NEW, subject=subject, body=body), files)
    assert word in said
    assert bool(said) is bool(word)


texts = st.text(st.sampled_from("ab \nžé🙂"), max_size=20)


@given(
    texts,
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from(["bold", "italic", "link", "slot"])), max_size=4),
)
def test_words_and_styles_survive_the_document(body: str, spans: list[tuple[int, int, str]]) -> None:
    styles = []
    for start, length, kind in spans:
        start = min(start, len(body))
        end = start if kind == "slot" else min(start + length, len(body))
        styles.append(Style(start, end, StyleKind(kind), "https://x.org" if kind == "link" else "day" if kind == "slot" else ""))
    document = QTextDocument()
    fill(document, body, tuple(styles), QColor("blue"))
    first = words_of(document)
    assert first[0] == body
    again = QTextDocument()
    fill(again, *first, QColor("blue"))
    assert words_of(again) == first
    covered = {at for style in styles if style.kind is StyleKind.BOLD for at in range(style.start, style.end) if body[at] != "\n"}
    found = {at for style in first[1] if style.kind is StyleKind.BOLD for at in range(style.start, style.end)}
    assert covered == found
    assert sum(style.kind is StyleKind.SLOT for style in first[1]) == sum(kind == "slot" for _, _, kind in spans)
