"""Takeout's own labels in the account's language; what is not known stays the owner's.

Labels and threads of archived mails, where several marks say something.
"""

import unicodedata

import pytest

from app.domain.mail.message import SystemLabel
from app.mail.archives.filing import PREFIX, labels_of, thread_of


def labelled(names: str) -> list[str]:
    """The labels of a mail whose header says so."""
    return labels_of(f"X-Gmail-Labels: {names}\nSubject: x\n\nx\n".encode(), "", "")


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        ("Inbox,Important,Opened,Category Personal", ["CATEGORY_PERSONAL", "IMPORTANT"]),
        ("Archived,Sent,Trips", ["SENT", "archive:Trips"]),
        ("Category Reservations,Opened", ["CATEGORY_RESERVATIONS"]),
        ("=?UTF-8?Q?Odesl=C3=A1no,Nep=C5=99e=C4=8Dten=C3=A9?=", ["SENT"]),
        ("=?UTF-8?Q?Archivov=C3=A1no,Kategorie:_Soci=C3=A1?=\n"
         " =?UTF-8?Q?ln=C3=AD_s=C3=ADt=C4=9B,Nep=C5=99e=C4=8Dten=C3=A9,Facebook?=", ["CATEGORY_SOCIAL", "archive:Facebook"]),
        ("=?UTF-8?Q?Posteingang,Wichtig,Ungelesen,Kategorie:_=22Neuigkeiten=22?=", ["CATEGORY_UPDATES", "IMPORTANT"]),
        ('Projekte/Alpha,Posteingang,Markiert,"Kategorie: ""Soziale Medien"""',
         ["CATEGORY_SOCIAL", "STARRED", "archive:Projekte/Alpha"]),
        ("=?UTF-8?Q?Archiv=C3=A9s,Envoy=C3=A9?=", ["SENT"]),
        ("=?UTF-8?Q?Messages_archiv=C3=A9s,Ouvert,Cat=C3=A9gorie=C2=A0:_E-mails_?=\n"
         ' =?UTF-8?Q?personnels,"Culture,_associations"?=', ["CATEGORY_PERSONAL", "archive:Culture, associations"]),
        ("=?UTF-8?Q?Bo=C3=AEte_de_r=C3=A9ception,Non_lus,Forward?=", ["archive:Forward"]),
        ("Ongelezen,Gearchiveerd,Werk", ["archive:Werk"]),
        ("Da leggere,Cestino", ["TRASH"]),
        ("ОТПРАВЛЕННЫЕ,Черновики,Дом", ["DRAFT", "SENT", "archive:Дом"]),
    ],
)  # fmt: skip
def test_gmails_own_labels_are_known_in_the_accounts_language(names: str, labels: list[str]) -> None:
    assert labelled(names) == labels


def test_a_name_that_nobody_knows_is_the_owners_label() -> None:
    assert labelled("Kategorie: Nová,Roskakori") == ["archive:Kategorie: Nová", "archive:Roskakori"]


def test_a_name_written_with_accents_apart_is_the_same_one() -> None:
    assert labelled(unicodedata.normalize("NFD", "Koš,Nepřečtené")) == ["TRASH"]


def test_a_maildir_folder_is_known_by_its_name() -> None:
    assert labels_of(b"Subject: x\n\nx\n", "", "Papierkorb") == ["TRASH"]


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
