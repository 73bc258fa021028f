"""Archives: their boxes, labels and mails of odd shape."""

import unicodedata
from pathlib import Path

import pytest

from app.mail.archives.archive import boxes_of, mails_of
from app.mail.archives.reader import labels_of
from app.mail.archives.resource import resource_of
from app.mail.parse import parse_message

FROM = b"From - Mon Nov  2 10:00:00 2026\n"


def mbox(*names: str) -> bytes:
    """An mbox file of mails with these subjects."""
    return b"".join(FROM + f"Subject: {name}\n\nWords of {name}.\n\n".encode() for name in names)


def subjects(path: Path, box: int = 0, start: int = 0) -> list[str]:
    """What is read from that place on."""
    mails = (found.raw for _, found in mails_of(*boxes_of(path), box, start))
    return [mail.split(b"\n")[0].decode().removeprefix("Subject: ") for mail in mails if mail is not None]


def test_a_place_in_one_box_is_none_in_the_next(tmp_path: Path) -> None:
    """Reading that went on in the midst of a file must begin the files after it at their beginnings."""
    (tmp_path / "a.mbox").write_bytes(mbox("1", "2"))
    (tmp_path / "b.mbox").write_bytes(mbox("3", "4"))
    (tmp_path / "c.eml").write_bytes(b"Subject: 5\n\nWords.\n")
    places = [(number, found.start + found.length) for number, found in mails_of(*boxes_of(tmp_path))]
    assert [subjects(tmp_path, *place) for place in places[:2]] == [["2", "3", "4", "5"], ["3", "4", "5"]]


def labelled(names: str) -> list[str]:
    """The labels of a mail whose header says so."""
    raw = f"X-Gmail-Labels: {names}\nSubject: x\n\nx\n".encode()
    return labels_of(parse_message(resource_of(raw, "1", "1", [])), "", "")


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


def test_a_name_written_with_accents_apart_is_the_same_one() -> None:
    assert labelled(unicodedata.normalize("NFD", "Koš,Nepřečtené")) == ["TRASH"]


HEAD = b"From - Mon Nov  2 10:00:00 2026\nSubject: Hours\n\n"


def parts(payload: object) -> list[dict[str, object]]:
    """All parts below one."""
    assert isinstance(payload, dict)
    return [one for below in payload.get("parts", []) for one in (below, *parts(below))]


def multipart(boundary: str, *inside: bytes) -> bytes:
    """A multipart with its head."""
    head = f"Content-Type: multipart/mixed; boundary={boundary}\n\n".encode()
    return head + b"".join(f"--{boundary}\n".encode() + one + b"\n" for one in inside) + f"--{boundary}--\n".encode()


def test_no_more_parts_than_are_reasonable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.resource.MOST_PARTS", 10)
    inner = multipart("in", *[b"\nWords"] * 8)
    payload = resource_of(multipart("out", inner, inner, inner), "1", "1", [])["payload"]
    assert len(parts(payload)) < 15
