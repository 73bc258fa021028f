"""Makes Word and PDF files from Markdown.

Markdown is read into blocks once, and both writers draw blocks, so the two files say the same. Nothing in a text is taken as
markup of Word or PDF, and nothing is loaded from elsewhere: pictures become their descriptions, links are text with an address.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from app.config.paths import resource
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.record import Record, replace

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from markdown_it.tree import SyntaxTreeNode
    from reportlab.platypus import Flowable


class TextRun(Record):
    """Text in one style. `link` is an address it leads to."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""


class DocumentBlock(Record):
    """A paragraph, list item or table.

    `kind` is `heading`, `paragraph`, `item`, `quote`, `code`, `rule` or `table`. `level` is that of a heading from 1, or the
    depth of an item from 0. `marker` is the item's bullet or number. `rows` are those of a table, the first one its head.
    """

    kind: str
    spans: tuple[TextRun, ...] = ()
    level: int = 0
    marker: str = ""
    rows: tuple[tuple[tuple[TextRun, ...], ...], ...] = ()


BULLET = "•"
SAFE_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)


def blocks_of(markdown: str) -> tuple[DocumentBlock, ...]:
    """Reads Markdown with tables. HTML is text."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return tuple(_blocks(SyntaxTreeNode(parser.parse(markdown)).children))


ITS_OWN = "own"
"""Kind of an item's paragraphs, as opposed to a list within it."""


def _blocks(nodes: Iterable[SyntaxTreeNode], kind: str = "paragraph", depth: int = 0) -> Iterator[DocumentBlock]:
    for node in nodes:
        match node.type:
            case "heading":
                yield DocumentBlock("heading", _inline(node), int(node.tag[1:]))
            case "bullet_list" | "ordered_list":
                yield from _items(node, depth)
            case "table":
                rows = (row for part in node.children for row in part.children)
                yield DocumentBlock("table", rows=tuple(tuple(_inline(cell) for cell in row.children) for row in rows))
            case "fence" | "code_block":
                yield DocumentBlock("code", (TextRun(node.content.rstrip("\n"), code=True),))
            case "hr":
                yield DocumentBlock("rule")
            case "blockquote":
                yield from _blocks(node.children, "quote", depth)
            case _:
                yield DocumentBlock(kind, _inline(node), depth)


def _items(node: SyntaxTreeNode, depth: int) -> Iterator[DocumentBlock]:
    first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
    for number, item in enumerate(node.children, start=first):
        marker = f"{number}." if node.type == "ordered_list" else BULLET
        for block in _blocks(item.children, ITS_OWN, depth + 1):
            own = block.kind == ITS_OWN
            yield replace(block, kind="item", level=depth, marker=marker) if own else block
            marker = "" if own else marker


def _inline(node: SyntaxTreeNode) -> tuple[TextRun, ...]:
    return tuple(one for child in node.children for one in _spans(child, TextRun("")))


def _spans(node: SyntaxTreeNode, style: TextRun) -> Iterator[TextRun]:
    match node.type:
        case "strong":
            style = replace(style, bold=True)
        case "em":
            style = replace(style, italic=True)
        case "link":
            href = str(node.attrs.get("href", ""))
            style = replace(style, link=href if SAFE_LINK.fullmatch(href) else "")
        case "softbreak":
            yield replace(style, text=" ")
        case "hardbreak":
            yield replace(style, text="\n")
        case "code_inline":
            yield replace(style, text=node.content, code=True)
        case "text" | "html_inline" | "text_special":
            yield replace(style, text=node.content)
    for child in node.children:
        yield from _spans(child, style)


WIDTH_PT, HEIGHT_PT = 595.28, 841.89
"""A4."""
MARGIN_PT = 62.0


def column_shares(rows: Sequence[Sequence[Sequence[TextRun]]]) -> list[float]:
    """The part of a table's width that each column gets: by its longest text, within limits."""
    count = max(map(len, rows))
    lengths = [[len("".join(span.text for span in cell)) for cell in row] + [0] * (count - len(row)) for row in rows]
    wanted = [min(max(*column, 8), 32) + 4 for column in zip(*lengths, [0] * count, strict=True)]
    return [one / sum(wanted) for one in wanted]


