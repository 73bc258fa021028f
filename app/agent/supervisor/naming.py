"""A file name out of whatever a model calls its document: letters, figures and dashes, never a path."""

import re

OUTSIDE = re.compile(r"[^\w.()\-]+", re.UNICODE)
LONGEST = 60
FALLBACK = "document"


def document_name(wanted: str, kind: str) -> str:
    """A name ending in `.kind` that says what was wanted."""
    stem = re.sub(r"\.(?:md|txt|csv|markdown|text)$", "", wanted.strip(), flags=re.IGNORECASE)
    plain = OUTSIDE.sub("-", stem).strip("-._ ")
    while plain and not plain[0].isalnum():
        plain = plain[1:]
    return f"{plain[:LONGEST].rstrip('-._ ') or FALLBACK}.{kind}"
