"""Finds claims of a draft without a source: figures, dates, names, links and commitments.

Works on the words by code, so that no model grades itself. It prefers marking too much: a mark costs the user a glance, an
invented price costs more. A fact may come from anybody's text, a commitment only from the owner's. Dates and commitments are
known in English, German, French, Spanish and Czech; other languages are still checked for figures, links and names.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from app.domain.drafting.draft import Source, Span, SpanKind
from app.domain.policy.private_words import SHARED_WORDS, WORD
from app.domain.policy.red_flags import LINK
from app.domain.record import Record

DAY_NAMES = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "tonight"),
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "morgen früh", "übermorgen"),
    *("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "demain"),
    *("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "mañana"),
    *("pondělí", "úterý", "středa", "středu", "čtvrtek", "pátek", "sobota", "sobotu", "neděle", "neděli", "zítra"),
)

MONTH_NAMES = (
    *("january", "february", "april", "june", "july", "august", "september", "october", "november", "december"),
    *("januar", "februar", "märz", "juni", "juli", "oktober", "dezember"),
    *("janvier", "février", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"),
    *("enero", "febrero", "marzo", "abril", "junio", "julio", "septiembre", "octubre", "noviembre", "diciembre"),
    *("ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu", "prosince"),
)
"""Without `may` and `march`, which are English verbs; a date with them is still caught by its figure."""

COMMITMENT = re.compile(
    r"\b(?:I|we)(?:\s+will|['’]ll|\s+shall|\s+promise|\s+guarantee|\s+agree|\s+accept|\s+confirm|\s+commit)\b"
    r"|\b(?:I|we)(?:\s+have|['’]ve)\s+(?:sent|paid|attached|booked|ordered|arranged|refunded|shipped|transferred|approved|signed)\b"
    r"|\b(?:you will receive|you can count on|consider it done|the (?:payment|refund|order) (?:has been|was|will be))\b"
    r"|\b(?:ich|wir)\s+(?:werde|werden|verspreche|versprechen|garantiere|garantieren|bestätige|bestätigen|akzeptiere)\b"
    r"|\bje\s+(?:vais|promets|confirme|garantis|accepte)\b|\bnous\s+(?:allons|promettons|confirmons|acceptons)\b"
    r"|\b(?:voy a|vamos a|prometo|confirmo|garantizo|aceptamos|acepto|enviaré|enviaremos)\b"
    r"|\b(?:slibuji|slibujeme|potvrzuji|potvrzujeme|zaručuji|pošlu|pošleme|zaplatím|zaplatíme|zařídím|zařídíme)\b",
    re.IGNORECASE,
)

ATTACHED = re.compile(
    r"\b(?:(?:find|see)\b.{0,60}\b(?:attached|enclosed)|(?:attached|enclosed) (?:is|are|you will|please)|(?:is|are) attached"
    r"|i(?:['’]m| am) attaching|anbei|im anhang (?:finde|schicke|sende)\w*|v příloze (?:posíl|zasíl|najde)\w*|přikládám\w*)\b",
    re.IGNORECASE,
)
"""What is only true of a mail with files."""

DENIAL = re.compile(
    r"\b(?:not|never|cannot|no longer|nobody|nicht|nie|niemals|kein\w*|pas|jamais|nunca|jamás|nikdy)\b|n['’]t\b"
    r"|\bno\b(?!\s+(?:problem|worries|doubt|trouble|matter))"
    r"|\bne(?:zaplat|po[šs]l|bud|m[ůu][žz]|moh|vrát|doru[čc]|za[řr]íd|potvrd|slib|zaru[čc]|souhlas|p[řr]ij[mí])\w*",
    re.IGNORECASE,
)
"""A sentence that denies something supports no promise of it."""

EMPTY_WORDS = frozenset(
    {
        *("will", "shall", "have", "the", "and", "you", "your", "for", "that", "this", "with", "our", "are", "was", "been"),
        *("ich", "wir", "werde", "werden", "das", "die", "der", "den", "und", "ihnen", "sie", "für", "mit"),
        *("vais", "allons", "vous", "nous", "les", "des", "pour", "voy", "vamos", "los", "las", "para", "vám", "pro"),
    }
)
"""Words that do not tell what is promised."""

COMMON_CAPITALS = frozenset(
    {
        *("i", "i'm", "i'll", "i'd", "i've", "ok", "re", "fw", "fwd", "mr", "mrs", "ms", "dr", "prof", "sir", "madam"),
        *("dear", "hi", "hello", "thanks", "thank", "best", "kind", "regards", "sincerely", "cheers", "yours"),
        *("english", "german", "french", "spanish", "czech", "italian", "pdf", "url", "faq", "ceo", "cto", "fyi", "asap"),
        *("am", "pm", "utc", "gmt", "cet", "est", "pst", "id", "usd", "eur", "gbp"),
        *("sie", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "herr", "frau", "liebe", "lieber", "grüße", "vielen"),
        *("vous", "madame", "monsieur", "cordialement", "usted", "ud", "señor", "señora", "vás", "vám", "vaše", "váš"),
    }
)
"""Capitalised words that are no names."""

GERMAN = re.compile(r"\b(?:und|nicht|ich|wir|die|der|das|mit|für|ist|auf|ihnen|sie|ihre)\b", re.IGNORECASE)

TITLES = frozenset({"herr", "herrn", "frau", "dr", "prof", "firma"})
"""In German text a name follows one of these."""


FIGURE = re.compile(r"(?<![\w.,])[€$£]?\d+(?:[.,:/\-]\d+)*(?:\s?(?:%|€|\$|£))?(?!\w)")
ADDRESS = re.compile(r"[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63})+")
NAME_PART = re.compile(r"\w(?:[\w'’\-]*\w)?")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
DAY = re.compile(r"\b(?:" + "|".join((*DAY_NAMES, *MONTH_NAMES)) + r")\b", re.IGNORECASE)

LARGEST_DATE_PART = 9999
"""Parts of dates and times are days, hours, minutes and years."""

GERMAN_FROM = 3
"""Function words that make a text German."""

COMMITMENT_OVERLAP = 0.6
"""Share of a commitment's words that must be in one text of the owner to support it."""


