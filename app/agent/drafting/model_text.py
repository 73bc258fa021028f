"""Makes the plain text of a mail from what a model wrote, and open slots of its placeholders.

Asked for plain text, models still write header lines, Markdown, HTML, JSON and fences, quote the original, greet and sign twice,
and add notes about the draft. A model writes `[[what is needed]]` for an open slot; other placeholders such as `[Your Name]` and
`{{name}}` count as slots too, so that none is ever sent. Slots become spans and leave no text in the body.
"""

import re
from contextlib import suppress

from app.agent.language.reply_parts import line_key, split_letter, without_signature
from app.agent.llm.answers import AnswerFormatError, parse_object
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.language.words import fold
from app.domain.mail.quotes import split_text
from app.domain.record import replace
from app.mail.html.visible import visible_text
from app.mail.mime.text import visible_only

MARKED = re.compile(
    r"\[\[(?P<slot>[^\[\]]{1,300})\]\]"
    r"|\[\s*(?P<blank>(?:(?:your|insert|enter|add|name|date|time|day|company|phone|address|amount|price|link|placeholder|tbd|xx+|the|"
    r"their|recipient|sender|customer|ihr|ihre|dein|deine|vaše|jméno|doplňte)\b[^\[\]]{0,80}?"
    r"|(?-i:[A-ZÀ-ÖØ-ÞČĎĚŇŘŠŤŮŽ])[^\[\]\d\n]{1,60}?))\s*\](?!\()"
    r"|\{\{\s*(?P<braces>[^\W\d][\w .'-]{0,40}?)\s*\}\}"
    r"|[<{](?P<angle>(?:your|insert|enter|recipient|sender|customer|first|last|name|price|link)\b[\w .'-]{0,40})[>}]"
    r"|_{4,}",
    re.IGNORECASE,
)
_BODY = {"type": "object", "properties": {"body": {"type": "string"}}, "required": ["body"], "additionalProperties": False}
_FENCED = re.compile(r"```\w*[ \t]*\n(.*?)\n?```", re.DOTALL)
_HTML = re.compile(r"</(?:p|div|ul|ol|li|strong|b|em|i|html|body|h[1-6]|span)>|<br\b[^<>]*>", re.IGNORECASE)
_HEADERS = re.compile(r"(?:(?:subject|to|from|cc|date|betreff|an|von|předmět|komu|od)[ \t]*:[^\n]*\n+)+", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?:subject|to|betreff|předmět|komu)\b", re.IGNORECASE | re.MULTILINE)
_MARKDOWN = (
    (re.compile(r"^#{1,6}[ \t]+", re.MULTILINE), ""),
    (re.compile(r"^[*+][ \t]+", re.MULTILINE), "- "),
    (re.compile(r"\*\*(?=\S)([^\n]+?)(?<=\S)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\[)\[([^\[\]\n]+)\]\(((?:https?|mailto):[^()\s]+)\)"), r"\1 (\2)"),
)
_RULE = re.compile(r"(?:-{3,}|\*{3,}|={3,}|—{2,})")
_POSTSCRIPT = re.compile(r"p\.?\s?s\.?\b", re.IGNORECASE)
_ABOUT_DRAFT = re.compile(
    r"\b(?:placeholders?|this (?:draft|reply|response|email)|the draft|more formal|(?:short|long)er version|adjust|customi[sz]e|"
    r"personali[sz]e|feel free to (?:edit|change|modify)|square brackets|platzhalter|entwurf|zastupn\w+|(?:tento|navrh) navrh)\b"
)


def plain_text(text: str, signature: str = "") -> str:
    """The mail in a model's text. `signature` is the account's, which is added when the mail is composed."""
    text = visible_only(_unwrapped(text.strip())).strip()
    head = _HEADERS.match(text)
    if head is not None and _SUBJECT.search(head[0]):
        text = text[head.end() :].lstrip()
    for pattern, plain in _MARKDOWN:
        text = pattern.sub(plain, text)
    parts = split_text(text)
    if parts.own and parts.history:
        text = f"{parts.own}\n\n{parts.signature}".strip()
    return without_signature(_once(_without_notes(text)), signature)


def plain_subject(text: str) -> str:
    """The subject on one line, without the name of the field."""
    return re.sub(r"^(?:subject|betreff|předmět)\s*:\s*", "", " ".join(text.split()), flags=re.IGNORECASE)


def _unwrapped(text: str) -> str:
    """The text within an object, a fence or HTML."""
    if text.startswith("{"):
        with suppress(AnswerFormatError):
            text = str(parse_object(text, _BODY)["body"]).strip()
    if (fenced := _FENCED.fullmatch(text)) is not None:
        text = fenced[1]
    if "\\n" in text and "\n" not in text:  # escaped twice
        text = text.replace("\\n", "\n").replace('\\"', '"')
    return visible_text(text) if _HTML.search(text) else text


def _without_notes(text: str) -> str:
    """The text without what a model says of it below the mail."""
    above, _, last = text.rpartition("\n\n")
    if above and _RULE.fullmatch(last.strip()):
        return _without_notes(above)
    ruled = _RULE.fullmatch(above.rpartition("\n")[2].strip()) or _RULE.match(last)
    added = _POSTSCRIPT.match(last) is None and _ABOUT_DRAFT.search(fold(last))
    if above and added and (ruled or split_letter(above).sign_off):
        return _without_notes(above)
    return text


def _once(text: str) -> str:
    """The text without a second greeting, sign-off or repeated paragraph."""
    kept: list[str] = []
    for one in text.split("\n\n"):
        if not (kept and line_key(one) and line_key(one) == line_key(kept[-1])):
            kept.append(one)
    text = "\n\n".join(kept)
    greeting = split_letter(text).greeting
    rest = text[len(greeting) :].lstrip()
    again = split_letter(rest).greeting
    if again and line_key(again).split()[-1] == line_key(greeting).split()[-1]:
        text = rest
    if signed := split_letter(text).sign_off:
        above = text[: text.rfind(signed.splitlines()[0])].rstrip()
        if len(split_letter(above).sign_off.splitlines()) > 1:
            text = above
    return text


def with_slots(draft: Draft, text: str) -> Draft:
    """The draft with `text` as its body, placeholders turned into open slots."""
    body = ""
    spans: list[Span] = []
    last = 0
    for found in MARKED.finditer(text):
        body += text[last : found.start()]
        spans.append(Span(len(body), len(body), SpanKind.OPEN_SLOT, wanted(found)))
        last = found.end()
    return replace(draft, body=body + text[last:], spans=tuple(spans))


def wanted(placeholder: re.Match[str]) -> str:
    """What a match of `MARKED` stands for."""
    return next(filter(None, placeholder.groups()), "").strip() or "…"
