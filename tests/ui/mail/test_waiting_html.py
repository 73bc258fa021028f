"""HTML that waits to be cleaned: its words are shown at once, the engine is asked once, and nothing else of it is."""

from dataclasses import replace

from app.domain.account_commands import PrepareHtml
from app.ui.mail.body import BodyView
from fakes.local_mail import mail
from fakes.page_stage import Stage


def test_the_engine_is_asked_once_and_the_words_are_there_meanwhile(lively_stage: Stage) -> None:
    body = BodyView(lively_stage.context)
    waiting = replace(mail("Hello from Ann", number=7), html_waits=True)
    body.show_message(waiting)
    assert body.text == "Hello from Ann"
    assert lively_stage.engine.commands == [PrepareHtml(waiting.id)]
    body.show_message(replace(waiting, labels=frozenset()))
    assert lively_stage.engine.commands == [PrepareHtml(waiting.id)], "a change of labels asks for nothing again"
    body.show_message(replace(waiting, html_waits=False))
    assert lively_stage.engine.commands == [PrepareHtml(waiting.id)]
    body.deleteLater()


def test_a_mail_that_is_ready_asks_for_nothing(lively_stage: Stage) -> None:
    body = BodyView(lively_stage.context)
    body.show_message(mail("Plain", number=8))
    assert lively_stage.engine.commands == []
    body.deleteLater()
