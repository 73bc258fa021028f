"""Pictures in the reading view: off at first, on for once or for a sender, tracking pixels never; and mail in the dark.

Remote pictures: which only report, what takes the place of those that are off, where loaded ones are asked for.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWebEngineCore import QWebEngineSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.mail.message import Address, Message
from app.domain.record import replace
from app.mail.html.clean import clean_html
from app.ui.message import web_view
from app.ui.message.body import BodyView
from app.ui.message.remote_images import MOST, RemoteImageChoice, RemoteImagesBar, described, pictures, placed, trackers
from fakes.engine.store.accounts import message
from fakes.window.page_setup import Stage

SHOP = Address("News@Shop.example", "Shop")
HTML = clean_html(
    '<body bgcolor="#ffffff"><p>Sale</p><img src="https://cdn.example/a.png" width=300 height=80 alt="Half price">'
    '<img src="https://cdn.example/b.png"><img src="https://t.example/o.gif" width=1 height=1></body>'
)


def mail(number: int = 1, sender: Address = SHOP) -> Message:
    return replace(message(), id=number, sender=sender, body_text="Sale", body_html=HTML)  # type: ignore[arg-type]


class Seen:
    """A body on screen, and which pictures were asked for."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.stage, self.qtbot = stage, qtbot
        self.asked: list[str] = []
        self.body = BodyView(stage.context)
        self.body.resize(600, 400)
        self.body.show()
        self.bar = self.body.findChild(RemoteImagesBar)

    def show(self, one: Message, asked: int) -> None:
        """A mail; until the end `asked` pictures were asked for in all, and no more."""
        self.body.show_message(one)
        self.qtbot.waitUntil(lambda: self.body.web is not None)
        view = self.body.web
        fetcher = view._server.fetcher
        fetcher.fetch = lambda address, done, hops=3: (self.asked.append(address), done("", b""))  # type: ignore[method-assign]
        self.settle(asked)

    def settle(self, asked: int) -> None:
        """All that are to be asked for were, and some time passed in which others might be."""
        self.qtbot.waitUntil(lambda: len(self.asked) >= asked)
        self.qtbot.wait(250)
        assert len(self.asked) == asked

    def buttons(self) -> set[str]:
        assert self.bar is not None
        return {one.text() for one in (self.bar.load, self.bar.always, self.bar.stop) if not one.isHidden()}

    def night(self) -> bool:
        return self.body.web.page().settings().testAttribute(QWebEngineSettings.WebAttribute.ForceDarkMode)


@pytest.fixture(params=["light"])
def seen(request: pytest.FixtureRequest, tmp_path: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Seen]:
    stage = Stage(tmp_path, qapp, theme=request.param)
    made = Seen(stage, qtbot)
    yield made
    made.body.close()
    made.body.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    stage.close()


def test_pictures_come_when_asked_for_and_pixels_never(seen: Seen) -> None:
    assert seen.bar is not None
    seen.show(mail(), asked=0)
    assert seen.body.notice == "Images are off: 2 remote images not loaded. Trackers blocked: t.example"
    seen.bar.load.click()
    seen.settle(2)
    assert seen.asked == ["https://cdn.example/a.png", "https://cdn.example/b.png"]
    assert "this once" in seen.body.notice
    seen.show(mail(2), asked=2)
    assert seen.body.web.refused == 0


def test_a_senders_pictures_come_from_then_on_until_taken_back(seen: Seen) -> None:
    assert seen.bar is not None
    seen.show(mail(), asked=0)
    seen.bar.always.click()
    seen.settle(2)
    assert seen.buttons() == {"Stop showing from this sender"}
    assert RemoteImageChoice(seen.stage.context.state).allowed("news@shop.EXAMPLE")
    seen.show(mail(2), asked=4)
    seen.show(mail(3, Address("other@shop.example", "Other")), asked=4)
    seen.show(mail(4), asked=6)
    seen.bar.stop.click()
    seen.settle(6)
    assert "off" in seen.body.notice
    assert not RemoteImageChoice(seen.stage.context.state).allowed(SHOP.email)


