"""Decides labels and thread of an archived message, from the marks of Takeout, Maildir and mbox and from its references. Pure
functions.

Old mail never gets into the inbox and is never unread. Takeout writes Gmail's labels in the account's language; the labels of
each message together tell which one. Any other name is a label of the owner.
"""

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from email.header import decode_header, make_header
from functools import lru_cache
from unicodedata import normalize

from app.domain.mail.message import SystemLabel
from app.mail.archives.reduced import digest_of

NO_LABEL = ""
"""For names that only say where old mail was or whether it was read."""

_MEANINGS: dict[str, str] = {
    "gone": NO_LABEL, "sent": SystemLabel.SENT.value, "draft": SystemLabel.DRAFT.value, "starred": SystemLabel.STARRED.value,
    "important": SystemLabel.IMPORTANT.value, "spam": SystemLabel.SPAM.value, "trash": SystemLabel.TRASH.value,
    "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL", "promotions": "CATEGORY_PROMOTIONS",
    "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS", "purchases": "CATEGORY_PURCHASES", "travel": "CATEGORY_TRAVEL",
}  # fmt: skip

_TABLE = """
en gone: inbox, unread, opened, archived, chat | sent: sent | draft: drafts, draft | starred: starred | important: important
en spam: spam | trash: trash, bin
cs gone: doručené, doručená pošta, nepřečtené, otevřené, otevřeno, archivováno, archivované, chat
cs sent: odesláno, odeslané, odeslaná pošta | draft: koncepty | starred: s hvězdičkou | important: důležité
cs spam: spam | trash: koš
sk gone: doručené, doručená pošta, neprečítané, otvorené, archivované, chat
sk sent: odoslané | draft: koncepty | starred: s hviezdičkou | important: dôležité | spam: spam | trash: kôš
de gone: posteingang, ungelesen, geöffnet, archiviert, chat, chats
de sent: gesendet | draft: entwürfe, entwurf | starred: markiert | important: wichtig | spam: spam | trash: papierkorb
fr gone: boîte de réception, non lus, non lu, ouvert, ouverts, archivés, messages archivés, chat
fr sent: envoyé, envoyés, messages envoyés | draft: brouillons | starred: favoris, suivis, messages suivis
fr important: important, importants | spam: spam | trash: corbeille
es gone: recibidos, no leídos, no leído, abierto, abiertos, archivado, archivados, chat
es sent: enviado, enviados | draft: borradores | starred: destacados | important: importante, importantes
es spam: spam | trash: papelera
it gone: posta in arrivo, da leggere, aperto, aperti, aperta, archiviato, archiviati, archiviata, chat
it sent: inviati, inviata, inviato, posta inviata | draft: bozze | starred: speciali | important: importante, importanti
it spam: spam | trash: cestino
pt gone: caixa de entrada, não lidas, não lidos, não lida, aberto, aberta, abertos, abertas
pt gone: arquivado, arquivada, arquivados, arquivadas, chat
pt sent: enviado, enviados, enviadas, e-mails enviados | draft: rascunhos | starred: com estrela
pt important: importante, importantes | spam: spam | trash: lixeira, lixo
nl gone: postvak in, inbox, ongelezen, geopend, gearchiveerd, chat
nl sent: verzonden | draft: concepten | starred: met ster | important: belangrijk | spam: spam | trash: prullenbak
pl gone: odebrane, nieprzeczytane, otwarte, zarchiwizowane, czat, chat
pl sent: wysłane | draft: wersje robocze, robocze | starred: oznaczone gwiazdką | important: ważne | spam: spam | trash: kosz
ru gone: входящие, непрочитанные, открытые, архивированные, чат
ru sent: отправленные | draft: черновики | starred: помеченные | important: важное, важные | spam: спам | trash: корзина
uk gone: вхідні, непрочитані, відкриті, архівовані, чат
uk sent: надіслані | draft: чернетки | starred: із зірочкою | important: важливі, важливо | spam: спам | trash: кошик
sv gone: inkorgen, inkorg, oläst, olästa, öppnat, öppnade, arkiverat, arkiverade, chatt
sv sent: skickat, skickade | draft: utkast | starred: stjärnmärkt, stjärnmärkta | important: viktigt | spam: spam, skräppost
sv trash: papperskorgen
da gone: indbakke, ulæst, ulæste, åbnet, åbnede, arkiveret, arkiverede, chat
da sent: sendt, sendte | draft: kladder | starred: stjernemarkeret, stjernemarkerede | important: vigtigt, vigtige | spam: spam
da trash: papirkurv
hu gone: beérkező levelek, olvasatlan, megnyitott, archivált, csevegés, chat
hu sent: elküldött, elküldött levelek | draft: piszkozatok | starred: csillagozott | important: fontos | spam: spam | trash: kuka
"""
"""Language, then meanings with their names."""

