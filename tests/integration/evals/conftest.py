"""The sample mailbox, its mail with expected verdicts, and drafts for what wants an answer."""

from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np
import pytest
from ruamel.yaml import YAML

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.language.times import WorkingHours
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.config.paths import resource
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import RedFlag
from app.domain.mail.triage import Category
from app.domain.record import Record
from app.evals.judgement_mail import LabelledMail
from app.evals.replies import answer_to_all, nearest_replies, warnings
from fakes.providers.sample_box import SampleBox, read_sample


class DraftCase(Record):
    """A mail that wants an answer, with its draft and the warnings of it as an answer to all.

    `wanted` is the file of the expected own reply or empty, `used` that of the one used.
    """

    file: str
    wanted: str
    draft: Draft
    used: str
    flags: tuple[RedFlag, ...]


@pytest.fixture(scope="session")
def box() -> SampleBox:
    return read_sample(resource("sample"), datetime(2026, 3, 10, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def expected() -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = YAML(typ="safe", pure=True).load(resource("sample", "expected.yaml"))
    return found


@pytest.fixture(scope="session")
def labelled(box: SampleBox, expected: list[Mapping[str, str]]) -> list[LabelledMail]:
    found = []
    for entry in expected:
        mail, spam = box.mails[entry["file"]], entry["category"] == Category.SPAM
        known = (box.thread(mail), box.account, box.contact(mail), entry["decision"], spam)
        found.append(LabelledMail(entry["file"], "sample", mail, *known, category=entry["category"]))
    return found


@pytest.fixture(scope="session")
def drafted(box: SampleBox, expected: list[Mapping[str, str]]) -> list[DraftCase]:
    triage, embedder = LocalTriage(), MiniLm.open()
    vectors = {mail.id: np.asarray(embedder.embed([text_of(mail)])[0]) for mail in box.mails.values()}
    pairs = []  # earlier questions with the owner's answer that followed in the conversation
    for mail in box.mails.values():
        before = [one for one in box.thread(mail) if not one.outgoing and one.date < mail.date]
        if mail.outgoing and before:
            pairs.append((before[-1], mail))
    name_of = {mail.id: name for name, mail in box.mails.items()}
    drafted = []
    for entry in (one for one in expected if one["decision"] == "respond"):
        mail = box.mails[entry["file"]]
        thread, contact, hours = box.thread(mail), box.contact(mail), WorkingHours(box.zone)
        verdict = triage.judge(mail, thread, box.account, vectors[mail.id].tolist(), contact)
        replies = nearest_replies(mail, pairs, vectors)
        draft, sources = draft_without_model(mail, thread, box.account, contact, replies, (), verdict, hours=hours)
        used = name_of[sources[0].message_id] if draft.maker == OWN_REPLY else ""
        earlier = [one for one in box.mails.values() if one.date < mail.date]
        flags = warnings(answer_to_all(draft, mail, box.account), sources, mail, box.account, earlier)
        drafted.append(DraftCase(entry["file"], entry.get("answer_from", ""), draft, used, flags))
    return drafted
