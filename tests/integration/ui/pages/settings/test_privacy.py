"""Privacy: what leaves as the settings say, whose pictures load, words taught to the spelling; each goes with a way back."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton

from app.domain.agents.runs import ModelCall
from app.domain.ids import RunId
from app.store.db.database import Database
from app.store.runs.model_calls import ModelCalls
from app.ui.editor.spelling import known_words, teach
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.privacy import PrivacySection, SentDialog, host_of, is_here
from fakes.window.keyboard import press
from fakes.window.page_setup import NOW, Stage, cut, nameless


def section(stage: Stage, settings: str = "") -> PrivacySection:
    stage.data.settings.write_text(settings)
    page: SettingsPage = SettingsPage(stage.context)
    stage.show(page, 1000)
    page.show_section("privacy")
    assert not nameless(page)
    assert not cut(page)
    found = page.sections["privacy"]
    assert isinstance(found, PrivacySection)
    found.window().setProperty("kept", page)
    return found


@pytest.mark.parametrize(
    ("settings", "said", "unsaid"),
    [
        ("", "No language model", "sent to"),
        ('[model]\nname = "openai/gpt-5-mini"\n', "sent to OpenAI", "on this computer"),
        ('[model]\nname = "ollama_chat/qwen3"\n', "model on this computer", "No language model"),
        ('[model]\nname = "ollama_chat/qwen3"\napi_base = "http://box.lan:11434"\n', "sent to box.lan", "on this computer"),
        ('[model]\nname = "openai/x"\napi_base = "http://[::1]:8080/v1"\n', "model on this computer", "OpenAI"),
        ('[web]\nsearxng = "https://find.example/s"\n', "search for goes to find.example", "Agents may read"),
        ('[web]\nsites = ["docs.example"]\n', "pages on: docs.example", "search for"),
        ("[calendar]\nconnected = true\n", "meetings you approve", "pages on"),
    ],
)
def test_what_leaves_is_said_as_it_is_set(stage: Stage, settings: str, said: str, unsaid: str) -> None:
    words = section(stage, settings).leaving.text()
    assert said in words
    assert unsaid not in words.replace("Mail goes to", "")


def test_senders_of_pictures_and_words_are_taken_off_with_a_way_back(stage: Stage) -> None:
    choice = RemoteImageChoice(stage.context.state)
    form = section(stage)
    assert form.senders.shown == form.words.shown == ()
    for sender, word in (("News@shop.example", "Brno"), ("ana@a.example", "alfa")):
        choice.allow(sender, True)
        teach(stage.context.state, word, True)
    form.hide()
    form.show()
    assert form.senders.shown == ("ana@a.example", "news@shop.example")
    assert form.words.shown == ("alfa", "Brno")
    form.senders.findChildren(QToolButton)[-1].click()
    assert not choice.allowed("news@shop.example")
    assert form.senders.shown == ("ana@a.example",)
    stage.neighbours.offers.pop()()
    assert choice.allowed("news@shop.example")
    assert form.senders.shown == ("ana@a.example", "news@shop.example")
    first = form.words.findChildren(QToolButton)[0]
    first.setFocus()
    press("Space", on=first)
    held = form.focusWidget()
    assert isinstance(held, QToolButton) and held.accessibleName() == "Remove Brno", "the keyboard goes to the next"
    assert known_words(stage.context.state) == {"Brno"}
    stage.neighbours.offers.pop()()
    assert form.words.shown == ("alfa", "Brno")


def test_what_left_is_listed_by_day_and_host_and_goes_out(stage: Stage, tmp_path: Path) -> None:
    form = section(stage)
    assert form.sent.words.text() == "Nothing in the last 30 days."
    assert not form.sent.export.isEnabled()
    with closing(Database.open(stage.data.database)) as db:
        calls = ModelCalls(db, lambda: NOW)
        for kind, people in (("triage", ("ann@a.example",)), ("generate", ("ann@a.example", "bob@b.example")), ("plan", ())):
            mails = tuple(range(len(people)))
            calls.model_call(
                ModelCall(
                    RunId("r"), kind, "openai/x", 100, 20, 0.25, 5.0, "api.example", 2000, "", NOW, 300, "ab", mails, people
                )
            )
    form.hide()
    form.show()
    line = form.sent.words.text()
    assert "api.example: 3 requests, " in line and "words of 2 people" in line and "0.75" in line
    form.sent.show_all.click()
    dialog = next(one for one in form.window().findChildren(SentDialog) if one.isVisible())
    rows = [[dialog.table.item(at, place).text() for place in (1, 2, 4)] for at in range(3)]  # type: ignore[union-attr]
    assert rows == [
        ["Planning", "api.example", "Your request"],
        ["Draft", "api.example", "ann@a.example, bob@b.example (2 messages)"],
        ["Sorting", "api.example", "ann@a.example"],
    ]
    dialog.close()
    form.sent.save(tmp_path / "out.csv")
    form.sent.save(tmp_path / "out.jsonl")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 4
    assert [json.loads(one)["call_type"] for one in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        "plan",
        "generate",
        "triage",
    ]


def test_addresses_of_this_computer() -> None:
    assert is_here("localhost") and is_here("127.0.0.1") and is_here("::1")
    assert not is_here("") and not is_here("10.0.0.2") and not is_here("localhost.example")
    assert host_of("https://a.example:80/x") == "a.example"
    assert host_of("http://[broken") == ""