_CATEGORIES = """
en category | personal: personal | social: social | promotions: promotions | updates: updates | forums: forums
en category | purchases: purchases | travel: travel
cs kategorie | personal: osobní | social: sociální sítě | promotions: promoakce, promo akce, reklamy
cs kategorie | updates: aktualizace | forums: fóra
sk kategória | personal: osobné | social: sociálne siete | promotions: reklamy | updates: aktualizácie | forums: fóra
de kategorie | personal: persönlich | social: soziale medien | promotions: werbung | updates: neuigkeiten | forums: foren
de kategorie | purchases: käufe | travel: reisen
fr catégorie | personal: e-mails personnels, principale | social: réseaux sociaux | promotions: promotions
fr catégorie | updates: notifications | forums: forums | purchases: achats | travel: voyages
es categoría | personal: personal, principal | social: social | promotions: promociones | updates: notificaciones
es categoría | forums: foros | purchases: compras | travel: viajes
it categoria | personal: personale, principale | social: social | promotions: promozioni | updates: aggiornamenti, notifiche
it categoria | forums: forum | purchases: acquisti | travel: viaggi
pt categoria | personal: pessoal, principal | social: social, redes sociais | promotions: promoções | updates: atualizações
pt categoria | forums: fóruns | purchases: compras | travel: viagens
nl categorie | personal: persoonlijk | social: sociaal | promotions: reclame | updates: updates | forums: forums
nl categorie | purchases: aankopen | travel: reizen
pl kategoria | personal: osobiste | social: społeczności | promotions: oferty | updates: powiadomienia | forums: fora
ru категория | personal: личное | social: соцсети | promotions: промоакции | updates: оповещения | forums: форумы
uk категорія | personal: особисте | social: соцмережі | promotions: промоакції | updates: сповіщення | forums: форуми
sv kategori | personal: privat | social: socialt | promotions: kampanjer | updates: uppdateringar | forums: forum
da kategori | personal: personligt | social: socialt | promotions: tilbud | updates: opdateringer | forums: fora
hu kategória | personal: személyes | social: közösségi | promotions: promóciók | updates: frissítések | forums: fórumok
"""
"""Language and the word before a category's name, then the categories."""

_CATEGORY = re.compile(r'(\w{1,20})(?: ?: ?| )"{0,2}([^":]{1,60})"{0,2}')

Meanings = dict[str, dict[str, str]]
"""What a name means, by language."""


def system_labels(names: Iterable[str]) -> dict[str, str]:
    """Returns the names that are Gmail's own labels, with their ids or `NO_LABEL`.

    The language of most names decides. Nearly every message has a name for its place or read state, so languages without such a
    name come second.
    """
    known = _known()
    found = {name: known[key] for name in names if (key := _folded(name)) in known}
    counts = Counter(language for meanings in found.values() for language in meanings)
    with_state = {language for meanings in found.values() for language in meanings if meanings[language] == NO_LABEL}
    best = max(((language in with_state, count) for language, count in counts.items()), default=None)
    chosen = [language for language, count in counts.items() if (language in with_state, count) == best]
    return {name: meanings[language] for name, meanings in found.items() for language in chosen if language in meanings}


def _folded(name: str) -> str:
    """A name for comparison: case folded, white space collapsed, quotes of a category removed."""
    key = " ".join(normalize("NFC", name.casefold()).split())
    category = _CATEGORY.fullmatch(key)
    return f"{category[1]}: {category[2].strip()}" if category and category[1] in _category_words() else key


@lru_cache(maxsize=1)
def _known() -> Meanings:
    """The tables, parsed once."""
    known: Meanings = {}
    for line in _TABLE.strip().split("\n"):
        language, _, rest = line.partition(" ")
        _read(known, language, "", rest.split("|"))
    for line in _CATEGORIES.strip().split("\n"):
        head, *groups = line.split("|")
        language, word = head.split()
        _read(known, language, f"{word}: ", groups)
    return known


