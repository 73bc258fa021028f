"""The first run with real widgets and a real store; the engine's part is played by the test."""

import sys
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.domain.error_texts import ErrorText
from app.domain.errors import Offline
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import CancelSignIn
from app.domain.protocol.commands import (
    ConnectGmail,
    DraftingPreview,
    FindModelServers,
    ModelServer,
    ModelServers,
    PreviewDrafting,
    StartDrafting,
)
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    Initiator,
    MailChanged,
    SettingsChanged,
    SignInOpened,
    SyncPhase,
    SyncProgress,
)
from app.domain.record import replace
from app.store.accounts import Accounts, erase_account
from app.store.db.database import Database
from app.ui.pages.welcome.page import CONNECT_GMAIL, SampleProgram, WelcomePage, make_welcome_page
from app.ui.pages.welcome.screens import WelcomeStage as Screen
from fakes.engine.store.run_store import RunStore
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless, until

SAMPLE = """
import pathlib, sys, time
print("ready", flush=True)
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
sys.exit(int(sys.argv[2]))
"""


@pytest.fixture
def client(tmp_path: Path) -> Path:
    made = tmp_path / "client.json"
    made.write_text("{}")
    return made


def shown(stage: Stage, sample: SampleProgram | None = None, built_in: Path | None = None, wait: bool = True) -> WelcomePage:
    page = WelcomePage(stage.context, sample, built_in)
    stage.show(page, wait=wait)
    return page


def connected(stage: Stage, mails: int = 5, settled: bool = True) -> AccountId:
    """An account with mail. `settled`: the user goes on without a model."""
    store = RunStore(stage.data.database)
    account = store.connect()
    store.mails(mails)
    store.close()
    stage.context.state.setValue("welcome/without_model", settled)
    return account


def on(page: WelcomePage, screen: Screen) -> bool:
    return page.stage is screen and page.stack.currentWidget().isVisible()


def test_the_sample_is_offered_only_where_it_can_be_made(stage: Stage, qtbot: QtBot) -> None:
    without = shown(stage)
    assert not without.choose.sample.isVisible()
    sample = SampleProgram([sys.executable, "-c", "import time; time.sleep(300)"])
    page = shown(stage, sample)
    page.take_focus()
    assert QApplication.focusWidget() is page.choose.connect_gmail
    press("Return", on=page.choose.sample)
    qtbot.waitUntil(page.sample.isVisible)
    assert sample.pid
    assert page.go_back()
    qtbot.waitUntil(page.choose.isVisible)
    assert not sample.pid
    assert not page.choose.error
    assert not page.go_back()
    nothing = shown(stage, SampleProgram([str(stage.data.root / "nothing")]))
    nothing.choose.sample.click()
    qtbot.waitUntil(lambda: bool(nothing.choose.error))
    assert nothing.isVisible()
    assert not make_welcome_page(replace(stage.context, sample_command=("replyroom", "demo"))).choose.sample.isHidden()


@pytest.mark.parametrize(("code", "screen"), [(0, Screen.CHOOSE), (CONNECT_GMAIL, Screen.CONNECT)])
def test_the_sample_takes_the_place_of_the_window(stage: Stage, qtbot: QtBot, tmp_path: Path, code: int, screen: Screen) -> None:
    """When the sample ends, the window is back, at the guide if the user wants to connect Gmail."""
    gate = tmp_path / "ends"
    page = shown(stage, SampleProgram([sys.executable, "-c", SAMPLE, str(gate), str(code)]))
    page.choose.sample.click()
    qtbot.waitUntil(lambda: not page.isVisible())
    gate.touch()
    qtbot.waitUntil(page.isVisible)
    qtbot.waitUntil(lambda: on(page, screen))


@pytest.mark.qt_log_ignore("QProcess: Destroyed")
def test_quitting_ends_the_sample_without_an_error(qtbot: QtBot) -> None:
    sample = SampleProgram([sys.executable, "-c", "import time; time.sleep(300)"])
    sample.start()
    qtbot.waitUntil(lambda: sample.pid > 0)
    with qtbot.captureExceptions() as errors:
        shiboken6.delete(sample)
    assert not errors


