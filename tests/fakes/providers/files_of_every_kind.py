"""Files of every kind that mail brings, each with words of its own, and files that are damaged or made to do harm."""

import io
import zipfile
import zlib
from email.message import EmailMessage

WORD_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
Members = dict[str, str | bytes]


def packed(members: Members) -> bytes:
    """A zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(text: str, head: str = "") -> bytes:
    runs = "".join(f"<w:p><w:r><w:t>{one}</w:t></w:r></w:p>" for one in text.split("\n"))
    return packed({"word/document.xml": f"{head}<w:document {WORD_NAMESPACE}><w:body>{runs}</w:body></w:document>"})


def split_docx(*parts: str) -> bytes:
    """A word that the editor cut into runs."""
    runs = "".join(f"<w:r><w:t>{one}</w:t></w:r>" for one in parts)
    return packed({"word/document.xml": f"<w:document {WORD_NAMESPACE}><w:body><w:p>{runs}</w:p></w:body></w:document>"})


def xlsx(*cells: str) -> bytes:
    shared = "".join(f"<si><t>{one}</t></si>" for one in cells)
    numbers = "".join(f'<c t="s"><v>{at}</v></c>' for at in range(len(cells)))
    sheet = f"<worksheet><sheetData><row>{numbers}<c><f>SUM(A1)</f><v>48151</v></c></row></sheetData></worksheet>"
    return packed({"xl/sharedStrings.xml": f"<sst>{shared}</sst>", "xl/worksheets/sheet1.xml": sheet})


def inline_xlsx(cell: str) -> bytes:
    text = f'<worksheet><sheetData><row><c t="inlineStr"><is><t>{cell}</t></is></c></row></sheetData></worksheet>'
    return packed({"xl/worksheets/sheet1.xml": text})


def pptx(*slides: str) -> bytes:
    made = {f"ppt/slides/slide{at}.xml": f"<p:sld xmlns:p='p' xmlns:a='a'><a:p><a:r><a:t>{one}</a:t></a:r></a:p></p:sld>"
            for at, one in enumerate(slides, 1)}  # fmt: skip
    return packed({**made})


def odt(text: str) -> bytes:
    body = f"<o:document-content xmlns:o='o' xmlns:t='t'><t:h>Title</t:h><t:p>{text}</t:p></o:document-content>"
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": body})


def pdf(*pages: str, stream: bytes = b"", kids: str = "") -> bytes:
    """A PDF with one line a page; `stream` is the content of the first page instead, `kids` the list of pages."""
    count = len(pages)
    first = kids or " ".join(f"{4 + 2 * at} 0 R" for at in range(count))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{first}] /Count {count} >>".encode(),
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]  # fmt: skip
    for at, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * at} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        content = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode("latin-1")
        filtered = stream if stream and not at else content
        kind = " /Filter /FlateDecode" if stream and not at else ""
        objects.append(f"<< /Length {len(filtered)}{kind} >>\nstream\n".encode() + filtered + b"\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start, size = len(out), len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n".encode()
    return bytes(out) + f"startxref\n{start}\n%%EOF".encode()


def locked_pdf(text: str, password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(pdf(text))))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def eml(text: str, charset: str = "utf-8") -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Forwarded words", "Zora <zora@away.example>", "me@example.com"
    mail.set_content(text, charset=charset)
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename="innerfile.pdf")
    return mail.as_bytes()


def ics(summary: str, description: str) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1", "DTSTART:20260310T120000Z", f"SUMMARY:{summary}",
             f"DESCRIPTION:{description[:20]}", f" {description[20:]}", 'ATTENDEE;CN="Guestperson One":mailto:guest@away.example',
             "END:VEVENT", "END:VCALENDAR"]  # fmt: skip
    return "\r\n".join(lines).encode()


GOOD: dict[str, tuple[bytes, str]] = {
    "letter.docx": (docx("The wombatword stands here.\nSecond paragraph"), "wombatword"),
    "runs.docx": (split_docx("plat", "ypus", "word"), "platypusword"),
    "czech.docx": (docx("Příliš žluťoučkýkůň"), "zlutouckykun"),
    "macro.docm": (docx("macrodocument"), "macrodocument"),
    "entities.docx": (docx("fish &amp; chipsword &lt;b&gt;"), "chipsword"),
    "table.xlsx": (xlsx("quokkacell", "other"), "quokkacell"),
    "numbers.xlsx": (xlsx("some"), "48151"),
    "inline.xlsx": (inline_xlsx("inlinecell"), "inlinecell"),
    "slides.pptx": (pptx("firstslide", "secondslideword"), "secondslideword"),
    "notes.pptx": (packed({"ppt/slides/slide1.xml": "<s>x</s>", "ppt/notesSlides/notesSlide1.xml": "<s>speakernotes</s>"}),
                   "speakernotes"),
    "text.odt": (odt("opendocumentword"), "opendocumentword"),
    "table.ods": (odt("opensheetword"), "opensheetword"),
    "talk.odp": (odt("opentalkword"), "opentalkword"),
    "paper.pdf": (pdf("pdfwombat here"), "pdfwombat"),
    "pages.pdf": (pdf("first page", "second page", "thirdpageword"), "thirdpageword"),
    "open-password.pdf": (locked_pdf("ownerlockedword", ""), "ownerlockedword"),
    "packed.pdf": (pdf("x", stream=zlib.compress(b"BT /F1 12 Tf 50 700 Td (deflatedword) Tj ET")), "deflatedword"),
    "no-table.pdf": (pdf("lostxrefword").replace(b"startxref\n", b"startxref\n9"), "lostxrefword"),
    "one-bad-page.pdf": (pdf("x", "goodsecondpage", stream=b"not deflated at all"), "goodsecondpage"),
    "plain.txt": (b"plaintextword in a file", "plaintextword"),
    "latin.txt": ("naïvelatin café".encode("latin-1"), "naivelatin"),
    "czech.txt": ("příšernětext".encode("cp1250"), ""),
    "utf16.txt": ("utfsixteenword".encode("utf-16"), "utfsixteenword"),
    "bom.txt": ("bomtextword".encode("utf-8-sig"), "bomtextword"),
    "list.csv": (b"name;sum\ncsvcellword;12\n", "csvcellword"),
    "notes.md": (b"# markdownword\n", "markdownword"),
    "data.json": (b'{"key": "jsonvalueword"}', "jsonvalueword"),
    "server.log": (b"ERROR logfileword\n" * 9, "logfileword"),
    "page.html": (b"<html><body><p>webpageword</p><script>scriptword</script></body></html>", "webpageword"),
    "page.htm": (b"<p>unclosed <b>shortendingword", "shortendingword"),
    "meet.ics": (ics("calendarsubject", "a description that is foldedword over two lines"), "foldedword"),
    "guests.ics": (ics("party", "x"), "guestperson"),
    "fwd.eml": (eml("attachedmailword"), "attachedmailword"),
    "subject.eml": (eml("x"), "zora"),
    "latin.eml": (eml("größeninfo", "iso-8859-1"), "grosseninfo"),
    "names.eml": (eml("x"), "innerfile"),
}  # fmt: skip
"""Files by name, and a word that finds each; empty where the character set cannot be known."""

_BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY a{at} "{f"&a{at - 1};" * 10 if at else "&a;" * 10}">' for at in range(12)
) + "]>"  # fmt: skip


def _repeated_docx(head: bytes, piece: bytes, times: int) -> bytes:
    """A small file with a large member, made without holding that."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as member:
        member.write(head)
        for _ in range(times):
            member.write(piece)
    return out.getvalue()