@lru_cache(maxsize=1)
def _category_words() -> frozenset[str]:
    return frozenset(line.split()[1] for line in _CATEGORIES.strip().split("\n"))


def _read(known: Meanings, language: str, before: str, groups: Iterable[str]) -> None:
    """Parses `meaning: name, name` of one language."""
    for group in groups:
        meaning, _, names = group.partition(":")
        for name in names.split(","):
            known.setdefault(before + name.strip(), {})[language] = _MEANINGS[meaning.strip()]


PREFIX = "archive:"
"""Prefix of the ids of an archive's own labels."""
_HEAD = re.compile(rb"\r?\n\r?\n")
_FIELD = {
    name: re.compile(rb"^" + name.encode() + rb":[ \t]*(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
    for name in ("X-Gmail-Labels", "X-GM-THRID", "References", "In-Reply-To", "Message-ID", "X-Status")
}
FOLDERS = {
    "sent items": "Sent",
    "sent messages": "Sent",
    "sent mail": "Sent",
    "sent-mail": "Sent",
    "deleted items": "Trash",
    "deleted messages": "Trash",
    "junk": "Spam",
    "junk mail": "Spam",
    "junk e-mail": "Spam",
    "bulk mail": "Spam",
}
"""Folder names of other mail programs, as Gmail names them."""
_ID = re.compile(rb"<[^<>\s]{1,998}>")


def labels_of(raw: bytes, flags: str, folder: str) -> list[str]:
    """Returns label ids; those with `PREFIX` are the archive's own.

    The folder counts only if there are no Takeout labels.
    """
    head = _head(raw)
    named = _names(_decoded(_field(head, "X-Gmail-Labels")))
    marks = flags + _field(head, "X-Status").decode("ascii", "replace")
    found = {*_labels(named or [FOLDERS.get(folder.casefold(), folder)])} - {NO_LABEL}
    found |= {SystemLabel.STARRED.value} if "F" in marks else set()
    found |= {SystemLabel.TRASH.value} if "T" in flags else set()
    found |= {SystemLabel.DRAFT.value} if "D" in flags else set()
    return sorted(found)


def ids_of(raw: bytes) -> tuple[str, str]:
    """Returns an id for the message and one for its thread.

    The same bytes always have the same ids.
    """
    own = digest_of(raw)
    return own, thread_of(raw, own)


def thread_of(raw: bytes, own: str) -> str:
    """Returns an id for the message's thread; `own` is the message's id."""
    head = _head(raw)
    thread = _field(head, "X-GM-THRID").strip()
    if not thread:
        for name in ("References", "In-Reply-To", "Message-ID"):
            found = _ID.search(_field(head, name))
            if found:
                thread = found[0]
                break
    return hashlib.sha256(b"thread " + (thread or own.encode())).hexdigest()[:16]


def is_from_gmail(raw: bytes) -> bool:
    """Whether Takeout wrote the message. Gmail never holds two messages of one Message-ID."""
    return bool(_field(_head(raw), "X-GM-THRID").strip())


def _names(listed: str) -> list[str]:
    """Splits names at commas; a name that has a comma is quoted."""
    try:
        return [name.strip() for name in next(csv.reader([listed], skipinitialspace=True), [])]
    except csv.Error:
        return [name.strip() for name in listed.split(",")]


def _labels(names: Sequence[str]) -> list[str]:
    """Gmail's ids of its own labels; other names become labels of the archive."""
    system = system_labels(names)
    return [system[name] if name in system else _own(name) for name in names]


def _own(name: str) -> str:
    key = name.strip()
    if key.lower().startswith("category "):
        return f"CATEGORY_{key[9:].upper()}"
    return f"{PREFIX}{key[:200]}" if key else NO_LABEL


def _head(raw: bytes) -> bytes:
    found = _HEAD.search(raw[:1_000_000])
    return raw[: found.start()] if found else raw[:1_000_000]


def _field(head: bytes, name: str) -> bytes:
    found = _FIELD[name].search(head)
    return found[1] if found else b""


def _decoded(value: bytes) -> str:
    text = value.decode("utf-8", "replace").replace("\r", "").replace("\n", "")
    try:
        return str(make_header(decode_header(text)))
    except (LookupError, ValueError):
        return text
