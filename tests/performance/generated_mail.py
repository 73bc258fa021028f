"""A generated mailbox that costs what real mail costs: threads, quoted history, Gmail's alternatives, newsletters, long headers.

The same seed gives the same mail. Each mail holds one visible word of its own (`mark`), so that a lost or swapped text shows.
"""

import base64
import hashlib
import quopri
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from itertools import accumulate
from pathlib import Path

ME = "me@example.com"
BULK_THREADS = 0.45
CONTINUES = 0.755
"""Chance that a conversation has one more mail; with the single bulk mails the mean is 2.6 a thread."""
MAILS_A_DAY = 40
QUOTE_CAP = 12_000
_COMMON_WORDS = (
    "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you "
    "were all her she there would their we him been has when who will no more if out so up said what its about than into them "
    "can only other time new some could these two may first then do any like my now over such our man me even most made after "
    "also did many before must through years where much your way well down should because each just those people how too"
)
COMMON = _COMMON_WORDS.split()
_ONSETS = "b br c ch d f g gr h k l m n p pr r s st t tr v w"
_RIMES = "a e i o u ar en in or us"
SYLLABLES = [onset + rime for onset in _ONSETS.split() for rime in _RIMES.split()]
ACCENTED = ["čas", "příloha", "schůzka", "über", "größe", "façade", "naïve", "señor", "żółty", "über", "smlouva", "děkuji"]


@dataclass(frozen=True, slots=True)
class Made:
    """One generated mail."""

    raw: bytes
    moment: datetime


@dataclass(slots=True)
class _Person:
    name: str
    address: str


@dataclass(slots=True)
class _Mail:
    """A mail before it is written: what a reply needs of the one before."""

    thread: int
    place: int
    moment: datetime
    sender: _Person
    to: _Person
    subject: str
    key: str = ""
    references: list[str] = field(default_factory=list)
    text: str = ""
    html: str = ""