def _repeated_deflate(piece: bytes, times: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(piece) for _ in range(times)) + packer.flush()


HARMFUL: dict[str, bytes] = {
    "empty.pdf": b"",
    "empty.docx": b"",
    "noise.pdf": bytes(range(256)) * 400,
    "noise.docx": bytes(range(256)) * 400,
    "noise.xlsx": b"PK\x03\x04" + bytes(range(256)) * 40,
    "cut.docx": docx("words " * 900)[:120],
    "cut.pdf": pdf("words " * 200)[:260],
    "cut.odt": odt("words " * 900)[:200],
    "locked.pdf": locked_pdf("secretword", "password"),
    "not-a.docx": pdf("a pdf under another name"),
    "not-a.pdf": docx("a document under another name"),
    "no-text.docx": packed({"readme.txt": "x"}),
    "broken-xml.docx": packed({"word/document.xml": "<w:document><w:t>never closed"}),
    "entities.docx": packed({"word/document.xml": f"{_BOMB}<x>&a11;</x>"}),
    "outside.docx": packed({"word/document.xml": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>'}),
    "deep.docx": _repeated_docx(b"<x>", b"<a>" * 1000, 3000),
    "bomb.docx": _repeated_docx(b"<x>", b"word " * 10_000, 6000),
    "many.pptx": packed({f"ppt/slides/slide{at}.xml": "<s>x</s>" for at in range(5000)}),
    "slip.docx": packed({"../../word/document.xml": "<x>outside</x>"}),
    "deflate.pdf": pdf("x", stream=_repeated_deflate(b"(x) Tj " * 10_000, 6000)),
    "loop.pdf": pdf("x", kids="2 0 R"),
    "many-pages.pdf": pdf("x", kids="4 0 R " * 200_000).replace(b"/Count 1", b"/Count 200000"),
    "huge-count.pdf": pdf("x").replace(b"/Count 1 ", b"/Count 2000000000 "),
    "deep.html": b"<div>" * 400_000,
    "long-line.txt": b"x" * 4_000_000,
    "zeros.txt": bytes(4_000_000),
    "many-parts.eml": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: text/plain\n\nx\n" * 60_000,
    "nested.eml": b"Content-Type: message/rfc822\n\n" * 20_000,
    "endless.ics": b"BEGIN:VCALENDAR\n" + b"SUMMARY:" + b"a;" * 1_500_000,
}
