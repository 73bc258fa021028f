"""Files by handle: only what the app made, unchanged, inside its folder.

Files that drafts and requests name, and for how long.
"""

import os
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from app.domain.agents.requests import Capability, PlannedStep, StepResult
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, RequestId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.db.database import Database
from app.store.outbox import Outbox
from app.store.requests.artifacts import ArtifactFolder, documents_named_in, named_documents
from app.store.requests.requests import Requests, RequestSteps
from app.store.reviews.reviews import Reviews
from fakes.engine.store.values import NOON, HandClock, draft, new_outbox, proposal


@pytest.fixture
def folder(tmp_path: Path) -> ArtifactFolder:
    return ArtifactFolder(tmp_path / "artifacts")


def test_what_was_written_is_read_by_its_handle(folder: ArtifactFolder, tmp_path: Path) -> None:
    made = folder.write("Zápis (1).md", b"ahoj")
    assert (made.name, made.size, made.id) == ("Zápis (1).md", 4, made.sha256)
    assert folder.has(made.id)
    assert folder.read(made.id) == (made, b"ahoj")
    assert folder.write("other.md", b"ahoj") == made
    assert (tmp_path / "artifacts" / made.id / made.name).stat().st_mode & 0o077 == 0
    assert not list((tmp_path / "artifacts").glob("*.part"))


@pytest.mark.parametrize(
    "name", ["../x.md", "/etc/x.md", ".hidden.md", "a/b.md", "", "x" * 200, "a\nb.md", "con\x00.md", "x.", "~x.md", "_x.md"]
)
def test_names_lead_nowhere(folder: ArtifactFolder, name: str) -> None:
    with pytest.raises(NotAllowed):
        folder.write(name, b"x")


def test_links_and_changed_files_are_not_read(folder: ArtifactFolder, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_bytes(b"secret")
    made = folder.write("a.md", b"a")
    place = tmp_path / "artifacts" / made.id / "a.md"
    place.unlink()
    place.symlink_to(secret)
    assert not folder.has(made.id)
    with pytest.raises(NotFound):
        folder.read(made.id)
    changed = folder.write("b.md", b"b")
    (tmp_path / "artifacts" / changed.id / "b.md").write_bytes(b"c")
    with pytest.raises(NotAllowed, match="changed outside"):
        folder.read(changed.id)
    linked = tmp_path / "artifacts" / ("0" * 64)
    linked.symlink_to(tmp_path)
    assert not folder.has("0" * 64)


def test_a_copy_may_be_changed_and_the_file_stays_what_it_is(folder: ArtifactFolder, tmp_path: Path) -> None:
    made = replace(folder.write("a.md", b"a"), name="../Zpráva: 1.md")
    copy = folder.copy_out(made)
    assert (copy.read_bytes(), copy.name) == (b"a", "_Zpráva_ 1.md")
    assert copy.is_relative_to(tmp_path / "artifacts" / "opened")
    assert copy.stat().st_mode & 0o077 == 0
    assert folder.copy_out(made) == copy
    copy.write_bytes(b"typed over")
    other = folder.copy_out(made)
    assert (other != copy, other.read_bytes(), copy.read_bytes()) == (True, b"a", b"typed over")
    assert folder.read(made.id)[1] == b"a"
    with pytest.raises(NotFound):
        folder.copy_out(replace(made, id="opened"))


def aged(path: Path, days: int) -> None:
    """Everything below is so old."""
    then = NOON.timestamp() - days * 86400
    for one in (*path.rglob("*"), path):
        os.utime(one, (then, then))


def test_a_sweep_takes_what_is_old_and_named_by_nothing(folder: ArtifactFolder, tmp_path: Path) -> None:
    named, old, young, wanted_again = (folder.write(f"{name}.md", name.encode()) for name in ("named", "old", "young", "again"))
    copy = folder.copy_out(old)
    aged(tmp_path / "artifacts", 40)
    os.utime(tmp_path / "artifacts" / young.id / "young.md")
    folder.write("again.md", b"again")
    assert folder.sweep({named.id}, NOON - timedelta(days=30)) == 2
    assert [folder.has(one.id) for one in (named, old, young, wanted_again)] == [True, False, True, True]
    assert not copy.exists()


def test_only_what_is_named_is_kept(folder: ArtifactFolder, tmp_path: Path) -> None:
    kept, gone = folder.write("kept.md", b"kept"), folder.write("gone.md", b"gone")
    folder.copy_out(kept)
    (tmp_path / "artifacts" / "stray.pdf").write_bytes(b"stray")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_bytes(b"mine")
    (tmp_path / "artifacts" / "link").symlink_to(outside)
    folder.keep_only({kept.id})
    assert (folder.has(kept.id), folder.has(gone.id)) == (True, False)
    assert [one.name for one in (tmp_path / "artifacts").iterdir()] == [kept.id]
    assert (outside / "precious").exists()
    ArtifactFolder(tmp_path / "nowhere").keep_only(())


REPORT, TABLE = (ArtifactHandle(digit * 64, "a.md", digit * 64, 1) for digit in "12")
WITH = replace(draft(), attachments=(REPORT,))


def named(db: Database) -> frozenset[str]:
    """What is named now, read both ways."""
    with db.reading() as connection:
        found = named_documents(connection)
    assert documents_named_in(db.path) == found
    return found


def test_a_draft_that_waits_or_may_come_back_names_its_files(db: Database, clock: HandClock) -> None:
    reviews, outbox = Reviews(db, clock), Outbox(db, clock)
    review_id = reviews.open(proposal("ask-1", message=0, thread=-1, what=WITH), "step-1")
    assert named(db) == {REPORT.id}
    without = Decide(review_id, 1, Action.EDIT, replace(WITH, attachments=()))
    outbox_id = reviews.decide(without, new_outbox(review_id), ReviewStatus.APPROVED, None).outbox_id
    assert named(db) == {REPORT.id}, "an undo brings the review back, and the file can be put back"
    for old, new in pairwise(PATH):
        outbox.move(outbox_id, old, new)  # type: ignore[arg-type]
    assert named(db) == frozenset()


PATH = (OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.SENT)


def test_a_request_names_what_its_steps_have_made(db: Database, clock: HandClock, account: AccountId) -> None:
    request = RequestId("11111111-0000-4000-8000-00000000000a")
    requests, steps = Requests(db, clock), RequestSteps(db, clock)
    requests.add(AskAssistant(request, account, "Write a table."))
    requests.plan(request, (PlannedStep(Capability.CREATE_DOCUMENT, "Write it."),), "rules", run=True)
    assert steps.begin(request, 0)
    steps.finish(request, 0, StepResult("{}", documents=(TABLE,)))
    assert named(db) == {TABLE.id}


def test_a_rejected_draft_names_nothing_and_feedback_keeps(db: Database, clock: HandClock) -> None:
    reviews = Reviews(db, clock)
    review_id = reviews.open(proposal("ask-1", message=0, thread=-1, what=replace(WITH, maker="openai/gpt")), "step-1")
    reviews.decide(Decide(review_id, 1, Action.RESPOND, text="shorter"), None, ReviewStatus.ANSWERED, None)
    assert named(db) == {REPORT.id}
    reviews.revise(review_id, reviews.review(review_id).proposal)
    reviews.decide(Decide(review_id, 2, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    assert named(db) == frozenset()