class MailGenerator:
    """`now` is the newest mail's time."""

    def __init__(self, seed: int, now: datetime, me: str = ME) -> None:
        self._random = random.Random(seed)
        self._now = now
        self._me = _Person("Mia Example", me)
        self._words = COMMON + sorted({self._word() for _ in range(9_000)}) + ACCENTED
        ranks = [1.0 / (place + 3) for place in range(len(self._words))]
        self._cumulated = list(accumulate(ranks))
        self._people = [self._person(number) for number in range(400)]
        self._lists = [self._person(number, "news") for number in range(60)]

    def mails(self, count: int) -> Iterator[Made]:
        """`count` mails, thread by thread."""
        made, thread = 0, 0
        span = timedelta(days=count / MAILS_A_DAY)
        while made < count:
            thread += 1
            end = self._now - span * self._random.random()
            batch = self._bulk(thread, end) if self._random.random() < BULK_THREADS else self._conversation(thread, end)
            for mail in batch[: count - made]:
                made += 1
                yield mail

    def _bulk(self, thread: int, at: datetime) -> list[Made]:
        sender = self._random.choice(self._lists)
        mail = _Mail(thread, 0, at, sender, self._me, self._sentence(7).rstrip("."), self._key(thread, 0))
        mark = mark_of(mail.key)
        newsletter = self._random.random() < 0.5
        mail.text = "\n\n".join([mark, *(self._paragraph() for _ in range(6 if newsletter else 3))])
        mail.html = self._newsletter(mark) if newsletter else self._notice(mark)
        return [self._written(mail, bulk=True, shape="both")]

    def _conversation(self, thread: int, end: datetime) -> list[Made]:
        length = 1
        while self._random.random() < CONTINUES and length < 30:
            length += 1
        other, subject = self._random.choice(self._people), self._sentence(6).rstrip(".")
        moments = sorted(end - timedelta(hours=self._random.expovariate(1 / 30)) for _ in range(length))
        shape = self._random.choices(["both", "plain", "html"], [50, 35, 15])[0]
        mine = self._random.random() < 0.4
        before: _Mail | None = None
        found: list[Made] = []
        for place, moment in enumerate(moments):
            sender, to = (self._me, other) if mine else (other, self._me)
            title = subject if before is None else f"Re: {subject}"
            mail = _Mail(thread, place, moment, sender, to, title, self._key(thread, place))
            mark = mark_of(mail.key)
            self._write_reply(mail, before, mark)
            found.append(self._written(mail, bulk=False, shape=shape))
            before, mine = mail, not mine
        return found

    def _write_reply(self, mail: _Mail, before: _Mail | None, mark: str) -> None:
        """Own words above the quoted mail before, as mail programs do."""
        paragraphs = [f"Hello {mail.to.name.split()[0]},", mark, *(self._paragraph() for _ in range(self._random.randint(1, 3)))]
        closing = ["Best regards,", mail.sender.name]
        mail.text = "\n\n".join([*paragraphs, "\n".join(closing)])
        lines = "".join(f"<div>{escape(one)}</div><div><br></div>" for one in paragraphs)
        mail.html = f'<div dir="ltr">{lines}<div>{"<br>".join(closing)}</div></div>'
        if before is None:
            return
        mail.references = [*before.references, before.key][-20:]
        when = before.moment.strftime("On %a, %b %d, %Y at %H:%M")
        who = f"{before.sender.name} <{before.sender.address}>"
        quoted = "\n".join(f"> {line}" if line else ">" for line in before.text[:QUOTE_CAP].split("\n"))
        mail.text += f"\n\n{when} {who} wrote:\n\n{quoted}"
        inner = before.html if len(before.html) < QUOTE_CAP else f"<div>{escape(before.text[:2000])}</div>"
        mail.html += (
            f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{when} {escape(who)} wrote:<br></div>'
            '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
            'border-left:1px solid rgb(204,204,204);padding-left:1ex">'
            f"{inner}</blockquote></div>"
        )

    def _newsletter(self, mark: str) -> str:
        """Tables with inline styles and pictures, 10 to 40 kB."""
        blocks = [self._story(number) for number in range(self._random.randint(6, 22))]
        sheet = "body{margin:0}.btn{background:#1a73e8;color:#fff}@media screen and (max-width:600px){.w{width:100%!important}}"
        return (
            f"<!DOCTYPE html><html><head><meta charset=utf-8><title>News</title><style>{sheet}</style></head>"
            '<body style="margin:0;padding:0;background-color:#f4f4f4"><div style="display:none;max-height:0">Preview words</div>'
            '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">'
            '<table class="w" width="600" cellpadding="0" cellspacing="0" style="background:#ffffff;border-radius:8px">'
            f'<tr><td style="padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:22px;color:#202124">{mark}</td></tr>'
            f"{''.join(blocks)}</table></td></tr></table>"
            '<img src="https://track.example.net/open.gif?id=1" width="1" height="1" alt=""></body></html>'
        )

    def _story(self, number: int) -> str:
        style = "font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:22px;color:#3c4043;margin:0 0 12px 0"
        return (
            '<tr><td style="padding:16px 24px;border-top:1px solid #e8eaed">'
            '<table width="100%" cellpadding="0" cellspacing="0"><tr>'
            f'<td width="120" valign="top"><img src="https://cdn.example.net/{number}.jpg" width="110" height="80" alt="Picture" '
            'style="display:block;border:0"></td>'
            f'<td valign="top" style="padding-left:12px"><h3 style="margin:0 0 6px;font-size:17px">{self._sentence(6)}</h3>'
            f'<p style="{style}">{self._paragraph()}</p>'
            f'<a class="btn" href="https://click.example.net/{number}?u=abcdef" style="display:inline-block;padding:8px 16px;'
            'text-decoration:none;border-radius:4px;color:#ffffff;background-color:#1a73e8">Read more</a>'
            "</td></tr></table></td></tr>"
        )

    def _notice(self, mark: str) -> str:
        """A notification of some service, about 3 kB."""
        rows = "".join(
            f'<tr><td style="padding:6px 0;color:#5f6368;font-size:13px">{self._sentence(3)}</td>'
            f'<td style="padding:6px 0;font-size:13px"><b>{self._sentence(4)}</b></td></tr>'
            for _ in range(6)
        )
        return (
            f'<html><body style="font-family:Roboto,Arial,sans-serif"><div style="max-width:560px;margin:auto"><p>{mark}</p>'
            f'<p style="font-size:14px;line-height:20px">{self._paragraph()}</p><table width="100%">{rows}</table>'
            '<p><a href="https://app.example.org/item/1" style="background:#0b57d0;color:#fff;padding:10px 20px">Open</a></p>'
            f'<p style="font-size:11px;color:#80868b">{self._paragraph()}</p></div></body></html>'
        )

    def _written(self, mail: _Mail, *, bulk: bool, shape: str) -> Made:
        parts = []
        if shape != "html":
            parts.append(("text/plain", mail.text))
        if shape != "plain":
            parts.append(("text/html", mail.html))
        lines = [f"{name}: {value}" for name, value in self._headers(mail, bulk)]
        body = self._body(parts, mail)
        raw = ("\r\n".join(lines) + "\r\n" + body).encode("utf-8")
        return Made(raw, mail.moment)

    def _body(self, parts: list[tuple[str, str]], mail: _Mail) -> str:
        entities = [_entity(kind, text) for kind, text in parts]
        inner = entities[0] if len(entities) == 1 else _framed("alternative", f"alt{mail.key[1:11]}", entities)
        if mail.place == 0 and self._random.random() < 0.1:
            data = base64.encodebytes(self._random.randbytes(3_000)).decode().replace("\n", "\r\n")
            name = f"report-{mail.thread}.pdf"
            head = f'Content-Type: application/pdf; name="{name}"\r\nContent-Disposition: attachment; filename="{name}"\r\n'
            inner = _framed("mixed", f"mix{mail.key[1:11]}", [inner, f"{head}Content-Transfer-Encoding: base64\r\n\r\n{data}"])
        return inner

    def _headers(self, mail: _Mail, bulk: bool) -> list[tuple[str, str]]:
        date, host = format_datetime(mail.moment), mail.sender.address.partition("@")[2]
        seal = base64.b64encode(hashlib.sha256(mail.key.encode()).digest() * 8).decode()
        fields = [
            ("Delivered-To", mail.to.address),
            (
                "Received",
                f"by 2002:a05:6a10:{mail.thread % 9999}:b0:2b4:86d9:efc3 with SMTP id u{mail.thread}csp;\r\n        {date}",
            ),
            ("X-Received", f"by 2002:a17:902:e84d with SMTP id t{mail.place}mr{mail.thread}plg.17;\r\n        {date}"),
            ("ARC-Seal", f"i=1; a=rsa-sha256; t=1700000000; cv=none;\r\n        d=google.com; s=arc-20240605; b={seal}"),
            ("ARC-Authentication-Results", f"i=1; mx.google.com; dkim=pass header.i=@{host}; spf=pass; dmarc=pass"),
            ("Return-Path", f"<{mail.sender.address}>"),
            ("Received-SPF", f"pass (google.com: domain of {mail.sender.address} designates 192.0.2.7 as permitted sender)"),
            ("DKIM-Signature", f"v=1; a=rsa-sha256; c=relaxed/relaxed; d={host}; s=20230601; h=to:subject:from; b={seal}"),
            ("MIME-Version", "1.0"),
            ("Date", date),
            ("Message-ID", mail.key),
            ("Subject", mail.subject),
            ("From", f"{mail.sender.name} <{mail.sender.address}>"),
            ("To", f"{mail.to.name} <{mail.to.address}>"),
        ]
        if mail.references:
            fields += [("In-Reply-To", mail.references[-1]), ("References", "\r\n ".join(mail.references))]
        if bulk:
            fields += [("List-Unsubscribe", f"<https://{host}/u?x=1>"), ("Precedence", "bulk"), ("List-Id", f"<news.{host}>")]
        return fields

    def _key(self, thread: int, place: int) -> str:
        digest = hashlib.sha256(f"{thread}/{place}".encode()).hexdigest()[:20]
        return f"<{digest}.{thread}.{place}@mail.example.net>"

    def _word(self) -> str:
        return "".join(self._random.choice(SYLLABLES) for _ in range(self._random.choice((1, 2, 2, 3, 3, 4))))

    def _person(self, number: int, prefix: str = "") -> _Person:
        first, last = self._word().title(), self._word().title()
        return _Person(f"{first} {last}", f"{prefix or first.lower()}.{number}@{self._word()}.example.org")

    def _sentence(self, words: int) -> str:
        chosen = self._random.choices(self._words, cum_weights=self._cumulated, k=words)
        return " ".join(chosen).capitalize() + "."

    def _paragraph(self) -> str:
        return " ".join(self._sentence(self._random.randint(5, 16)) for _ in range(self._random.randint(2, 5)))


