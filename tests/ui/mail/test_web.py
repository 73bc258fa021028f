"""HTML mail in real Chromium: it is shown, it asks for nothing, it runs nothing, it goes nowhere."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage, QPaintEvent
from PySide6.QtWebEngineCore import QWebEngineSettings
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.ui.mail.rendering import page
from app.ui.mail.web import OFF, WebBody, register_scheme
from app.ui.theme import load_theme

THEME = load_theme(resource("themes", "light.toml"))
WHITE = QColor("#FFFFFF")


class Shown:
    """A view and what it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.clicked: list[QUrl] = []
        self.view = WebBody(self.clicked.append)
        self._qtbot = qtbot
        self.view.resize(500, 400)
        self.view.show()

    def show(self, body: str) -> None:
        """Load and wait."""
        with self._qtbot.waitSignal(self.view.loadFinished, timeout=30_000):
            self.view.show_page(page(body, THEME, "Noto Sans", 10.0), WHITE)

    def text(self) -> str:
        """The page as plain text."""
        found: list[str] = []
        self.view.page().toPlainText(found.append)
        self._qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        return found[0]


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    made = Shown(qtbot)
    yield made
    made.view.close()
    made.view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_everything_is_off(shown: Shown) -> None:
    settings = shown.view.page().settings()
    assert not [attribute for attribute in OFF if settings.testAttribute(attribute)]
    assert not settings.testAttribute(QWebEngineSettings.WebAttribute.JavascriptEnabled)
    assert shown.view.page().profile().isOffTheRecord()
    register_scheme()


def test_mail_is_shown_and_the_next_one_replaces_it(shown: Shown) -> None:
    shown.show("<h1>First mail</h1>")
    assert "First mail" in shown.text()
    shown.show("<p>Second</p>" + "<p>x</p>" * 100_000)
    text = shown.text()
    assert "Second" in text
    assert "First" not in text


HOSTILE = """
<p id=a>visible</p>
<script>document.getElementById('a').textContent = 'script ran'</script>
<img src="https://tracker.example/pixel.png" onerror="document.body.textContent='handler ran'">
<img src="mailmsg:7"><iframe src="https://evil.example/"></iframe>
<link rel="stylesheet" href="https://evil.example/x.css"><link rel="prefetch" href="https://evil.example/y">
<style>@import url(https://evil.example/z.css); body { background: url(https://evil.example/b.png) }</style>
<object data="https://evil.example/o"></object><video src="https://evil.example/v" autoplay></video>
<meta http-equiv="refresh" content="0;url=https://evil.example/go">
<form action="https://evil.example/f"><input autofocus></form>
"""


def test_a_hostile_mail_asks_nothing_and_runs_nothing(shown: Shown, qtbot: QtBot) -> None:
    """Even uncleaned: the policy in the answer stops it before the interceptor would have to."""
    shown.show(HOSTILE)
    qtbot.wait(200)
    assert "visible" in shown.text()
    assert "ran" not in shown.text()
    assert shown.view.url().scheme() == "mailmsg"
    assert shown.clicked == []