def test_connecting_step_by_step(stage: Stage, qtbot: QtBot, client: Path, tmp_path: Path) -> None:
    """Links open, a missing file is named, an existing one is handed to the engine."""
    page = shown(stage)
    assert not page.choose.own_client.isVisible()
    page.choose.connect_gmail.click()
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    qtbot.keyClicks(page.guide.project, "replyroom-42")
    for link in page.guide.findChildren(QPushButton):
        if link.property("role") == "link":
            link.click()
    assert all(address.startswith("https://console.cloud.google.com/") for address in stage.opened)
    assert [("?project=replyroom-42" in one) for one in stage.opened] == [False, True, True, True]
    assert not page.guide.sign_in.isEnabled()
    qtbot.keyClicks(page.guide.client.line, str(tmp_path / "none.json"))
    press("Return", on=page.guide.client.line)
    assert "none.json" in page.guide.error
    page.guide.client.choose.click()
    page.guide.client.dialog.fileSelected.emit(str(client))
    page.guide.client.dialog.done(1)
    for _ in range(2):
        page.guide.sign_in.click()
    assert stage.engine.commands == [ConnectGmail(client)], "pressed twice"
    qtbot.waitUntil(lambda: on(page, Screen.SIGN_IN))
    stage.engine.tell(
        CommandFailed("ConnectGmail", "bad_file", ErrorText.of(f"{client}: not an installed app.", "Download it again."))
    )
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    assert "not an installed app" in page.guide.error
    page.guide.retry.click()
    assert stage.engine.commands == [ConnectGmail(client)], "the same file would be refused again"
    page.guide.client.dialog.fileSelected.emit(str(tmp_path / "other.json"))
    page.guide.client.dialog.reject()
    assert page.guide.client.line.text().endswith("other.json")
    assert not page.guide.error
    page.guide.client.line.setText(str(client))
    page.guide.sign_in.click()
    stage.engine.tell(CommandFailed("ConnectGmail", "offline"))
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    page.guide.retry.click()
    assert stage.engine.commands == [ConnectGmail(client)] * 3


def test_the_sign_in_has_its_link_and_can_be_cancelled(stage: Stage, qtbot: QtBot, client: Path) -> None:
    """By keys: no browser opened, the link is copied, then the sign-in is cancelled."""
    page = shown(stage)
    page.choose.connect_gmail.click()
    page.guide.client.line.setText(str(client))
    page.guide.sign_in.click()
    qtbot.waitUntil(page.sign_in.isVisible)
    assert not page.sign_in.copy.isVisible()
    stage.engine.tell(SignInOpened("https://accounts.example/auth?state=1", False, 300.0))
    assert "No browser opened" in page.sign_in.note.text()
    assert "5:00" in page.sign_in.left.text()
    assert QApplication.focusWidget() is page.sign_in.copy
    press("Return", on=page.sign_in.copy)
    assert QApplication.clipboard().text() == "https://accounts.example/auth?state=1"
    assert "copied" in page.sign_in.note.text()
    press("Return", on=page.sign_in.again)
    assert stage.opened[-1] == "https://accounts.example/auth?state=1"
    assert not nameless(page)
    assert not cut(page)
    press("Return", on=page.sign_in.cancel)
    assert stage.engine.commands == [ConnectGmail(client), CancelSignIn()]
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    page.guide.sign_in.click()
    stage.engine.tell(CommandFailed("ConnectGmail", "sign_in_cancelled"))
    assert page.known.signing_in, "the cancelled one is over, the next one waits"
    stage.engine.tell(CommandFailed("ConnectGmail", "login_needed"))
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    assert "didn't finish" in page.guide.error


def test_real_counts_while_waiting(stage: Stage, qtbot: QtBot) -> None:
    page = shown(stage)
    account = connected(stage, settled=False)
    stage.engine.tell(SyncProgress(account, SyncPhase.BACKFILL, 5, 128, 300.0))
    qtbot.waitUntil(lambda: on(page, Screen.MODEL))
    page.model.choose.click()
    assert stage.neighbours.went == ["model"]
    press("Space", on=page.model.without)
    qtbot.waitUntil(lambda: on(page, Screen.SYNC))
    assert (page.sync.bar.value(), page.sync.bar.maximum()) == (5, 128)
    assert page.sync.counts.text().startswith("5 of 128 emails")
    stage.engine.tell(ConnectionChanged(account, ConnectionState.OFFLINE, 0, "host"))
    qtbot.waitUntil(lambda: "offline" in page.sync.error)
    stage.engine.tell(ConnectionChanged(account, ConnectionState.ONLINE, 0, ""))
    qtbot.waitUntil(lambda: page.sync.error == "")
    assert stage.engine.queries == []
    assert stage.engine.commands == []
    page.sync.hurry.click()
    qtbot.waitUntil(lambda: on(page, Screen.PREVIEW))


