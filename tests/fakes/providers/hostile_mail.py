"""Hostile mails of any size, as source: each kind repeats what is slow to read if a reader looks at it more than once."""

import base64
import io
import zipfile
from collections.abc import Callable

HEAD = "From: Ann <ann@example.com>\r\nTo: me@example.com\r\nSubject: Hello\r\nDate: Tue, 3 Mar 2026 10:00:00 +0000\r\n"


def mails(size: int) -> dict[str, bytes]:
    """Mails of about `size` bytes by kind; the text of each begins with "Text" unless it has none."""
    made = {f"html {name}": _html(page) for name, page in _pages(size).items()}
    made |= {f"text {name}": _mail("text/plain; charset=utf-8", text) for name, text in _texts(size).items()}
    made |= {f"header {name}": f"{HEAD}{line}\r\n\r\nText".encode() for name, line in _headers(size).items()}
    made |= {f"calendar {name}": _mail("text/calendar", _calendar(lines)) for name, lines in _calendars(size).items()}
    return made | {f"mime {name}": make(size) for name, make in MIME.items()}


def _mail(kind: str, body: str) -> bytes:
    return f"{HEAD}MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{body}".encode()


def _html(body: str) -> bytes:
    return _mail("text/html; charset=utf-8", body)


def _filled(piece: str, size: int) -> str:
    """`piece` over and over; `#` becomes the number."""
    count = size // max(len(piece.encode()), 1)
    return "".join(piece.replace("#", str(number)) for number in range(count)) if "#" in piece else piece * count


def _sheet(rules: str, body: str = "<p><i>Text</i></p>") -> str:
    return f"<style>{rules}</style>{body}"