def mark_of(key: str) -> str:
    """The visible word of the mail with this Message-ID."""
    return f"mark{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def write_mbox(path: Path, count: int, seed: int = 1) -> None:
    """Write `count` generated mails to an mbox file."""
    with path.open("wb") as file:
        for mail in MailGenerator(seed, datetime.now(UTC) - timedelta(minutes=5)).mails(count):
            line = f"From bench@example.com {mail.moment.strftime('%a %b %d %H:%M:%S %Y')}\n"
            file.write(line.encode() + mail.raw.replace(b"\nFrom ", b"\n>From ") + b"\n\n")


def _entity(kind: str, text: str) -> str:
    """A text part: 7bit where it can be, else quoted-printable."""
    head = f'Content-Type: {kind}; charset="UTF-8"\r\n'
    wide = any(len(line) > 900 for line in text.split("\n"))
    if text.isascii() and not wide:
        return f"{head}\r\n" + text.replace("\n", "\r\n") + "\r\n"
    encoded = quopri.encodestring(text.encode("utf-8")).decode("ascii").replace("\n", "\r\n")
    return f"{head}Content-Transfer-Encoding: quoted-printable\r\n\r\n{encoded}\r\n"


def _framed(kind: str, boundary: str, entities: list[str]) -> str:
    inner = "".join(f"--{boundary}\r\n{entity}\r\n" for entity in entities)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n{inner}--{boundary}--\r\n'