class DraftEvidence(Record):
    """Texts that may support a draft: the owner's, and everybody else's (thread, calendar, contact card)."""

    owner: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        return self.owner + self.others


def unsupported(body: str, evidence: DraftEvidence, *, files: bool = False) -> tuple[Span, ...]:
    """A span for each claim without a source, in order. Its `note` is figure, date, name, link or commitment.

    `files`: the mail has some, so that it may speak of them.
    """
    known = "\n".join(evidence.texts).casefold()
    figures = {plain(one.group()) for one in FIGURE.finditer(known)}
    spans = [
        *(_span(one, "link") for one in LINK.finditer(body) if one.group().rstrip(".,;:!?").casefold() not in known),
        *(_span(one, "link") for one in ADDRESS.finditer(body) if one.group().casefold() not in known),
        *(_span(one, "figure") for one in FIGURE.finditer(body) if not _figure_known(one.group(), figures)),
        *(_span(one, "date") for one in DAY.finditer(body) if not _word_in(one.group(), known)),
        *_names(body, known),
        *_commitments(body, evidence.owner, files=files),
    ]
    return tuple(_without_overlap(spans))


def plain(figure: str) -> str:
    """A figure without currency, grouping and trailing zeros, so that 1,200.00 and 1200 are equal."""
    digits = re.sub(r"[^\d.,:/\-]", "", figure)
    grouped = re.fullmatch(r"(\d{1,3}(?:[.,]\d{3})+)([.,]\d{1,2})?", digits)
    if grouped:
        digits = re.sub(r"[.,]", "", grouped.group(1)) + (grouped.group(2) or "")
    digits = digits.replace(",", ".")
    return re.sub(r"\.0+$", "", digits).lstrip("0") or "0"


def _figure_known(figure: str, known: set[str]) -> bool:
    """Whether the sources have the figure, or each part of a date or time. Figures up to three always pass."""
    wanted = plain(figure)
    if wanted in known or wanted in {"0", "1", "2", "3"}:
        return True
    if not re.fullmatch(r"[\d.:/\-]+", figure):
        return False
    parts = [part.lstrip("0") or "0" for part in re.split(r"[:/\-]", wanted)]
    pool = known | {part.lstrip("0") or "0" for one in known for part in re.split(r"[:/\-.]", one)}
    return all(part in pool and part.isdigit() and int(part) <= LARGEST_DATE_PART for part in parts)


def _word_in(word: str, known: str) -> bool:
    """Whether the casefolded text contains the word as a whole word."""
    return re.search(rf"\b{re.escape(word.casefold())}\b", known) is not None