async def test_the_preview_and_start(stage: Stage) -> None:
    """Asked for the days chosen; nothing starts before Start; no cost line without a model."""
    account = connected(stage)
    page = shown(stage, wait=False)
    await until(lambda: len(stage.engine.queries) == 1)
    stage.engine.refuse(Offline("host"))
    await until(lambda: page.preview.error != "")
    assert not page.preview.begin.isEnabled()
    page.preview.retry.click()
    await until(lambda: len(stage.engine.queries) == 2)
    assert page.preview.error == ""
    stage.engine.answer(DraftingPreview(41, 12, 0.04))
    await until(page.preview.begin.isEnabled)
    assert "41 email" in page.preview.mails.text()
    assert "12 draft" in page.preview.drafts.text()
    assert not page.preview.cost.isVisible()
    assert page.preview.words.text().endswith("is connected.")
    stage.engine.tell(ConnectionChanged(account, ConnectionState.LOGIN_NEEDED, 0, "host"))
    await until(lambda: "Sign in to Google again" in page.preview.words.text())
    stage.engine.tell(ConnectionChanged(account, ConnectionState.ONLINE, 0, ""))
    await until(lambda: page.preview.words.text().endswith("is connected."))
    stage.engine.tell(MailChanged(account, (), Initiator.SYNC))
    stage.engine.tell(SettingsChanged(""))
    page.refresh()
    assert len(stage.engine.queries) == 2, "what was asked is not asked again"
    page.preview.days.setCurrentIndex(page.preview.days.findData(30))
    await until(lambda: len(stage.engine.queries) == 3)
    stage.engine.answer(DraftingPreview(0, 0, 0.0))
    await until(page.preview.begin.isEnabled)
    assert stage.engine.commands == []
    press("Space", on=page.preview.begin)
    assert stage.engine.queries == [*[PreviewDrafting(account, 7)] * 2, PreviewDrafting(account, 30)]
    assert stage.engine.commands == [StartDrafting(account, 30)]
    page.preview.later.click()
    assert stage.engine.commands == [StartDrafting(account, 30)]
    assert stage.neighbours.went == ["review", "inbox"]


@pytest.mark.parametrize(("cost", "words"), [(0.04, "0.04"), (0.001, "under $0.01"), (-1.0, "not known")])
async def test_the_cost_with_a_model(stage: Stage, cost: float, words: str) -> None:
    connected(stage, settled=False)
    stage.data.settings.write_text('[model]\nname = "gemini/gemini-2.5-flash"\n')
    page = shown(stage, wait=False)
    await until(lambda: len(stage.engine.queries) == 1)
    stage.engine.answer(DraftingPreview(41, 12, cost))
    await until(page.preview.begin.isEnabled)
    assert words in page.preview.cost.text()
    assert page.preview.cost.isVisible()


def test_names_and_room_at_125_percent(stage: Stage, qtbot: QtBot) -> None:
    stage.appearance.apply("dark", 1.25)
    page = shown(stage, SampleProgram([sys.executable]))
    assert nameless(page) == []
    assert cut(page) == []
    page.choose.connect_gmail.click()
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    assert cut(page) == []
    connected(stage, settled=False)
    stage.engine.tell(SyncProgress(AccountId(1), SyncPhase.LISTING, 0, 0, -1.0))
    qtbot.waitUntil(lambda: on(page, Screen.MODEL))
    assert cut(page) == []


def test_the_guide_is_open_again_after_a_crash(stage: Stage) -> None:
    left = shown(stage)
    left._guide()
    left.touch()
    again = WelcomePage(stage.context, None)
    again.restore_state(left.save_state())
    stage.show(again)
    assert on(again, Screen.CONNECT)


def second_account(stage: Stage) -> AccountId:
    db = Database.open(stage.data.database)
    added = Accounts(db).add("you@example.com", "You", ("you@example.com",), "", "#3b6fd4")
    db.close()
    return added


def test_another_accounts_mail_and_trouble_are_not_this_ones(stage: Stage, qtbot: QtBot) -> None:
    first, second = connected(stage), second_account(stage)
    page = shown(stage)
    stage.engine.tell(SyncProgress(second, SyncPhase.BACKFILL, 7, 90, -1.0))
    stage.engine.tell(ConnectionChanged(first, ConnectionState.OFFLINE, 0, "host"))
    stage.engine.tell(SyncProgress(first, SyncPhase.CURRENT, 5, 5, -1.0))
    qtbot.waitUntil(lambda: on(page, Screen.SYNC))
    page.refresh()
    assert page.sync.counts.text().startswith("7 of 90")
    assert page.sync.error == ""


async def test_each_account_is_asked_about_before_its_mail_is_checked(stage: Stage) -> None:
    """The second one was added before the first one's question was answered."""
    first, second = connected(stage), second_account(stage)
    page = shown(stage, wait=False)
    assert on(page, Screen.SYNC), "the mail that is here is the first one's"
    stage.engine.tell(SyncProgress(second, SyncPhase.CURRENT, 5, 5, -1.0))
    for account in (second, first):
        await until(lambda account=account: stage.engine.queries[-1:] == [PreviewDrafting(account, 7)])
        stage.engine.answer(DraftingPreview(3, 1, 0.0))
        await until(page.preview.begin.isEnabled)
        assert not stage.neighbours.went
        page.preview.begin.click()
        assert stage.engine.commands[-1] == StartDrafting(account, 7)
    assert stage.neighbours.went == ["review"]


