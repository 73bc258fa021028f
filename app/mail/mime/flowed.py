"""Text in the shape `format=flowed` (RFC 3676): lines that end in a space go on in the next one.

Quoted lines flow within their depth. Refuses to touch text that does not declare itself flowed.
"""

import re

FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
DELETED_SPACE = re.compile(r"delsp\s*=\s*\"?yes", re.IGNORECASE)
SIGNATURE = "-- "


def unflowed(text: str, content_type: str) -> str:
    """`text` with its flowed lines joined, if `content_type` says it is flowed; line ends are `\\n`."""
    if not FLOWED.search(content_type) or " \n" not in text:
        return text
    deleted = DELETED_SPACE.search(content_type) is not None
    lines: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        joins = depth == open_depth and words != SIGNATURE
        if joins:
            lines[-1] += words
        else:
            lines.append(f"{'>' * depth} {words}" if depth else words)
        open_depth = -1
        if words.endswith(" ") and words != SIGNATURE:
            open_depth = depth
            if deleted:
                lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
