"""Files of drafts as bytes: what was proposed or nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.artifacts import Handle
from app.domain.errors import Refused
from app.domain.letter import MOST_FILE_BYTES, FileContent
from app.engine.draft_files import contents, file_type
from app.store.artifacts import ArtifactFolder
from fakes.stored_mail import draft


@pytest.fixture
def folder(tmp_path: Path) -> ArtifactFolder:
    return ArtifactFolder(tmp_path / "artifacts")


def test_the_bytes_of_each_file_under_the_name_that_was_shown(folder: ArtifactFolder) -> None:
    report, table = folder.write("report.pdf", b"%PDF"), folder.write("table.csv", b"a;b")
    shown = replace(draft(), attachments=(replace(report, name="Zpráva.pdf"), table))
    assert contents(shown, folder) == (
        FileContent("Zpráva.pdf", "application/pdf", b"%PDF"),
        FileContent("table.csv", "text/csv", b"a;b"),
    )
    assert contents(draft(), folder) == ()


def test_what_is_gone_changed_or_another_is_refused_by_name(folder: ArtifactFolder, tmp_path: Path) -> None:
    made, other = folder.write("report.md", b"one"), folder.write("other.md", b"two")
    swapped = replace(made, id=other.id)
    with pytest.raises(Refused, match=r"report\.md is another file"):
        contents(replace(draft(), attachments=(swapped,)), folder)
    place = tmp_path / "artifacts" / made.id / "report.md"
    place.write_bytes(b"two")
    with pytest.raises(Refused, match=r"report\.md was changed"):
        contents(replace(draft(), attachments=(made,)), folder)
    place.unlink()
    with pytest.raises(Refused, match=r"report\.md is not kept"):
        contents(replace(draft(), attachments=(made,)), folder)


@pytest.mark.parametrize("named", ["../../etc/passwd", "/etc/passwd", "report.md", "0" * 63, ""])
def test_a_path_is_no_handle(folder: ArtifactFolder, named: str) -> None:
    folder.write("report.md", b"one")
    with pytest.raises(Refused, match="not kept"):
        contents(replace(draft(), attachments=(Handle(named, "x.md", named, 3),)), folder)


def test_too_much_is_refused_before_it_is_read(folder: ArtifactFolder) -> None:
    heavy = tuple(Handle("0" * 64, f"{one}.bin", "0" * 64, MOST_FILE_BYTES // 2 + 1) for one in range(2))
    with pytest.raises(Refused, match="25 MB"):
        contents(replace(draft(), attachments=heavy), folder)


@pytest.mark.parametrize(("name", "kind"), [("a.pdf", "application/pdf"), ("a.csv.gz", "application/octet-stream"), ("a", "")])
def test_the_type_is_told_by_the_name(name: str, kind: str) -> None:
    assert file_type(name) == (kind or "application/octet-stream")