def word_file(markdown: str, title: str) -> bytes:
    """A Word document (.docx) in A4."""
    import docx
    from docx.shared import Pt

    document = docx.Document()
    document.core_properties.title, document.core_properties.author = title, ""
    page = document.sections[0]
    page.page_width, page.page_height = Pt(WIDTH_PT), Pt(HEIGHT_PT)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Pt(MARGIN_PT)
    for block in blocks_of(markdown):
        _write_block(document, block)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


WORD_STYLES = {"quote": "Quote", "paragraph": "Normal", "code": "No Spacing"}


def _write_block(document: Document, block: DocumentBlock) -> None:
    match block.kind:
        case "heading":
            _write(document.add_heading(level=min(block.level, 9)), block.spans)
        case "item":
            depth = f" {min(block.level, 2) + 1}" if block.level else ""
            style = "List Bullet" if block.marker == BULLET else "List Number" if block.marker else "List Continue"
            paragraph = document.add_paragraph(style=f"{style}{depth}")
            _write(paragraph, block.spans)
        case "table":
            _write_table(document, block)
        case "rule":
            document.add_paragraph("―" * 12)
        case _:
            _write(document.add_paragraph(style=WORD_STYLES[block.kind]), block.spans)


def _write_table(document: Document, block: DocumentBlock) -> None:
    from docx.shared import Pt

    widths = [Pt(one * (WIDTH_PT - 2 * MARGIN_PT)) for one in column_shares(block.rows)]
    table = document.add_table(rows=len(block.rows), cols=max(map(len, block.rows)), style="Table Grid")
    table.autofit = False
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for number, (row, cells) in enumerate(zip(table.rows, block.rows, strict=True)):
        for cell, width in zip(row.cells, widths, strict=True):
            cell.width = width
        for cell, spans in zip(row.cells, cells, strict=False):
            _write(cell.paragraphs[0], [replace(one, bold=True) for one in spans] if number == 0 else spans)


def _write(paragraph: Paragraph, spans: Sequence[TextRun]) -> None:
    for span in spans:
        run = paragraph.add_run(printable(span.text) + (f" ({span.link})" if span.link and span.link != span.text else ""))
        run.bold, run.italic = span.bold or None, span.italic or None
        if span.code:
            run.font.name = "Courier New"


def printable(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(one for one in text if one in "\n\t" or unicodedata.category(one) not in {"Cc", "Cs", "Cn"})


FONT = "LiberationSans"
LEADING = 1.4
SIZES = {1: 18.0, 2: 14.5, 3: 12.5}
BODY_PT = 10.5
INDENT_PT = 16.0
LEFT_OUT = frozenset({"So", "Sk", "Cn", "Co", "Cf", "Cc", "Cs", "Mn"})
"""Unicode categories of pictures and invisible marks. A PDF without them says the same."""


def pdf_file(markdown: str, title: str) -> bytes:
    """A PDF in A4 with numbered pages. Raises `NotAllowed` for letters that its font does not have."""
    from reportlab.platypus import SimpleDocTemplate

    _fonts()
    blocks = blocks_of(markdown)
    out = io.BytesIO()
    margins: Any = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), MARGIN_PT)
    document = SimpleDocTemplate(out, pagesize=(WIDTH_PT, HEIGHT_PT), title=title, author="", **margins)
    drawn = [drawn for block in blocks for drawn in _drawn(block)] or [_paragraph((TextRun(" "),))]
    document.build(drawn, onFirstPage=_numbered, onLaterPages=_numbered)
    return out.getvalue()


def _numbered(canvas: Any, document: Any) -> None:
    canvas.setFont(f"{FONT}-Regular", 9)
    canvas.setFillGray(0.4)
    canvas.drawCentredString(WIDTH_PT / 2, MARGIN_PT / 2, str(document.page))


@cache
def _fonts() -> frozenset[int]:
    """Registers the fonts once. Returns the code points that all of them have."""
    from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
    from reportlab.pdfbase.ttfonts import TTFont

    folder = resource("fonts")
    fonts = [TTFont(f"{FONT}-{style}", str(folder / f"{FONT}-{style}.ttf")) for style in ("Regular", "Bold", "Italic")]
    for font in fonts:
        registerFont(font)
    regular, bold, italic = (one.fontName for one in fonts)
    registerFontFamily(regular, normal=regular, bold=bold, italic=italic, boldItalic=bold)
    return frozenset.intersection(*(frozenset(one.face.charToGlyph) for one in fonts))