def _names(body: str, known: str) -> Iterator[Span]:
    """Capitalised words inside a sentence that no source has, neighbours joined.

    The first word of a sentence always passes. In German only words after a title are checked, because all nouns are capitalised.
    """
    german = len(GERMAN.findall(body)) >= GERMAN_FROM
    for sentence in SENTENCE.finditer(body):
        strange: list[re.Match[str]] = []
        words = list(NAME_PART.finditer(body, sentence.start(), sentence.end()))
        for before, word in pairwise(words):
            titled = not german or before.group().casefold() in TITLES
            if not (titled and word.group()[0].isupper()) or _familiar(word.group(), known):
                yield from _joined(strange)
                strange = []
            else:
                strange.append(word)
        yield from _joined(strange)


def _joined(words: Sequence[re.Match[str]]) -> Iterator[Span]:
    """One span over neighbouring words, none for an empty list."""
    if words:
        yield Span(words[0].start(), words[-1].end(), SpanKind.UNSUPPORTED, "name")


def _familiar(word: str, known: str) -> bool:
    """Whether a capitalised word needs no source or has one."""
    plain_word = re.sub(r"'s?$", "", word.casefold().replace("’", "'"))
    common = len(plain_word) < 2 or plain_word in COMMON_CAPITALS or DAY.fullmatch(plain_word) is not None
    return common or _word_in(plain_word, known)


def _commitments(body: str, owner: Sequence[str], *, files: bool) -> Iterator[Span]:
    """Sentences that promise or agree to something no text of the owner supports."""
    for sentence in SENTENCE.finditer(body):
        text = sentence.group()
        if COMMITMENT.search(text) is None and (files or ATTACHED.search(text) is None):
            continue
        words = {one.group().casefold() for one in WORD.finditer(text) if len(one.group()) > 2} - EMPTY_WORDS
        backing = owner if DENIAL.search(text) else [_affirmed(said) for said in owner]
        shares = [len(words & {one.group().casefold() for one in WORD.finditer(said)}) / max(len(words), 1) for said in backing]
        if max(shares, default=0.0) < COMMITMENT_OVERLAP:
            start = sentence.start() + len(text) - len(text.lstrip())
            yield Span(start, sentence.start() + len(text.rstrip()), SpanKind.UNSUPPORTED, "commitment")


def _affirmed(said: str) -> str:
    """The owner's text without sentences that deny something: "I cannot pay" does not support "I will pay"."""
    if DENIAL.search(said) is None:
        return said
    return " ".join(one.group() for one in SENTENCE.finditer(said) if DENIAL.search(one.group()) is None)


def _span(found: re.Match[str], note: str) -> Span:
    return Span(found.start(), found.end(), SpanKind.UNSUPPORTED, note)


def _without_overlap(spans: Iterable[Span]) -> list[Span]:
    """Sorts spans and drops overlapping ones. A commitment may contain others."""
    kept: list[Span] = []
    reached = {True: 0, False: 0}
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        promise = span.note == "commitment"
        if span.start >= reached[promise]:
            kept.append(span)
            reached[promise] = span.end
    return kept


def from_sources(body: str, sources: Iterable[Source]) -> tuple[Span, ...]:
    """Spans of at least `SHARED_WORDS` words that a source has word for word."""
    places = list(WORD.finditer(body))
    words = [one.group().casefold() for one in places]
    spans: list[Span] = []
    for source in sources:
        theirs = [one.group().casefold() for one in WORD.finditer(source.excerpt)]
        grams = {tuple(theirs[at : at + SHARED_WORDS]) for at in range(len(theirs) - SHARED_WORDS + 1)}
        shared = [at for at in range(len(words) - SHARED_WORDS + 1) if tuple(words[at : at + SHARED_WORDS]) in grams]
        for first, last in _runs(shared):
            start, end = places[first].start(), places[last + SHARED_WORDS - 1].end()
            if not any(other.start < end and start < other.end for other in spans):
                spans.append(Span(start, end, SpanKind.FROM_SOURCE, source.title, source.message_id))
    return tuple(sorted(spans, key=lambda one: one.start))


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Maximal runs of consecutive numbers, as first and last."""
    start = None
    for at, place in enumerate(places):
        start = place if start is None else start
        if at + 1 == len(places) or places[at + 1] != place + 1:
            yield start, place
            start = None