def test_the_choice_survives_the_program(seen: Seen) -> None:
    state = seen.stage.context.state
    for sender in ("a@x.example", "b@x.example"):
        RemoteImageChoice(state).allow(sender, True)
        state.sync()
        assert RemoteImageChoice(state).allowed(sender.upper())
    RemoteImageChoice(state).allow("a@x.example", False)
    assert not RemoteImageChoice(state).allowed("a@x.example")
    assert RemoteImageChoice(state).allowed("b@x.example")


@pytest.mark.parametrize("seen", ["dark"], indirect=True)
def test_light_mail_is_darkened_in_the_dark_unless_asked(seen: Seen) -> None:
    seen.show(mail(), asked=0)
    assert seen.night()
    assert seen.body._day.text() == "Show original colors"
    seen.body._day.click()
    seen.settle(0)
    assert not seen.night()
    assert seen.body._day.text() == "Show dark colors"
    seen.show(mail(2), asked=0)
    assert seen.night()
    assert web_view.SCHEME == b"mailmsg"


@pytest.mark.parametrize(
    "source",
    [
        '<img src="https://t.example/a.gif" width="1" height="1">',
        '<img src="https://t.example/a.gif" width=0>',
        '<img src="https://t.example/a.gif" style="width:1px;height:1px">',
        '<img src="https://t.example/a.gif" style="max-height:2px">',
        '<img src="https://t.example/a.gif" style="display:none">',
        '<img src="https://t.example/a.gif" style="visibility: hidden">',
        '<img src="https://t.example/a.gif" style="opacity:0">',
        '<img src="https://t.example/a.gif" hidden>',
        '<img src="https://u1.ct.example.net/wf/open?upn=abc" width=200>',
        '<img src="https://shop.example/track/open.php?u=1">',
        '<img src="https://shop.example/e2t/o/abc">',
        '<img src="https://shop.example/pixel.png?id=1">',
        '<img src="https://open.shop.example/x.png">',
        '<img src="https://email-open.shop.example/x.png">',
        '<img src="https://www.google-analytics.com/collect?v=1">',
    ],
)
def test_what_only_reports_is_known_and_never_placed(source: str) -> None:
    cleaned = clean_html(source)
    (picture,) = pictures(cleaned)
    assert picture.tracks
    assert trackers(pictures(cleaned)) == (picture.host,)
    assert placed(cleaned, str, []) == ""


@pytest.mark.parametrize(
    "address",
    [
        "https://cdn.example/logo.png",
        "https://cdn.example/openhouse/photo.jpg",
        "https://cdn.example/pixelart/cat.png",
        "https://opencollective.example/x.png",
        "https://cdn.example/a/tracksuit.jpg?w=600",
        "https://www.trackerbikes.example/bike.jpg",
    ],
)
def test_pictures_stay_pictures(address: str) -> None:
    cleaned = clean_html(f'<img src="{address}" width=600 height=40>')
    assert [one.tracks for one in pictures(cleaned)] == [False]
    assert trackers(pictures(cleaned)) == ()


def test_pictures_are_placed_in_order_and_no_more_than_enough() -> None:
    html = clean_html("".join(f'<img src="https://cdn.example/{number}.png?a=1&amp;b=2">' for number in range(MOST + 5)))
    asked: list[str] = []
    made = placed(html, "mailmsg:1/picture/{}".format, asked)
    assert asked[:2] == ["https://cdn.example/0.png?a=1&b=2", "https://cdn.example/1.png?a=1&b=2"]
    assert len(asked) == MOST
    assert made.count('src="mailmsg:1/picture/') == MOST
    assert made.count("data-remote-src") == 5
    assert 'src="cid:x"' in placed('<img src="cid:x">', str, [])


@given(st.text(max_size=60))
def test_no_words_become_markup(words: str) -> None:
    made = described(clean_html(f'<img src="https://a.example/x.png" alt="{words.replace(chr(34), "")}">'))
    assert made.count("<") <= 2
    assert "onerror" not in made.partition(">")[0]
