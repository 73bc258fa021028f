"""HTML mail in real Chromium: it is shown, it asks for nothing, it runs nothing, it goes nowhere.

Hostile HTML in the real web view, beside a server that counts: no request leaves, no script runs, nothing navigates.

Each layer is tried alone. The cleaner, with script and network on; the view, with mail that nobody cleaned. With both off the
same vectors do reach the server and do run: otherwise the counting would prove nothing.

Typical layouts in the real view: every word that mattered is there, and stands out from its ground, by day and by night.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript, QWebEngineSettings, QWebEngineUrlRequestInfo
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.mail.html.clean import clean_html
from app.ui.message import web_view
from app.ui.message.rendering import Section, conversation_page, page
from app.ui.message.web_view import OFF, WebBody, register_scheme
from app.ui.theme.appearance import Theme, load_theme
from fakes.gmail.generated_html import shapes
from fakes.gmail.hostile_html import vectors
from fakes.gmail.mail_layouts import layouts
from fakes.gmail.web_server import Visited, visited
from fakes.window.keyboard import press

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

    def show(self, body: str, theme: Theme = THEME) -> None:
        self.show_whole(page(body, theme, "Noto Sans", 10.0))

    def show_whole(self, whole: str) -> None:
        with self._qtbot.waitSignal(self.view.loadFinished, timeout=30_000):
            self.view.show_page(whole, WHITE)

    def set(self, attribute: QWebEngineSettings.WebAttribute) -> None:
        self.view.page().settings().setAttribute(attribute, True)

    def read(self, body: str, theme: Theme) -> tuple[str, list[str]]:
        """The words on the page and those that hardly stand out."""
        self.show(body, theme)
        found: list[str] = []
        self.view.page().runJavaScript(MEASURE, QWebEngineScript.ScriptWorldId.ApplicationWorld.value, found.append)
        self._qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        told = json.loads(found[0])
        return told["text"], told["faint"]

    def text(self) -> str:
        found: list[str] = []
        self.view.page().toPlainText(found.append)
        self._qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        return found[0]

    def places(self, word: str) -> int:
        """How often a word is found on the page. Unlike `text` this sees into the messages of a conversation."""
        found: list[int] = []
        self.view.find_next(word, False, lambda _at, count: found.append(count))
        self._qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        return found[0]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Callable[[], Shown]]:
    """Makes a view, after a test has opened what it opens."""
    made: list[Shown] = []

    def maker() -> Shown:
        made.append(Shown(qtbot))
        return made[-1]

    yield maker
    for one in made:
        one.view.close()
        one.view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def shown(make: Callable[[], Shown]) -> Shown:
    return make()


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


def test_a_wide_table_scrolls_and_breaks_no_words(shown: Shown, qtbot: QtBot) -> None:
    """A long address in a table for layout is broken as before."""
    shown.show(f"<table><tr>{'<td>Depreciation</td>' * 12}</tr></table>")
    qtbot.waitUntil(lambda: shown.view.page().contentsSize().width() > 800, timeout=30_000)
    shown.show(f"<table><tr><td>https://example.org/{'a' * 300}</td><td>x</td></tr></table>")
    qtbot.waitUntil(lambda: 0 < shown.view.page().contentsSize().width() <= 500, timeout=30_000)


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
    monkeypatch.setattr("app.ui.message.web_view.CONTENT_SECURITY_POLICY", "img-src * ; style-src *")
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


def has_red(view: WebBody) -> bool:
    image = view.grab().toImage()
    return any(image.pixelColor(200, y).name() == "#ff0000" for y in range(image.height()))


def conversation(*bodies: str, closed: int = 0) -> str:
    sections = (Section(key, f"Person {key}", "", "", "", "", body, closed=key == closed) for key, body in enumerate(bodies, 1))
    return conversation_page(sections, THEME, "Noto Sans", 10.0)


def test_no_message_of_a_conversation_reaches_another(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """Neither by its styles nor by the pictures it names."""
    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    picture.fill(QColor("#FF0000"))
    path = tmp_path / "logo.png"
    assert picture.save(str(path))
    shown.view.set_inline({"1/logo": path})
    first = "<style>p, summary, details { display: none }</style><p>hidden</p><i>seen</i>"
    for foreign in ("logo", "../1/logo", "%2e%2e/1/logo", "..%2f1%2flogo"):
        bodies = (first, f'<p>honest</p><img src="cid:{foreign}" width="400" height="300">', "<b>end</b>")
        shown.show_whole(conversation(*map(clean_html, bodies)))
        assert [shown.places(word) for word in ("honest", "seen", "Person", "hidden")] == [1, 1, 3, 0]
        assert not has_red(shown.view)
    shown.view.set_inline({"2/logo": path})
    shown.show_whole(conversation("<p>a</p>", '<img src="cid:logo" width="400" height="300">'))
    qtbot.waitUntil(lambda: has_red(shown.view), timeout=30_000)


def test_a_closed_message_opens_when_it_is_gone_to(shown: Shown, qtbot: QtBot) -> None:
    shown.show_whole(conversation("<p>short</p>", "<p>word</p>" * 60, closed=2))
    shown.view.go_to("m2")
    qtbot.waitUntil(lambda: shown.view.scrolled_y > 0, timeout=30_000)
    assert shown.places("word") == 60


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
    press("Tab", on=before)
    words = QApplication.focusWidget()
    assert words not in (before, after, None)
    for _ in range(3):
        shown.text()  # there and back: by now Chromium has handed on what it does not keep
    assert QApplication.focusWidget() is words
    qtbot.waitUntil(lambda: pressed(words, shown), timeout=30_000)
    assert QApplication.focusWidget() is words
    press("Tab", on=words)  # once: a second one that Chromium answers late would lead on from there
    qtbot.waitUntil(after.hasFocus)
    shown.view.setParent(None)


def pressed(words: QWidget | None, shown: Shown) -> bool:
    """Press Down while the words have the keyboard, which Chromium answers when it pleases; whether the mail is scrolled."""
    if words is not None and words.hasFocus():
        press("Down", on=words)
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
    link = menu_at(qtbot, shown.view, QPoint(60, 60), ["Open link…", "Copy link address", "Copy", "Select all"])
    link["Copy link address"].trigger()
    assert QGuiApplication.clipboard().text() == "https://shop.example/%C3%A1?b=1"
    assert shown.clicked == []
    link["Open link…"].trigger()
    assert shown.clicked == [QUrl("https://shop.example/á?b=1")]


VECTORS = [*vectors(), *shapes()]
SETTLE_MS = 400
PACK = 16
CLOSERS = "\n--></script></style></title></textarea></xmp></noscript></template></select></svg></math></table></form>\n"
ALONE = re.compile("<(?:plaintext|frameset|base|meta|body|html|noframes|head|script type)", re.IGNORECASE)
"""What changes the whole page it stands in has a page of its own."""


def packed(pieces: Sequence[str], closers: str = CLOSERS) -> list[str]:
    """Several pieces to a page, so that hundreds take seconds."""
    alone = [one for one in pieces if ALONE.search(one)]
    rest = [one for one in pieces if not ALONE.search(one)]
    return alone + [closers.join(rest[at : at + PACK]) for at in range(0, len(rest), PACK)]


class Alarmed(web_view.HtmlPage):
    """Counts scripts that speak, and says so instead of showing a box."""

    alarms = 0

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:  # noqa: N802, N803 - Qt's names
        Alarmed.alarms += 1


class Open(Alarmed):
    """Goes wherever a mail sends it."""

    def acceptNavigationRequest(  # noqa: N802 - Qt's name
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,  # noqa: A002 - Qt's name
        isMainFrame: bool,  # noqa: N803 - Qt's name
    ) -> bool:
        return True


class Lenient(web_view.RequestBlocker):
    """Counts what it would refuse, and lets it go."""

    asked: ClassVar[list[str]] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt's name
        if info.requestUrl().scheme().encode() not in (web_view.SCHEME, b"data"):
            self.refused += 1
            Lenient.asked.append(info.requestUrl().path())


@pytest.fixture
def attacker() -> Iterator[Visited]:
    Alarmed.alarms = 0
    Lenient.asked.clear()
    with visited() as server:
        yield server


def test_cleaned_mail_asks_for_nothing_even_where_everything_is_allowed(
    make: Callable[[], Shown], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_view, "HtmlPage", Open)
    monkeypatch.setattr(web_view, "RequestBlocker", Lenient)
    monkeypatch.setattr(web_view, "CONTENT_SECURITY_POLICY", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:")
    shown = make()
    view = shown.view
    shown.set(QWebEngineSettings.WebAttribute.JavascriptEnabled)
    for cleaned in packed([clean_html(vector.replace("evil.example", attacker.host)) for vector in VECTORS], "<hr>"):
        shown.show(cleaned)
        assert (view.refused, Alarmed.alarms) == (0, 0), cleaned
    qtbot.wait(SETTLE_MS)
    assert (attacker.visits, view.refused, Alarmed.alarms) == ([], 0, 0)
    assert view.url().scheme().encode() == web_view.SCHEME


def test_the_view_lets_nothing_out_even_of_mail_that_nobody_cleaned(
    make: Callable[[], Shown], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_view, "HtmlPage", Alarmed)
    shown = make()
    view = shown.view
    for pack in packed(VECTORS):
        shown.show(pack.replace("evil.example", attacker.host))
        assert (attacker.visits, Alarmed.alarms) == ([], 0), pack
    qtbot.wait(SETTLE_MS)
    assert (attacker.visits, Alarmed.alarms) == ([], 0)
    assert view.url().scheme().encode() == web_view.SCHEME


def test_without_the_borders_the_same_vectors_do_ask_and_do_run(
    make: Callable[[], Shown], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium has no network in this process any more, so what it asks for is counted at the interceptor."""
    monkeypatch.setattr(web_view, "HtmlPage", Alarmed)
    monkeypatch.setattr(web_view, "RequestBlocker", Lenient)
    monkeypatch.setattr(web_view, "CONTENT_SECURITY_POLICY", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:")
    shown = make()
    shown.set(QWebEngineSettings.WebAttribute.JavascriptEnabled)
    shown.set(QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls)
    for pack in packed([vector.replace("evil.example/", f"{attacker.host}/{number}/") for number, vector in enumerate(VECTORS)]):
        shown.show(pack)
    qtbot.wait(SETTLE_MS)
    qtbot.waitUntil(lambda: len({path.split("/")[1] for path in Lenient.asked if path.count("/") > 1}) >= 150)
    qtbot.waitUntil(lambda: Alarmed.alarms >= 40)
    assert attacker.visits == []


OPENED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from app.ui.message import web_view as web
from fakes.gmail.web_server import visited
if sys.argv[1] == "open":
    web.NO_NETWORK = ""
application = QApplication(["x"])
with visited() as attacker:
    view = web.WebBody(print)
    view.show()
    view.show_page(f"<p>text</p><link rel=preconnect href=http://{attacker.host}/>", QColor("white"))
    view.loadFinished.connect(lambda fine: QTimer.singleShot(800, application.quit))
    application.exec()
    print("visits", len(attacker.visits), flush=True)
    os._exit(0)  # Chromium ends with its process
"""


@pytest.mark.parametrize(("network", "visits"), [("open", 1), ("as it is", 0)])
def test_chromium_has_no_network_at_all(network: str, visits: int, root: Path) -> None:
    """A preconnect passes policy and interceptor: only the missing network stops it."""
    around = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}", "QTWEBENGINE_CHROMIUM_FLAGS": ""}
    command = [sys.executable, "-c", f"import os\n{OPENED}", network]
    done = subprocess.run(command, cwd=root, env=around, capture_output=True, text=True, timeout=60, check=False)
    assert f"visits {visits}" in done.stdout, done.stderr[-2000:]


LEAST_CONTRAST = 2.5
"""What many senders allow themselves for their small print; below it words are hard to find."""
MEASURE = """
(() => {
  const parts = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const even = value => (value /= 255) <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
  const light = rgb => { const [r, g, b] = rgb.map(even);
                         return .2126 * r + .7152 * g + .0722 * b };
  const ground = node => { for (let at = node; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > .5) return colour.slice(0, 3); } return [255, 255, 255] };
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim(), holder = walk.currentNode.parentElement, style = getComputedStyle(holder);
    if (!text || !holder.getClientRects().length || parseFloat(style.fontSize) < 2 || style.opacity < .1) continue;
    const [one, other] = [light(parts(style.color).slice(0, 3)), light(ground(holder))];
    const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    if (ratio < LEAST) faint.push(text.slice(0, 30) + ' ' + ratio.toFixed(2));
  }
  return JSON.stringify({text: document.body.innerText, faint});
})()
""".replace("LEAST", str(LEAST_CONTRAST))


@pytest.fixture
def reader(shown: Shown) -> Shown:
    """A view that a test may ask about its page."""
    shown.view.resize(700, 500)
    shown.set(QWebEngineSettings.WebAttribute.JavascriptEnabled)
    return shown


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_layout_can_be_read(reader: Shown, theme: str) -> None:
    colours = load_theme(resource("themes", f"{theme}.toml"))
    wrong: list[str] = []
    for layout in layouts():
        text, faint = reader.read(clean_html(layout.html), colours)
        words = " ".join(text.split())
        wrong += [f"{layout.name}: lost {one!r}" for one in layout.says if one not in words]
        wrong += [f"{layout.name}: shows {one!r}" for one in layout.hides if one in words]
        wrong += [f"{layout.name}: faint {one!r}" for one in faint]
    assert wrong == []
    assert reader.view.refused == 0


def test_the_measure_finds_words_that_nobody_can_read(reader: Shown) -> None:
    _, faint = reader.read("<p style='color:#fefefe'>white on white</p>", load_theme(resource("themes", "light.toml")))
    assert len(faint) == 1
