"""Typical layouts in the real view: every word that mattered is there, and stands out from its ground, by day and by night."""

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWebEngineCore import QWebEngineScript, QWebEngineSettings
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.mail.clean import clean_html
from app.ui.mail import web
from app.ui.mail.rendering import page
from app.ui.theme import Theme, load_theme
from fakes.mail_layouts import layouts

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


class Reader:
    """A view that a test may ask about its page."""

    def __init__(self, qtbot: QtBot) -> None:
        self.view = web.WebBody(lambda _: None)
        self._qtbot = qtbot
        self.view.resize(700, 500)
        self.view.show()
        self.view.page().settings().setAttribute(QWebEngineSettings.WebAttribute.JavascriptEnabled, True)

    def read(self, body: str, theme: Theme) -> tuple[str, list[str]]:
        """The words on the page and those that hardly stand out."""
        with self._qtbot.waitSignal(self.view.loadFinished, timeout=20_000):
            self.view.show_page(page(body, theme, "Noto Sans", 10.0), self.view.palette().base().color())
        found: list[str] = []
        world = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
        self.view.page().runJavaScript(MEASURE, world, found.append)
        self._qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        told = json.loads(found[0])
        return told["text"], told["faint"]


@pytest.fixture
def reader(qtbot: QtBot) -> Iterator[Reader]:
    made = Reader(qtbot)
    yield made
    made.view.close()
    made.view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_layout_can_be_read(reader: Reader, theme: str) -> None:
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


def test_the_measure_finds_words_that_nobody_can_read(reader: Reader) -> None:
    _, faint = reader.read("<p style='color:#fefefe'>white on white</p>", load_theme(resource("themes", "light.toml")))
    assert len(faint) == 1