def _pages(size: int) -> dict[str, str]:
    half = size // 2
    fill = _filled
    rows = fill("<p><i>Text</i></p>", half)
    return {
        "attributes": f"<div {fill('a#=x ', size)}>Text</div>",
        "same attributes": f"<div {fill('a=x ', size)}>Text</div>",
        "attributes without values": f"<div {fill('a# ', size)}>Text</div>",
        "199 attributes": fill(f"<p {' '.join(f'a{n}=x' for n in range(199))}>Text</p>", size),
        "style attributes": fill("<p style='color:red;margin:#px'>Text</p>", size),
        "long style": f"<p style='{fill('color:red;', size)}'>Text</p>",
        "styles of 19 kB": fill(f"<p style='{'margin:1px;' * 1700}#'>Text</p>", size),
        "nested calc": f"<p style='width:{'calc(' * half}1{')' * half}'>Text</p>",
        "depth": "Text" + fill("<div>", size),
        "closed depth": "Text" + fill("<div>", half) + fill("</div>", half),
        "inline depth": "Text" + fill("<b>", size),
        "formatting": "Text" + fill("<b><p>", size),
        "misnested": "Text" + fill("<a><b></a></b>", size),
        "anchors": "Text" + fill("<a href=x>", size),
        "fonts": "Text" + fill("<font color=#><p>", size),
        "tables": "Text" + fill("<table><tr><td>", size),
        "foster": "<table>" + fill("Text<b>", size),
        "cells": "Text<table><tr>" + fill("<td>", size),
        "lists": "Text" + fill("<ul><li>", size),
        "items": "Text<ul>" + fill("<li>", size),
        "quotes of mail": "Text" + fill("<blockquote>", size),
        "unclosed quotes": "Text" + fill("<a b='", size),
        "double quotes": "Text" + fill('<a b="', size),
        "brackets": "Text" + "<" * size,
        "closing brackets": "Text" + ">" * size,
        "slashes": "Text" + fill("</", size),
        "end tags": "Text" + fill("</p>", size),
        "comments": "Text" + fill("<!--", size),
        "dashes": "Text<!--" + "-" * size,
        "bogus comments": "Text" + fill("<!", size),
        "instructions": "Text" + fill("<?", size),
        "cdata": "Text" + fill("<![CDATA[", size),
        "svg": "Text" + fill("<svg><math>", size),
        "svg titles": "Text" + fill("<svg><title><p>", size),
        "templates": "Text" + fill("<template>", size),
        "selects": "Text" + fill("<select><option>", size),
        "scripts": "Text" + fill("<script>", size),
        "textareas": "Text" + fill("<textarea>", size),
        "plaintext": "Text" + fill("<plaintext>", size),
        "many styles": "Text" + fill("<style>p{color:red}</style>", size),
        "ampersands": "Text" + "&" * size,
        "entities": "Text" + fill("&amp;", size),
        "numbers": "Text" + fill("&#1;", size),
        "long entity": "Text&" + "a" * size,
        "long number": "Text&#" + "1" * size,
        "open entities": "Text" + fill("&notit", size),
        "zeros": "Text" + "\0" * size,
        "spaces": "Text" + " " * size,
        "lines": "Text" + "\n" * size,
        "invisible": "Text" + fill("\u200d", size),
        "overrides": "Text" + fill("\u202e", size),
        "joined faces": "Text" + fill("\U0001f469\u200d", size),
        "hidden": "Text" + fill("<span style='display:none'>x", size),
        "breaks": "Text" + fill("<br>", size),
        "rules": "Text" + fill("<hr>", size),
        "pictures": "Text" + fill("<img src=http://x.example/#>", size),
        "inline pictures": "Text" + fill("<img src=cid:#>", size),
        "alt": f"Text<img alt='{'x' * size}'>",
        "links": "Text" + fill("<a href='http://x#.example/'>y</a>", size),
        "long link": f"<a href='http://{'x.' * half}example/'>Text</a>",
        "link of escapes": f"<a href='http://x.example/{fill('%41', size)}'>Text</a>",
        "link of users": f"<a href='http://{'@' * size}x.example/'>Text</a>",
        "sheet": _sheet(fill("a{color:red}", size)),
        "hiding sheet": _sheet(fill("p.a#{display:none}", half), rows),
        "sibling selectors": _sheet(fill("p:nth-child(#n+1) ~ p i{display:none}", half), rows),
        "descendants": _sheet(fill("p i, * * * i{display:none}", half), rows),
        "deep descendants": _sheet("div " * 400 + "i{display:none}", fill("<div>", 2000) + rows),
        "has": _sheet(fill("p:has(i){display:none}", half), rows),
        "not": _sheet(f"p{':not(' * 2000}i{')' * 2000}{{display:none}}", rows),
        "long selector": _sheet(",".join(["a b c d"] * (half // 8)) + "{display:none}", rows),
        "is": _sheet(f"{':is(p,i) ' * 15}{{display:none}}", rows),
        "attribute selectors": _sheet(fill("[class*=a#]{display:none}", half), fill("<p class='aaaaaaaa'>Text</p>", half)),
        "imports": _sheet(fill("@import url(http://x.example/#.css);", size)),
        "import without end": _sheet("@import " + fill("url(", size)),
        "media": _sheet(fill("@media screen{", size)),
        "many media": _sheet(fill("@media screen{p{color:red}}", size)),
        "css brackets": _sheet("p{color:" + "(" * size),
        "css blocks": _sheet("{" * size),
        "css squares": _sheet("[" * size),
        "css comments": _sheet(fill("/*", size)),
        "css strings": _sheet(fill("'\\\n", size)),
        "css escapes": _sheet("p{" + fill("\\41 ", size)),
        "css variables": _sheet("p{" + fill("--a#:var(--a#);", size) + "}"),
        "css urls": _sheet("p{background:" + fill("url(x)", size)),
        "css numbers": _sheet("p{margin:" + "1" * size),
        "css declarations": _sheet("p{" + fill("color:red;", size) + "}"),
        "gradients": _sheet("p{background:" + fill("linear-gradient(red,blue),", size)),
    }


def _texts(size: int) -> dict[str, str]:
    """Plain texts that a reader of quotes, signatures, sentences, dates, addresses or links could look at too often."""
    words = {
        "letters": "a", "digits": "1", "dots": ".", "commas": ",", "questions": "?", "at signs": "@", "a@": "a@", "quotes": ">",
        "quoted lines": "> a\n", "deep quotes": ">>>>>>>>>>\n", "flowed": "a \n", "dashes": "-", "rules": "--\n", "stars": "*",
        "signatures": "-- \n", "forwards": "---------- Forwarded message ----------\n", "links": "http://", "hosts": "a.b.",
        "link": "http://x.example/# ", "www": "www.", "brackets": "(", "squares": "[", "angles": "<", "wrote": "On x wrote:\n",
        "on": "On ", "From": "From: a\n", "greetings": "Hello Ann,\n", "closings": "Best regards\n", "dates": "3 March 2026 ",
        "times": "10:00 ", "amounts": "1,000,000", "money": "$1 ", "questions of words": "can you ", "apostrophes": "'",
        "accents": "e\u0301", "marks": "\u0301", "wide": "\uff41", "czech": "řeřicha ", "iban": "DE89 3704 ", "codes": "A1B2",
        "colons": "a:", "colon lines": "a: b\n", "tabs": "\t", "spaces and letters": " a", "empty lines": "\n \n",
        "emoji": "\U0001f469\u200d",
        "returns": "\r", "underscores": "_", "slashes": "/", "percents": "%41", "unsubscribe": "unsubscribe ",
        "please": "please, ",
    }  # fmt: skip
    return {name: "Text " + _filled(piece, size) for name, piece in words.items()}


def _headers(size: int) -> dict[str, str]:
    fill = _filled
    return {
        "folds": "X-A: a" + fill("\r\n b", size),
        "empty folds": "X-A: a" + fill("\r\n ", size) + "b",
        "many": "".join(f"X-{number}: a\r\n" for number in range(size // 10)) + "X: a",
        "same": fill("Received: by x.example; Tue, 3 Mar 2026\r\n", size) + "X: a",
        "encoded words": "X-Subject: " + fill("=?utf-8?q?a?= ", size),
        "encoded subject": "Subject: " + fill("=?utf-8?b?YQ==?=\r\n ", size),
        "open words": "X-Subject: " + fill("=?utf-8?q?", size),
        "word marks": "X-Subject: " + fill("=?", size),
        "ends of words": "X-Subject: " + fill("?= =?", size),
        "brackets in From": "Sender: " + "(" * size + "a@example.com",
        "closed comments": "Cc: " + fill("(a) ", size),
        "nested comments": "Cc: " + "(" * (size // 2) + ")" * (size // 2) + "a@example.com",
        "addresses": "Cc: " + fill("A# <a#@example.com>, ", size),
        "quotes": "Cc: " + '"' * size,
        "escapes": 'Cc: "' + "\\" * size,
        "angles": "Cc: " + "<" * size,
        "commas": "Cc: " + "," * size,
        "names": "Cc: " + fill("a, ", size),
        "groups": "Cc: " + fill("g:", size),
        "at signs": "Cc: " + "@" * size,
        "a@": "Cc: " + fill("a@", size),
        "dots": "Cc: a@" + "a." * (size // 2),
        "references": "References: " + fill("<a#@example.com> ", size),
        "reference angles": "References: " + "<" * size,
        "message id": "Message-ID: <" + "a" * size,
        "date": "Date: " + "(" * size,
        "date digits": "Date: " + "1" * size,
        "content type": "Content-Type: text/plain" + fill("; a#=b", size),
        "continued parameters": "Content-Type: text/plain" + fill("; name*#=b", size),
        "same parameters": 'Content-Type: text/plain; name="' + '\\"' * (size // 2),
        "type quotes": "Content-Type: text/plain; " + '"' * size,
        "semicolons": "Content-Disposition: attachment" + ";" * size,
        "charset": "Content-Type: text/plain; charset=" + "a" * size,
        "spaces": "Subject: " + " " * size + "a",
        "authentication": "Authentication-Results: x; " + fill("dkim=pass (a) ", size),
        "unsubscribe": "List-Unsubscribe: " + fill("<http://x.example/#>, ", size),
    }


def _calendar(lines: str) -> str:
    return f"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n{lines}\r\nEND:VCALENDAR\r\n"


def _calendars(size: int) -> dict[str, str]:
    fill = _filled
    event = "BEGIN:VEVENT\r\nSUMMARY:Text\r\nDTSTART:20260303T100000Z\r\n{}\r\nEND:VEVENT"
    return {
        "guests": event.format(fill("ATTENDEE;CN=A#:mailto:a#@example.com\r\n", size).rstrip()),
        "events": fill("BEGIN:VEVENT\r\nSUMMARY:Text\r\nDTSTART:20260303T100000Z\r\nEND:VEVENT\r\n", size).rstrip(),
        "nesting": fill("BEGIN:VEVENT\r\n", size).rstrip(),
        "folds": event.format("DESCRIPTION:a" + fill("\r\n b", size)),
        "parameters": event.format("DESCRIPTION" + fill(";A#=b", size) + ":c"),
        "escapes": event.format("DESCRIPTION:" + fill("\\n\\,", size)),
        "exceptions": event.format("RRULE:FREQ=DAILY\r\nEXDATE:" + fill("20260303T100000Z,", size).rstrip(",")),
        "by days": event.format("RRULE:FREQ=YEARLY;BYYEARDAY=" + fill("1,", size).rstrip(",")),
        "zones": fill("BEGIN:VTIMEZONE\r\nTZID:Z#\r\nEND:VTIMEZONE\r\n", size) + event.format("LOCATION:a"),
    }


def _nested(size: int) -> bytes:
    """A message in a message, many levels deep."""
    levels = size // 64
    return (HEAD + "Content-Type: message/rfc822\r\n\r\n" + "Content-Type: message/rfc822\r\n\r\n" * levels + "\r\nText").encode()


def _multiparts(size: int) -> bytes:
    levels = size // 90
    opened = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\r\n\r\n--b{n}\r\n' for n in range(levels))
    return f"{HEAD}{opened}\r\nText".encode()


def _parts(piece: str, size: int, kind: str = "mixed") -> bytes:
    body = _filled(f"--b\r\n{piece}\r\n", size)
    return f"{HEAD}Content-Type: multipart/{kind}; boundary=b\r\n\r\n{body}--b--\r\n".encode()


def _calendar_parts(size: int) -> bytes:
    event = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:a\r\nEND:VTODO\r\nEND:VCALENDAR"
    return _parts(f"Content-Type: text/calendar\r\n\r\n{event}", size)


def _boundaries(size: int) -> bytes:
    return f"{HEAD}Content-Type: multipart/mixed; boundary={'b' * 60}\r\n\r\n{_filled('--' + 'b' * 59 + chr(10), size)}".encode()


def _base64(size: int, piece: str) -> bytes:
    body = _filled(piece, size)
    return f"{HEAD}Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n{body}".encode()


def _quoted(size: int) -> bytes:
    body = _filled("=3D=\r\n", size)
    return f"{HEAD}Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain\r\n\r\n{body}".encode()


def _uuencoded(size: int) -> bytes:
    return f"{HEAD}Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\r\n{_filled('M' + '!' * 60 + chr(10), size)}".encode()


def _zipped(size: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.txt", b"0" * (size * 300))
    data = base64.encodebytes(packed.getvalue()).decode()
    return _parts(f"Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n{data}", size)


def _wide(size: int) -> bytes:
    body = ("Text" + "a" * (size // 2)).encode("utf-16")
    return f"{HEAD}Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: 8bit\r\n\r\n".encode() + body


def _seven(size: int) -> bytes:
    return _mail("text/plain; charset=utf-7", "Text " + _filled("+AGE-", size))


def _jis(size: int) -> bytes:
    return _mail("text/plain; charset=iso-2022-jp", "Text " + _filled("\x1b$B", size))


MIME: dict[str, Callable[[int], bytes]] = {
    "messages": _nested,
    "multiparts": _multiparts,
    "parts": lambda size: _parts("\r\na", size),
    "alternatives": lambda size: _parts("Content-Type: text/html\r\n\r\n<p>Text", size, "alternative"),
    "html parts": lambda size: _parts("Content-Type: text/html\r\n\r\n<style>p{color:red}</style><p>Text", size),
    "large html parts": lambda size: _parts(f"Content-Type: text/html\r\n\r\n{_filled('<p><b>', 50_000)}", size),
    "forwarded": lambda size: _parts("Content-Type: message/rfc822\r\n\r\nSubject: a\r\n\r\nText", size),
    "names": lambda size: _parts("Content-Type: image/png; name=a.png\r\n\r\na", size),
    "reports": lambda size: _parts("Content-Type: message/delivery-status\r\n\r\na: b\r\n\r\na: b", size, "report"),
    "calendars": _calendar_parts,
    "boundaries": _boundaries,
    "base64": lambda size: _base64(size, "PGI+"),
    "broken base64": lambda size: _base64(size, "P=*G\n"),
    "padding": lambda size: _base64(size, "="),
    "quoted printable": _quoted,
    "uuencode": _uuencoded,
    "zips": _zipped,
    "utf-16": _wide,
    "utf-7": _seven,
    "iso-2022-jp": _jis,
}
