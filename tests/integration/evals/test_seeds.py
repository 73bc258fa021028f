"""The shipped examples as texts: enough of them, of every kind, and nothing of the sample mailbox in them."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.language.words import WORD
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import Category, Decision
from app.evals.judgement_mail import Seed, as_mail, load_seeds, to_message
from app.evals.train_judgement import own_rows, threat_rows, train, train_wishes
from fakes.providers.sample_box import SampleBox, contact_of

GRAM = 5
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def seeds() -> tuple[Seed, ...]:
    return load_seeds()


def grams(text: str) -> set[tuple[str, ...]]:
    """All runs of five words, lower case."""
    found = [word.lower() for word in WORD.findall(text)]
    return {tuple(found[at : at + GRAM]) for at in range(len(found) - GRAM + 1)}


def test_there_are_enough_of_every_kind(seeds: tuple[Seed, ...]) -> None:
    assert len(seeds) >= 260
    kinds = Counter((seed.decision, seed.category) for seed in seeds)
    assert {kind[1] for kind in kinds} == set(Category)
    assert {kind[0] for kind in kinds} == set(Decision)
    assert min(kinds.values()) >= 15
    assert 0.15 < sum(seed.language == "cs" for seed in seeds) / len(seeds) < 0.4


def test_no_seed_is_there_twice(seeds: tuple[Seed, ...]) -> None:
    assert not [text for text, count in Counter(seed.text for seed in seeds).items() if count > 1]


def test_no_seed_shares_five_words_in_a_row_with_the_sample(seeds: tuple[Seed, ...], box: SampleBox) -> None:
    theirs = set[tuple[str, ...]]()
    for mail in box.mails.values():
        theirs |= grams(mail.subject) | grams(mail.body_text)
    assert len(theirs) > 5000
    shared = {seed.subject: found for seed in seeds if (found := (grams(seed.subject) | grams(seed.body)) & theirs)}
    assert not shared


def test_marks_become_what_the_mailbox_would_know(seeds: tuple[Seed, ...]) -> None:
    assert {mark for seed in seeds for mark in seed.marks} <= {"list", "id", "bulk", "auto", "known", "reply", "cc", "blind"}
    plain = seeds[0]
    marked = Seed(
        plain.decision, plain.category, "en", "S", "B", plain.sender, frozenset({"list", "auto", "known", "reply", "cc"})
    )
    message, thread, contact = as_mail(marked)
    assert message.header("List-Unsubscribe")
    assert message.header("Auto-Submitted") == "auto-generated"
    assert len(message.to) == 4
    assert contact is not None
    assert SystemLabel.SENT in thread[0].labels
    assert message.in_reply_to == thread[0].rfc822_id


def test_training_again_gives_the_same_weights(tmp_path: Path) -> None:
    labelled = Path(__file__).resolve().parents[2] / "data" / "judgement"
    for name in ("owners.json", "tuning-shop.jsonl", "tuning-lawyer.jsonl", "threats-tuning.jsonl", "wishes-tuning.txt"):
        lines = (labelled / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / name).write_text("".join(lines if name == "owners.json" else lines[:20]), encoding="utf-8")
    wishes = train_wishes(tmp_path)
    assert wishes.shipped == train_wishes(tmp_path).shipped
    rows = own_rows(tmp_path, wishes)
    first = train(rows, threat_rows(tmp_path))
    assert first == train(rows, threat_rows(tmp_path))
    assert {"respond", "ignore", "phishing"} <= first.keys()


def test_the_sample_is_read_whole_with_threads_and_dates(box: SampleBox) -> None:
    assert len(box.mails) > 150
    dates = [mail.date for mail in box.mails.values()]
    assert dates == sorted(dates)
    answers = [mail for mail in box.mails.values() if mail.outgoing and len(box.thread(mail)) > 1]
    assert len(answers) > 20
    assert not [name for name, mail in box.mails.items() if "{{" in mail.body_text]


def test_a_contact_is_what_was_known_when_the_mail_came(box: SampleBox) -> None:
    answered = next(mail for mail in box.mails.values() if mail.outgoing and len(box.thread(mail)) > 1)
    asked = box.thread(answered)[0]
    later = [one for one in box.mails.values() if one.sender == asked.sender and one.date > answered.date]
    assert contact_of([asked], asked) is None
    for mail in later:
        card = box.contact(mail)
        assert card.sent >= 1


def test_a_damaged_mail_is_read_as_far_as_it_goes() -> None:
    mail = to_message(b"From: =?x?q?=\nTo: \nSubject: \xff\n\nBody \xe9", 1, NOW, frozenset({SystemLabel.INBOX}))
    assert mail.body_text.startswith("Body")
    assert to_message(b"", 2, NOW, frozenset()).sender.email == ""
