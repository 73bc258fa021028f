"""Labels and threads of archived mails, where several marks say something."""

from app.domain.mail import SystemLabel
from app.mail.imports.filing import PREFIX, labels_of, thread_of


def test_a_folder_says_nothing_where_takeout_does() -> None:
    assert labels_of(b"X-Gmail-Labels: Work\n\nWords", "", "Some folder") == [f"{PREFIX}Work"]
    assert labels_of(b"Subject: One\n\nWords", "", "Some folder") == [f"{PREFIX}Some folder"]


def test_an_mbox_tells_of_a_star() -> None:
    assert labels_of(b"X-Status: AF\n\nWords", "", "") == [SystemLabel.STARRED.value]
    assert labels_of(b"X-Status: A\n\nWords", "", "") == []


def test_a_thread_is_its_first_mails() -> None:
    """`References` begin with the first mail of a thread; `In-Reply-To` names the one before."""
    first = thread_of(b"Message-ID: <1@b.example>\n\n", "a")
    answer = b"Message-ID: <3@b.example>\nIn-Reply-To: <2@b.example>\nReferences: <1@b.example> <2@b.example>\n\n"
    assert thread_of(answer, "c") == first
    assert thread_of(b"Message-ID: <2@b.example>\nIn-Reply-To: <1@b.example>\n\n", "b") == first
