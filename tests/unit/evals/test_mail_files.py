"""Mail files as domain messages."""

import mailbox
from datetime import UTC, datetime
from pathlib import Path

from app.config.paths import resource
from app.domain.mail.message import SystemLabel
from app.evals.mail_files import contact_of, read_mbox, read_sample, to_message, to_text

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def test_the_sample_is_read_whole_with_threads_and_dates() -> None:
    box = read_sample(resource("sample"), NOW)
    assert len(box.mails) > 150
    dates = [mail.date for mail in box.mails.values()]
    assert dates == sorted(dates)
    answers = [mail for mail in box.mails.values() if mail.outgoing and len(box.thread(mail)) > 1]
    assert len(answers) > 20
    assert not [name for name, mail in box.mails.items() if "{{" in mail.body_text]


def test_a_contact_is_what_was_known_when_the_mail_came() -> None:
    box = read_sample(resource("sample"), NOW)
    answered = next(mail for mail in box.mails.values() if mail.outgoing and len(box.thread(mail)) > 1)
    asked = box.thread(answered)[0]
    later = [one for one in box.mails.values() if one.sender == asked.sender and one.date > answered.date]
    assert contact_of([asked], asked) is None
    for mail in later:
        card = box.contact(mail)
        assert card is not None
        assert card.sent >= 1


def test_a_damaged_mail_is_read_as_far_as_it_goes() -> None:
    mail = to_message(b"From: =?x?q?=\nTo: \nSubject: \xff\n\nBody \xe9", 1, NOW, frozenset({SystemLabel.INBOX}))
    assert mail.body_text.startswith("Body")
    assert to_message(b"", 2, NOW, frozenset()).sender.email == ""


def test_html_becomes_text() -> None:
    assert to_text("<style>x</style><p>One &amp; two</p><div style='display:none'>hidden</div>three").split() == [
        "One",
        "&",
        "two",
        "three",
    ]


def test_an_mbox_is_read_in_order(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "two.mbox")
    box.add(b"From: a@b.example\nSubject: One\n\nHello")
    box.add(b"From: c@d.example\nSubject: Two\n\nHello")
    box.close()
    assert [mail.subject for mail in read_mbox(tmp_path / "two.mbox")] == ["One", "Two"]
