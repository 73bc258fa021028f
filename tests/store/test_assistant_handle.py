"""What the window reads of requests besides their rows: what their model calls came to, and where documents lie."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.artifacts import Handle
from app.domain.assistant import Capability, PlannedStep
from app.domain.assistant_commands import Ask
from app.domain.errors import Refused
from app.domain.ids import AccountId, RequestId, RunId
from app.domain.runs import ModelCall
from app.store.artifacts import ArtifactFolder
from app.store.database import Database
from app.store.mailbox import SqliteMailbox
from app.store.model_calls import ModelCalls
from app.store.requests import Requests
from fakes.stored_mail import HandClock

ID = RequestId("11111111-0000-4000-8000-00000000000a")


def test_only_its_own_calls_count(db: Database, clock: HandClock, account: AccountId) -> None:
    requests, calls = Requests(db, clock), ModelCalls(db, clock)
    request = requests.add(Ask(ID, account, "Find it."))
    call = ModelCall(request.run_id, "plan", "openai/gpt-4o", 100, 20, 0.25, 10.0, "api.openai.com", 900, "", clock())
    for one in (call, call, replace(call, run_id=RunId("mail-1-0")), replace(call, at=clock() - timedelta(hours=1))):
        calls.model_call(one)
    reader = SqliteMailbox(db.path)
    assert reader.spent_on(request) == (2, 240, 0.5)
    requests.plan(ID, (PlannedStep(Capability.RESEARCH, "Find it."),), "rules", run=False)
    requests.stop(ID)
    assert reader.spent_on(requests.get(ID)) == (2, 240, 0.5)
    reader.close()


def test_a_document_is_what_its_handle_says(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    made = ArtifactFolder(data.artifacts).write("report.md", b"# Report")
    reader = SqliteMailbox(data.database)
    found = reader.document(made)
    assert found is not None
    assert (found.name, found.read_bytes()) == ("report.md", b"# Report")
    assert reader.document(Handle("b" * 64, "gone.md", "b" * 64, 1)) is None
    assert reader.document(replace(made, id="../../etc/passwd")) is None
    found.write_bytes(b"other")
    again = reader.document(made)
    assert again is not None and again.read_bytes() == b"# Report", "what is changed elsewhere is a copy"
    (data.artifacts / made.id / made.name).write_bytes(b"other")
    with pytest.raises(Refused):
        reader.document(made)
    reader.close()