def test_the_way_to_another_account_is_there_beside_the_first(stage: Stage, qtbot: QtBot, client: Path) -> None:
    """From the settings to the steps, back to the settings, and again until the account came."""
    connected(stage)
    page = WelcomePage(stage.context)
    page.add_account()
    stage.show(page)
    assert on(page, Screen.CONNECT)
    assert page.go_back()
    assert stage.neighbours.went == ["settings"]
    page.add_account()
    qtbot.waitUntil(lambda: on(page, Screen.CONNECT))
    page.guide.client.line.setText(str(client))
    page.guide.sign_in.click()
    qtbot.waitUntil(lambda: on(page, Screen.SIGN_IN))
    stage.engine.tell(SyncProgress(second_account(stage), SyncPhase.BACKFILL, 1, 9, -1.0))
    qtbot.waitUntil(lambda: on(page, Screen.SYNC))


def test_who_forgets_the_account_is_not_waited_for_in_the_browser(stage: Stage, qtbot: QtBot, client: Path) -> None:
    page = shown(stage)
    page.guide.client.line.setText(str(client))
    page.guide.sign_in.click()
    account = connected(stage, settled=False)
    stage.engine.tell(SyncProgress(account, SyncPhase.CURRENT, 5, 5, -1.0))
    qtbot.waitUntil(lambda: on(page, Screen.MODEL))
    erase_account(stage.data.database, account)
    stage.engine.tell(EngineReady(1.0, ""))
    qtbot.waitUntil(lambda: on(page, Screen.CHOOSE))


def test_what_is_no_path_is_no_file(stage: Stage) -> None:
    page = shown(stage)
    asked_elsewhere = CommandFailed("ConnectGmail", "offline")
    stage.engine.tell(asked_elsewhere)
    assert not page.says(asked_elsewhere) and not page.guide.error
    for typed in ("~nobody-of-this-name/client.json", "x" * 5000, "a\0b"):
        page.guide.client.line.setText(typed)
        assert not page.guide.sign_in.isEnabled()
        page.guide.client.line.returnPressed.emit()
        assert "File not found" in page.guide.error
    assert stage.engine.commands == []


def test_trouble_that_is_over_is_not_shown(stage: Stage, qtbot: QtBot) -> None:
    stage.data.database.write_bytes(b"\xa5" * 20_000)
    page = shown(stage)
    assert page.choose.error
    stage.data.database.unlink()
    page.choose.retry.click()
    qtbot.waitUntil(lambda: page.choose.error == "")


CLIENT_JSON = '{"installed": {"client_id": "1.apps.example", "client_secret": "s"}}'


def test_a_built_in_client_needs_no_guide(stage: Stage, tmp_path: Path) -> None:
    built_in = tmp_path / "google_client.json"
    built_in.write_text(CLIENT_JSON)
    page = shown(stage, built_in=built_in)
    page.choose.connect_gmail.click()
    assert stage.engine.commands == [ConnectGmail(built_in)]
    page.refresh()
    assert on(page, Screen.SIGN_IN)
    stage.engine.tell(CommandFailed("ConnectGmail", "offline"))
    page.hear(CommandFailed("ConnectGmail", "offline"))
    page.refresh()
    assert on(page, Screen.CHOOSE)
    page.choose.own_client.click()
    page.refresh()
    assert on(page, Screen.CONNECT)


def test_the_guide_finds_the_downloaded_client_file(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    """Also one that comes while the guide is open; other files and web clients are left alone."""
    page = shown(stage)
    page.guide.downloads = tmp_path / "Downloads"
    page.guide.downloads.mkdir()
    (page.guide.downloads / "client_secret_web.json").write_text('{"web": {}}')
    (page.guide.downloads / "notes.json").write_text(CLIENT_JSON)
    page.choose.connect_gmail.click()
    page.refresh()
    assert page.guide.client.line.text() == ""
    (page.guide.downloads / "client_secret_1.json").write_text(CLIENT_JSON)
    qtbot.waitUntil(lambda: page.guide.client.path.name == "client_secret_1.json")
    assert page.guide.sign_in.isEnabled()
    assert "client_secret_1.json" in page.guide.found.text()


async def test_a_model_server_on_this_computer_is_offered(stage: Stage) -> None:
    connected(stage, settled=False)
    page = shown(stage, wait=False)
    await until(lambda: on(page, Screen.MODEL))
    assert not page.model.found.isVisible()
    await until(lambda: FindModelServers() in stage.engine.queries)
    stage.engine.answer(ModelServers((ModelServer("ollama", "http://127.0.0.1:11434", ("qwen3",)),)), FindModelServers)
    await until(page.model.found.isVisible)
    assert page.model.found.accessibleName() == "Use Ollama"
    page.model.found.click()
    assert stage.neighbours.went == ["model"]
