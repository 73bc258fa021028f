"""A damaged place is no place: the window starts, every page opens, and what is whole of the place is used."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.store.mailbox import SqliteMailbox
from app.ui.application import WindowOptions, build_window
from app.ui.furnishing import first_page
from app.ui.main_window import MainWindow
from app.ui.whereabouts import LARGEST, LARGEST_LONG, Whereabouts, kept_spot, long_number, long_numbers, number
from fakes.lively_store import LivelyStore
from fakes.recorded_engine import RecordedEngine

DAMAGED = ("x", "", "7.5", "²", "1" * 5000, -(10**30), 10**30)


@pytest.mark.parametrize("value", DAMAGED)
def test_what_is_no_number_is_none(value: str | int) -> None:
    assert (number({"y": value}, "y"), long_number({"y": value}, "y")) == (0, 0)
    assert long_numbers({"y": value}, "y") in ([], [0])
    assert number({}, "y") == long_number({}, "y") == 0


def test_numbers_are_read_however_they_are_written() -> None:
    assert number({"y": 300}, "y") == number({"y": "300"}, "y") == 300
    assert (number({"y": LARGEST + 1}, "y"), long_number({"y": LARGEST + 1}, "y")) == (0, LARGEST + 1)
    assert (number({"y": -3}, "y"), long_number({"y": -3}, "y")) == (0, -3)
    assert long_numbers({"rows": "3 x 12 ² 7"}, "rows") == [3, 12, 7]


def test_what_could_not_be_written_again_is_not_kept(tmp_path: Path) -> None:
    assert kept_spot({"a": 10**30, "b": LARGEST_LONG, "c": "half \ud800", "d": 1.5, "e": None, "f": "whole"}) == {
        "b": LARGEST_LONG,
        "f": "whole",
    }
    file, owner = tmp_path / "whereabouts.json", QObject()
    file.write_text("[" * 100_000)
    assert Whereabouts(file, owner).at("mail") == {}, "nested too deep to be read"


def parts(**spots: dict[str, object]) -> dict[str, str]:
    """As `Parts` writes them."""
    return {name: json.dumps([spot]) for name, spot in spots.items()}


def damaged(store: LivelyStore, bad: object) -> dict[str, object]:
    """Where somebody was on every page, with each number but those that name the thing replaced."""
    thread, review = int(store.mails["m01"].thread_id), store.reviews["plain"]
    message = str(store.mails["m01"].id)
    at = {"at": bad, "from": bad, "y": bad}
    words = {"text": "half a", "text.at": bad, "text.from": bad}
    listed = {"row": bad, "top": str(thread), "above": bad}
    return {
        "window": {"page": "long ago", "search": "half"},
        "mail": {"list": "inbox", "message": bad, "thread": bad, **listed},
        "mail.parts": parts(
            selected={"list": "inbox", "rows": f"{bad} {thread}"},
            dialog={"kind": "snooze", "threads": f"{bad} {thread}", "at": bad},
            reading={"thread": thread, "about": bad, **at},
        ),
        "review": {"row": str(review), "top": str(review), "above": bad, "decided": 0},
        "review.parts": parts(
            original={"about": message, "y": bad, "unfolded": bad},
            draft={"about": f"{review}.1", **at},
            why={"about": f"{review}.1", "y": bad},
            later={"about": f"{review}.1", "at": bad},
        ),
        "outbox": listed,
        "activity": listed,
        "activity.parts": parts(steps={"run": "", "open": f"{bad} 1", "y": bad}, charts={"y": bad}),
        "memory.parts": parts(typed={"adding": 0, "about": bad, "group": bad, **words}),
        "templates.parts": parts(typed={"id": bad, "name": "half", "name.at": bad, "name.from": bad}),
        "settings": {"section": bad},
        "compose.parts": parts(caret={"about": "l1", "field": bad, **at}, form={"y": bad}, asked={"about": bad, "at": bad}),
    }


def again(qtbot: QtBot, data: DataFolder, store: LivelyStore) -> MainWindow:
    """A window over the folder as it lies there, begun where its file says."""
    made = build_window(data, SqliteMailbox(data.database), RecordedEngine(), WindowOptions(clock=store.clock))
    made.resize(1280, 820)
    qtbot.addWidget(made, before_close_func=lambda one: one._context.reader.close())
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    return made


@pytest.mark.parametrize(
    "bad", ["x", pytest.param(10**30, marks=pytest.mark.soak), pytest.param(LARGEST_LONG, marks=pytest.mark.soak)]
)
def test_every_page_opens_over_a_damaged_place(qtbot: QtBot, data: DataFolder, store: LivelyStore, bad: object) -> None:
    data.whereabouts.write_text(json.dumps(damaged(store, bad)))
    window = again(qtbot, data, store)
    assert (window.name, first_page(window._context)) == ("review", "review"), "that page is gone"
    assert window.search.text() == "half"
    for page in ("inbox", "outbox", "assistant", "activity", "memory", "templates", "settings", "compose", "review"):
        window.show_page(page)
    review = window.review_page.current_review()
    assert review is not None and review.id == store.reviews["plain"], "what is whole is used"
    memory = window.page("memory")
    assert memory.editor.text.toPlainText() == "half a", "no words are lost"  # type: ignore[attr-defined]
    window._whereabouts.save()
    json.loads(data.whereabouts.read_text())
