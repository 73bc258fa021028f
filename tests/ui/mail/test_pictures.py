"""Remote pictures: which only report, what takes the place of those that are off, where loaded ones are asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mail.clean import clean_html
from app.ui.mail.pictures import MOST, described, pictures, placed, trackers

PHOTO = '<img data-remote-src="https://cdn.example/photo.jpg" width="600" height="200" alt="A photo">'


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
    assert placed(cleaned, lambda address: "mailmsg:1/picture/0") == ""


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

    def place(address: str) -> str:
        asked.append(address)
        return f"mailmsg:1/picture/{len(asked) - 1}"

    made = placed(html, place)
    assert asked[:2] == ["https://cdn.example/0.png?a=1&b=2", "https://cdn.example/1.png?a=1&b=2"]
    assert len(asked) == MOST
    assert made.count('src="mailmsg:1/picture/') == MOST
    assert made.count("data-remote-src") == 5
    assert 'src="cid:x"' in placed('<img src="cid:x">', place)


def test_words_stand_for_a_picture_that_is_off_in_its_size() -> None:
    made = described(PHOTO)
    assert made == '<span data-remote-src="" style="display:inline-block;width:600px;height:200px">A photo</span>'
    assert described('<img data-remote-src="https://a.example/x.png">') == '<img data-remote-src="https://a.example/x.png">'
    assert described('<img alt="x" src="cid:1">') == '<img alt="x" src="cid:1">'


@given(st.text(max_size=60))
def test_no_words_become_markup(words: str) -> None:
    made = described(clean_html(f'<img src="https://a.example/x.png" alt="{words.replace(chr(34), "")}">'))
    assert made.count("<") <= 2
    assert "onerror" not in made.partition(">")[0]
