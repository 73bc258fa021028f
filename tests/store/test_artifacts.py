"""Files by handle: only what the app made, unchanged, inside its folder."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import NotFound, Refused
from app.store.artifacts import ArtifactFolder
from fakes.stored_mail import NOON


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
    with pytest.raises(Refused):
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
    with pytest.raises(Refused, match="changed outside"):
        folder.read(changed.id)
    linked = tmp_path / "artifacts" / ("0" * 64)
    linked.symlink_to(tmp_path)
    assert not folder.has("0" * 64)


@given(st.text(max_size=80))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_other_text_is_a_handle(folder: ArtifactFolder, text: str) -> None:
    assert not folder.has(text)
    with pytest.raises(NotFound):
        folder.read(text)


def test_what_cannot_be_read_is_refused(folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    made = folder.write("a.md", b"a")

    def broken(_path: Path) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "read_bytes", broken)
    with pytest.raises(Refused, match="Input/output error"):
        folder.read(made.id)


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