def test_without_the_policy_the_interceptor_still_refuses_and_counts(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.mail.web.CONTENT_SECURITY_POLICY", "img-src * ; style-src *")
    shown.show('<p>x</p><img src="https://tracker.example/pixel.png"><link rel="stylesheet" href="https://evil.example/x.css">')
    qtbot.waitUntil(lambda: shown.view.refused >= 2, timeout=30_000)


def test_navigation_is_refused_and_clicks_are_announced(shown: Shown) -> None:
    mail_page = shown.view.page()
    kinds = type(mail_page).NavigationType
    here = QUrl("https://evil.example/")
    assert not mail_page.acceptNavigationRequest(here, kinds.NavigationTypeTyped, True)
    assert not mail_page.acceptNavigationRequest(here, kinds.NavigationTypeRedirect, True)
    assert not mail_page.acceptNavigationRequest(QUrl("mailmsg:9"), kinds.NavigationTypeLinkClicked, False)
    assert shown.clicked == []
    assert not mail_page.acceptNavigationRequest(here, kinds.NavigationTypeLinkClicked, True)
    assert shown.clicked == [here]


def test_other_addresses_of_the_scheme_are_not_served(shown: Shown) -> None:
    shown.show("<p>one</p>")
    shown.view.load(QUrl("mailmsg:99999"))
    assert "one" in shown.text() or shown.text() == ""


def has_colour(view: WebBody, colour: str) -> bool:
    """Where the picture lies."""
    return view.grab().toImage().pixelColor(200, 150).name() == colour.lower()


def test_a_picture_is_never_taken_from_another_mail(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """Content ids repeat from mail to mail."""
    for colour in ("#FF0000", "#0000FF"):
        picture = QImage(400, 300, QImage.Format.Format_RGB32)
        picture.fill(QColor(colour))
        path = tmp_path / f"{colour[1:]}.png"
        assert picture.save(str(path))
        shown.view.set_inline({"logo@1": path})
        shown.show('<img src="cid:logo@1" width="400" height="300">')
        qtbot.waitUntil(partial(has_colour, shown.view, colour), timeout=30_000)


class Beside(QWidget):
    """Counts its paintings."""

    paintings = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """One more."""
        self.paintings += 1


def test_the_next_mail_does_not_paint_what_stands_beside_it(shown: Shown, qtbot: QtBot) -> None:
    window, beside = QWidget(), Beside()
    qtbot.addWidget(window)
    layout = QHBoxLayout(window)
    layout.addWidget(beside, 1)
    layout.addWidget(shown.view, 1)
    window.resize(700, 400)
    window.show()
    shown.show("<p>first</p>")
    qtbot.waitUntil(lambda: beside.paintings > 0)
    still = 0
    for number in range(6):
        before = beside.paintings
        shown.show(f"<p>mail {number}</p>")
        assert f"mail {number}" in shown.text()
        still += beside.paintings == before
    assert still >= 4  # a window that has just been shown may paint once more by itself
    shown.view.setParent(None)


def test_a_mail_without_links_is_reached_by_tab_and_read_on_by_keys(shown: Shown, qtbot: QtBot) -> None:
    window, before, after = QWidget(), QPushButton("before"), QPushButton("after")
    qtbot.addWidget(window)
    layout = QHBoxLayout(window)
    for one in (before, shown.view, after):
        layout.addWidget(one)
    window.resize(700, 400)
    with qtbot.waitActive(window, timeout=30_000):
        window.show()
        window.activateWindow()
    shown.show("<p>word</p>" * 300)
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    words = QApplication.focusWidget()
    assert words not in (before, after, None)
    for _ in range(3):
        shown.text()  # there and back: by now Chromium has handed on what it does not keep
    assert QApplication.focusWidget() is words
    qtbot.waitUntil(lambda: pressed(qtbot, words, Qt.Key.Key_Down, shown), timeout=30_000)
    assert QApplication.focusWidget() is words
    qtbot.keyClick(words, Qt.Key.Key_Tab)  # once: a second one that Chromium answers late would lead on from there
    qtbot.waitUntil(after.hasFocus)
    shown.view.setParent(None)


def pressed(qtbot: QtBot, words: QWidget | None, key: Qt.Key, shown: Shown) -> bool:
    """Press a key while the words have the keyboard, which Chromium answers when it pleases; whether the mail is scrolled."""
    if words is not None and words.hasFocus():
        qtbot.keyClick(words, key)
    return shown.view.scrolled_y > 0


def menu_at(qtbot: QtBot, view: WebBody, spot: QPoint, offered: list[str]) -> dict[str, QAction]:
    """What a right click offers, once that is what is `offered`: Chromium may still answer for the page before."""
    found: dict[str, QAction] = {}

    def opened() -> bool:
        menus = [one for one in view.findChildren(QMenu) if one.isVisible()]
        inside = view.focusProxy()
        if not menus and inside is not None:
            qtbot.mouseClick(inside, Qt.MouseButton.RightButton, pos=spot)
        for menu in menus:
            found.clear()
            found.update({one.text(): one for one in menu.actions() if one.text()})
            menu.close()
        return list(found) == offered

    qtbot.waitUntil(opened)
    return found


def test_its_menu_is_for_words_and_links_and_nothing_of_a_browsers(shown: Shown, qtbot: QtBot) -> None:
    shown.show("<p style='height: 150px'>only words</p>")
    words = menu_at(qtbot, shown.view, QPoint(250, 120), ["Copy", "Select all"])
    assert not words["Copy"].isEnabled()
    shown.show('<p><a style="display: block; height: 200px" href="https://shop.example/á?b=1">offer</a></p>')
    link = menu_at(qtbot, shown.view, QPoint(60, 60), ["Open the link…", "Copy the link's address", "Copy", "Select all"])
    link["Copy the link's address"].trigger()
    assert QGuiApplication.clipboard().text() == "https://shop.example/%C3%A1?b=1"
    assert shown.clicked == []
    link["Open the link…"].trigger()
    assert shown.clicked == [QUrl("https://shop.example/á?b=1")]
