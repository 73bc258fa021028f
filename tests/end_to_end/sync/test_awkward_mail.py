"""A hundred awkward mails, served over HTTP, synced by the real engine, and looked at in the store."""

import asyncio
from pathlib import Path

import pytest

from app.domain.ids import GmailId
from app.domain.mail.message import Message
from app.store.mail.messages import Messages
from fakes.engine.engine_process import running_engine
from fakes.gmail.awkward_mail import awkward_bytes, awkward_names, expectations
from fakes.gmail.sandbox import running_sandbox
from fakes.gmail.sending import opened

NAMES = awkward_names()


async def _synced(folder: Path) -> dict[str, Message]:
    with running_sandbox() as sandbox:
        ids = {name: GmailId(sandbox.deliver(awkward_bytes(name))["id"]) for name in NAMES}
        async with running_engine(folder, sandbox.url, sandbox.token) as engine:
            await engine.until(lambda: engine.reader.counts().messages >= len(ids))
            account = engine.reader.accounts()[0].id
    with opened(folder) as db:
        stored = {name: Messages(db).by_gmail_id(account, gmail_id) for name, gmail_id in ids.items()}
    return {name: one for name, one in stored.items() if one is not None}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Message]:
    """Every mail as stored, by name."""
    return asyncio.run(_synced(tmp_path_factory.mktemp("awkward") / "box"))


def test_each_mail_has_its_expectation() -> None:
    assert len(NAMES) > 100
    assert set(expectations()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_awkward_mail_is_stored_as_its_reader_would_see_it(stored: dict[str, Message], name: str) -> None:
    assert expectations()[name].faults(stored[name]) == []
