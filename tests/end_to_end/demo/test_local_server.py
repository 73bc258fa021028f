"""The demo's server: started from a mailbox, asked over HTTP, ended with us."""

from pathlib import Path

import psutil
import pytest

from app.demo.local_server import LocalServer, source_arguments
from app.domain.errors import BadFile
from fakes.gmail.mbox_file import MBOX


def test_it_serves_an_mbox_and_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.mbox"
    file.write_bytes(MBOX)
    server = LocalServer(source_arguments(tmp_path, file, "me@example.com"))
    try:
        assert (server.account, server.messages) == ("me@example.com", 1)
        (mail,) = server.dump()
        assert set(mail.label_ids) == {"INBOX", "UNREAD"}
        assert server.text_of(mail.id).strip() == "Are you open on Sunday?"
        assert server.sent() == []
        assert server.environment()["REPLYROOM_GOOGLE_ENDPOINT"] == server.url
    finally:
        server.close()
    assert not [child for child in psutil.Process().children() if "sandbox" in child.cmdline()]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        source_arguments(tmp_path, tmp_path / "none.mbox", "")


def test_a_source_that_cannot_be_read_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot start"):
        LocalServer(["--sample", str(tmp_path / "nowhere")])