def _drawn(block: DocumentBlock) -> Iterator[Flowable]:
    from reportlab.lib import colors
    from reportlab.platypus import HRFlowable, Spacer, Table

    match block.kind:
        case "heading":
            spans = tuple(replace(one, bold=True) for one in block.spans)
            yield _paragraph(spans, size=SIZES.get(block.level, 11.5), spaceBefore=10.0, keepWithNext=True)
        case "item":
            yield _paragraph(block.spans, indent=INDENT_PT * (block.level + 1), marker=block.marker, spaceAfter=3.0)
        case "quote":
            said = _paragraph(tuple(replace(one, italic=True) for one in block.spans), spaceAfter=0.0)
            yield from _framed(said, ("LINEBEFORE", (0, 0), (0, -1), 2, colors.lightgrey))
        case "code":
            lines = block.spans[0].text.replace("  ", "\u00a0 ").split("\n")
            for number, line in enumerate(lines):  # a table row cannot be longer than a page
                grey = ("BACKGROUND", (0, 0), (-1, -1), colors.whitesmoke)
                yield from _framed(
                    _paragraph((TextRun(line or " "),), size=9.5, spaceAfter=0.0), grey, last=number == len(lines) - 1
                )
        case "rule":
            yield HRFlowable(width="100%", thickness=0.6, color=colors.grey, spaceBefore=6, spaceAfter=8)
        case "table":
            width = max(map(len, block.rows))
            cells = [
                [_paragraph(tuple(replace(one, bold=one.bold or not number) for one in cell), spaceAfter=0.0) for cell in row]
                + [""] * (width - len(row))
                for number, row in enumerate(block.rows)
            ]
            style: Any = [
                ("GRID", (0, 0), (-1, -1), 0.5, colors.lightgrey),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ]
            widths = [one * (WIDTH_PT - 2 * MARGIN_PT - 12) for one in column_shares(block.rows)]
            yield Table(cells, style=style, colWidths=widths, repeatRows=1, hAlign="LEFT")
            yield Spacer(0, 8)
        case _:
            yield _paragraph(block.spans)


def _framed(content: Flowable, frame: Any, last: bool = True) -> Iterator[Flowable]:
    """A paragraph in a frame, and room below the last one."""
    from reportlab.platypus import Spacer, Table

    pad: Any = [("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 2)]
    yield Table([[content]], style=[frame, *pad], colWidths=[WIDTH_PT - 2 * MARGIN_PT - 12])
    if last:
        yield Spacer(0, 8)


def _paragraph(spans: Sequence[TextRun], size: float = BODY_PT, indent: float = 0.0, marker: str = "", **more: Any) -> Flowable:
    """A paragraph; `more` are fields of its style."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    font, bullet_indent = f"{FONT}-Regular", max(0.0, indent - INDENT_PT)
    sizes = {"fontSize": size, "bulletFontSize": size, "leading": size * LEADING, "leftIndent": indent}
    fonts = {"fontName": font, "bulletFontName": font, "bulletIndent": bullet_indent, "splitLongWords": True}
    style = ParagraphStyle("own", **{**sizes, **fonts, "spaceAfter": 6.0, **more})
    return Paragraph("".join(map(_marked_up, spans)), style, bulletText=marker or None)


def _marked_up(span: TextRun) -> str:
    """The span in reportlab's own markup, with everything in it escaped."""
    text = escape(_shown(span.text)).replace("\n", "<br/>")
    for tag, wanted in (("b", span.bold), ("i", span.italic and not span.bold)):
        text = f"<{tag}>{text}</{tag}>" if wanted else text
    return f'<link href={quoteattr(span.link)} color="#1a56b0">{text}</link>' if span.link else text


def _shown(text: str) -> str:
    """The text as the font can show it, without pictures and invisible marks. Raises `NotAllowed` for other missing letters."""
    have = _fonts()
    whole = unicodedata.normalize("NFC", text)
    kept = "".join(one for one in whole if one == "\n" or ord(one) in have or unicodedata.category(one) not in LEFT_OUT)
    missing = "".join(dict.fromkeys(one for one in kept if one != "\n" and ord(one) not in have))
    if missing.strip("\t\r"):
        raise NotAllowed(Cause.NO_LETTERS_FOR_PDF, missing[:12])
    return kept.replace("\t", " ")
