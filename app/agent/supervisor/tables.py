"""A table as CSV that a spreadsheet takes as words and figures: a cell that would be computed is marked as text.

A stranger's mail may have put it there, and opening the file would carry it out.
"""

import csv
import io
import re

COMPUTED = re.compile(r"\s*[=@]|\s*[+\-](?!\s?[\d.,\s]*\d\s?%?\s*$)")
"""Beginnings of a formula; a number with its sign is none."""

AS_TEXT = "'"


def plain_table(content: str) -> str:
    """The same table, its formulas as text; separated by what its first line is separated by."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n")
    first = lines.partition("\n")[0]
    between = max(",;\t", key=first.count)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=between, lineterminator="\n")
    writer.writerows([_plain(cell) for cell in row] for row in csv.reader(io.StringIO(lines, newline=""), delimiter=between))
    return out.getvalue()


def _plain(cell: str) -> str:
    return AS_TEXT + cell if COMPUTED.match(cell) else cell
