"""The mail addresses that stand in a text, found in one pass whatever the text is.

Refuses to look at more than `MOST` places: the text is a stranger's and may hold a million @ signs. An address is never the
middle of a longer one: `info@shop.example` is not in `xinfo@shop.example` nor in `info@shop.example.evil.org`.
"""

import re

MOST = 2000
LONGEST_LOCAL = 64
LONGEST_DOMAIN = 255

LETTERS = r"A-Za-z0-9À-ɏͰ-ԯ"
"""What may stand in an address without quotes. Scripts that are written without spaces are left out: there an address ends where
they begin."""
_BEFORE = re.compile(rf"[{LETTERS}._%+\-]*+")
_LABEL = rf"[{LETTERS}]++(?:-++[{LETTERS}]++)*+"
_AFTER = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+(?!-*_*[{LETTERS}@])")


def mentioned(text: str) -> frozenset[str]:
    """The addresses in `text`, in lower case."""
    found: set[str] = set()
    at = text.find("@")
    for _ in range(MOST):
        if at < 0:
            break
        address = _around(text, at)
        if address:
            found.add(address.lower())
        at = text.find("@", at + 1)
    return frozenset(found)


def _around(text: str, at: int) -> str:
    """The address whose @ stands at `at`, or nothing."""
    backwards = text[max(0, at - LONGEST_LOCAL - 1) : at][::-1]
    run = _BEFORE.match(backwards)
    local = run.group()[::-1] if run else ""
    whole = len(local) <= LONGEST_LOCAL and backwards[len(local) : len(local) + 1] != "@"
    domain = _AFTER.match(text, at + 1, at + 2 + LONGEST_DOMAIN)
    return f"{local}@{domain.group()}" if local and whole and domain else ""
