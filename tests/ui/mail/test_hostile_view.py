"""Hostile HTML in the real web view, beside a server that counts: no request leaves, no script runs, nothing navigates.

Each layer is tried alone. The cleaner, with script and network on; the view, with mail that nobody cleaned. With both off the
same vectors do reach the server and do run: otherwise the counting would prove nothing.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtGui import QColor
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineSettings, QWebEngineUrlRequestInfo
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.mail.clean import clean_html
from app.ui.mail import web
from app.ui.mail.rendering import page
from app.ui.theme import load_theme
from fakes.hostile_html import vectors
from fakes.hostile_shapes import shapes
from fakes.visited import Visited, visited

THEME = load_theme(resource("themes", "light.toml"))
WHITE = QColor("#FFFFFF")
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


class Alarmed(web.MailPage):
    """Counts scripts that speak, and says so instead of showing a box."""

    alarms = 0

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:  # noqa: N802, N803 - Qt's names
        """A script ran."""
        Alarmed.alarms += 1


class Open(web.MailPage):
    """Goes wherever a mail sends it."""

    def acceptNavigationRequest(  # noqa: N802 - Qt's name
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,  # noqa: A002 - Qt's name
        isMainFrame: bool,  # noqa: N803 - Qt's name
    ) -> bool:
        """Yes."""
        return True

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:  # noqa: N802, N803 - Qt's names
        """A script ran."""
        Alarmed.alarms += 1


class Lenient(web.Refuser):
    """Counts what it would refuse, and lets it go."""

    asked: ClassVar[list[str]] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt's name
        """Count."""
        if info.requestUrl().scheme().encode() not in (web.SCHEME, b"data"):
            self.refused += 1
            Lenient.asked.append(info.requestUrl().path())


@pytest.fixture
def attacker() -> Iterator[Visited]:
    Alarmed.alarms = 0
    Lenient.asked.clear()
    with visited() as server:
        yield server


Show = Callable[[str], None]


@pytest.fixture
def views(qtbot: QtBot) -> Iterator[Callable[[], tuple[web.WebBody, Show]]]:
    """Makes views and closes them."""
    made: list[web.WebBody] = []

    def make() -> tuple[web.WebBody, Show]:
        view = web.WebBody(lambda _: None)
        view.resize(500, 400)
        view.show()
        made.append(view)

        def show(body: str) -> None:
            with qtbot.waitSignal(view.loadFinished, timeout=30_000):
                view.show_page(page(body, THEME, "Noto Sans", 10.0), WHITE)

        return view, show

    yield make
    for view in made:
        view.close()
        view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_cleaned_mail_asks_for_nothing_even_where_everything_is_allowed(
    views: Callable[[], tuple[web.WebBody, Show]], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MailPage", Open)
    monkeypatch.setattr(web, "Refuser", Lenient)
    monkeypatch.setattr(web, "CONTENT_SECURITY_POLICY", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:")
    view, show = views()
    view.page().settings().setAttribute(QWebEngineSettings.WebAttribute.JavascriptEnabled, True)
    for cleaned in packed([clean_html(vector.replace("evil.example", attacker.host)) for vector in VECTORS], "<hr>"):
        show(cleaned)
        assert (view.refused, Alarmed.alarms) == (0, 0), cleaned
    qtbot.wait(SETTLE_MS)
    assert (attacker.visits, view.refused, Alarmed.alarms) == ([], 0, 0)
    assert view.url().scheme().encode() == web.SCHEME


def test_the_view_lets_nothing_out_even_of_mail_that_nobody_cleaned(
    views: Callable[[], tuple[web.WebBody, Show]], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MailPage", Alarmed)
    view, show = views()
    for pack in packed(VECTORS):
        show(pack.replace("evil.example", attacker.host))
        assert (attacker.visits, Alarmed.alarms) == ([], 0), pack
    qtbot.wait(SETTLE_MS)
    assert (attacker.visits, Alarmed.alarms) == ([], 0)
    assert view.url().scheme().encode() == web.SCHEME


def test_without_the_borders_the_same_vectors_do_ask_and_do_run(
    views: Callable[[], tuple[web.WebBody, Show]], attacker: Visited, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium has no network in this process any more, so what it asks for is counted at the interceptor."""
    monkeypatch.setattr(web, "MailPage", Alarmed)
    monkeypatch.setattr(web, "Refuser", Lenient)
    monkeypatch.setattr(web, "CONTENT_SECURITY_POLICY", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:")
    view, show = views()
    settings = view.page().settings()
    settings.setAttribute(QWebEngineSettings.WebAttribute.JavascriptEnabled, True)
    settings.setAttribute(QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls, True)
    for pack in packed([vector.replace("evil.example/", f"{attacker.host}/{number}/") for number, vector in enumerate(VECTORS)]):
        show(pack)
    qtbot.wait(SETTLE_MS)
    qtbot.waitUntil(lambda: len({path.split("/")[1] for path in Lenient.asked if path.count("/") > 1}) >= 150)
    qtbot.waitUntil(lambda: Alarmed.alarms >= 40)
    assert attacker.visits == []


OPENED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from app.ui.mail import web
from fakes.visited import visited
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
