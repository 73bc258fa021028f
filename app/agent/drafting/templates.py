"""Template drafts, in English and Czech: greeting, thanks, each question quoted over an open slot, named days, times to meet.

The language is that of the mail, not of the window. `DraftBuilder` puts a body together with its spans.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.agent.language.reply_parts import greet, split_letter
from app.agent.language.times import WorkingHours, free_times, is_free, proposed, written
from app.agent.triage.cues import Cue, count_cues
from app.agent.triage.questions import asked
from app.domain.drafting.draft import Span, SpanKind
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import MessageId
from app.domain.language.facts import days_named
from app.domain.language.words import Language, content_words, covered, fold, language, sentences
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category
from app.domain.ports.agents import OwnReply


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language. `{}` in `greet` is a first name, in `noted` the days as written."""

    greet: str
    thanks: dict[Category, str]
    noted: str
    offer: str
    between: str
    closing: str


_EN = Phrases(
    greet="Hello {},",
    thanks={
        Category.INQUIRY: "thank you for your message.",
        Category.MEETING_REQUEST: "thank you for suggesting to meet.",
        Category.COMPLAINT: "thank you for telling me, and I am sorry for the trouble.",
        Category.FOLLOW_UP: "thank you for getting back to me.",
        Category.OTHER: "thank you for your message.",
        Category.SPAM: "thank you for your message.",
    },
    noted="I have noted {}.",
    offer="These times would suit me:",
    between="to",
    closing="Best regards",
)
_CS = Phrases(
    greet="Dobrý den,",
    thanks={
        Category.INQUIRY: "děkuji za vaši zprávu.",
        Category.MEETING_REQUEST: "děkuji za návrh setkání.",
        Category.COMPLAINT: "děkuji, že jste se ozvali, a omlouvám se za potíže.",
        Category.FOLLOW_UP: "děkuji, že se připomínáte.",
        Category.OTHER: "děkuji za vaši zprávu.",
        Category.SPAM: "děkuji za vaši zprávu.",
    },
    noted="Beru na vědomí termín: {}.",
    offer="Hodily by se mi tyto termíny:",
    between="až",
    closing="S pozdravem",
)

PROMPTS: dict[str, str] = {
    "answer": "Your answer",
    "settle": "What you will do about it",
    "status": "How things stand",
    "reply": "What you want to say",
    "times": "Times that suit you",
    "specific": "Instead of “{}” from the old reply",
    "also": "Your answer to: {}",
}
"""Prompts of open slots."""


def phrases(language: Language) -> Phrases:
    """The sentences for a language; English for unknown ones."""
    return _CS if language is Language.CS else _EN


@dataclass(slots=True)
class DraftBuilder:
    """Builds a body with spans. Methods return the builder for chaining."""

    _parts: list[str] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _length: int = 0

    def text(self, text: str) -> "DraftBuilder":
        """Adds text without a span."""
        self._parts.append(text)
        self._length += len(text)
        return self

    def taken(self, text: str, source: MessageId) -> "DraftBuilder":
        """Adds text taken from the mail `source`."""
        start = self._length
        self.text(text)
        if text:
            self._spans.append(Span(start, self._length, SpanKind.FROM_SOURCE, "", source))
        return self

    def slot(self, prompt: str) -> "DraftBuilder":
        """Adds an open slot: a span of no characters with a prompt."""
        self._spans.append(Span(self._length, self._length, SpanKind.OPEN_SLOT, prompt))
        return self

    def paragraph(self) -> "DraftBuilder":
        """Adds an empty line, unless the body is empty."""
        return self.text("\n\n") if self._length else self

    def finish(self) -> tuple[str, tuple[Span, ...]]:
        """Body and spans."""
        return "".join(self._parts), tuple(self._spans)


MOST_QUESTIONS = 6
RELATED = 0.5
ANSWERS_WORDS = 0.5
_HOURS = re.compile(r"\b(?:open|opening|hours|close|closed|otevreno|oteviraci|otevirate|zavirate|zavreno|park\w*)\b")
_WHICH_TIME = re.compile(
    r"\b(?:which (?:one|day|of|time)|what time|when (?:would|could|can|are|shall)|(?:does|would|will) (?:that|it|this)|"
    r"hodi se|ktery (?:den|termin|cas)|kdy (?:by|mate|muzete)|udelate si cas|nasel byste|nasla byste)\b"
)
_STATUS_PROMPTS = {Category.COMPLAINT: "settle", Category.FOLLOW_UP: "status"}


@dataclass(frozen=True, slots=True)
class FreeTimeFacts:
    """What is known about the owner's time. `busy` is None where no calendar was read."""

    busy: Sequence[BusyTime] | None
    hours: WorkingHours
    now: datetime


@dataclass(frozen=True, slots=True)
class FilledTemplate:
    """A filled template: the body, the times it offers (UTC), and the own replies it quotes."""

    body: DraftBuilder
    times: tuple[datetime, ...]
    quoted: tuple[OwnReply, ...]


def fill(
    message: Message, account: Account, category: Category, calendar: FreeTimeFacts, own_replies: Sequence[OwnReply]
) -> FilledTemplate:
    """Fills the template for one mail."""
    text = newest_part(message.body_text)
    spoken = language(f"{message.subject}\n{text}")
    words = phrases(spoken)
    body = DraftBuilder()
    if spoken is not Language.OTHER:
        body.text(greet(spoken, message, text)).paragraph().text(_begin(words.thanks[category], spoken))
    times = _times(text, category, calendar)
    quoted = _questions(body, text, category, bool(times), own_replies)
    if category is Category.MEETING_REQUEST:
        _offer(body, times, calendar, words, spoken)
    elif category is not Category.COMPLAINT:
        _note_days(body, text, words, spoken)
    if spoken is not Language.OTHER:
        body.paragraph().text(_sign_off(account, own_replies, words, spoken))
    return FilledTemplate(body, times, quoted)


def _begin(thanks: str, spoken: Language) -> str:
    """In English the sentence after the greeting begins with a capital; in Czech it continues after the greeting's comma."""
    return thanks if spoken is Language.CS else thanks[:1].upper() + thanks[1:]


def _questions(
    body: DraftBuilder, text: str, category: Category, timed: bool, own_replies: Sequence[OwnReply]
) -> tuple[OwnReply, ...]:
    """Adds each question quoted over its slot, with a related sentence of an own reply where there is one."""
    wants = [one.text for one in asked(text)]
    if category is Category.MEETING_REQUEST:
        wants = [one for one in wants if not _about_time(one)]
    quoted: list[OwnReply] = []
    for want in wants[:MOST_QUESTIONS]:
        body.paragraph().text(f"> {want}\n")
        found = _own_line(want, own_replies)
        if found is not None:
            body.taken(found[0], found[1].answer.id).text("\n")
            quoted.append(found[1])
        body.slot(PROMPTS["answer"])
    prompt = _STATUS_PROMPTS.get(category, "reply")
    if not wants and category is not Category.MEETING_REQUEST:
        body.paragraph().slot(PROMPTS[prompt])
    return tuple(dict.fromkeys(quoted))


def _about_time(question: str) -> bool:
    """Whether offered times answer this question. A question about opening hours does not count."""
    folded = fold(question)
    if _HOURS.search(folded):
        return False
    return count_cues(question)[Cue.MEETING] > 0 or bool(_WHICH_TIME.search(folded))


def _own_line(want: str, own_replies: Sequence[OwnReply]) -> tuple[str, OwnReply] | None:
    """The sentence of a related own reply with most of the question's words, at least half of them."""
    wanted = content_words(want)
    best: tuple[float, str, OwnReply] | None = None
    for reply in own_replies:
        answer = newest_part(reply.answer.body_text)
        if reply.similarity < RELATED or language(answer) is not language(want) or len(wanted) < 2:
            continue
        for sentence in sentences(split_letter(answer).body):
            share = covered(wanted, content_words(sentence))
            if share >= ANSWERS_WORDS and (best is None or share > best[0]):
                best = (share, sentence, reply)
    return None if best is None else (best[1], best[2])


def _times(text: str, category: Category, calendar: FreeTimeFacts) -> tuple[datetime, ...]:
    """The proposed times that are free, else free ones. Empty without a calendar or a meeting request."""
    if category is not Category.MEETING_REQUEST or calendar.busy is None:
        return ()
    busy = calendar.busy
    wished = [one for one in proposed(text, calendar.now, calendar.hours.zone) if is_free(one, calendar.hours.length, busy)]
    return tuple(wished[:3]) or free_times(busy, calendar.now, calendar.hours)


def _offer(body: DraftBuilder, times: Sequence[datetime], calendar: FreeTimeFacts, words: Phrases, spoken: Language) -> None:
    if not times:
        body.paragraph().slot(PROMPTS["times"])
        return
    lines = [f"- {written(one, calendar.hours.zone, spoken)}" for one in times]
    body.paragraph().text("\n".join([words.offer, *lines]))


def _note_days(body: DraftBuilder, text: str, words: Phrases, spoken: Language) -> None:
    days = days_named(text)
    if days and spoken is not Language.OTHER:
        body.paragraph().text(words.noted.format(", ".join(days[:3])))


def _sign_off(account: Account, own_replies: Sequence[OwnReply], words: Phrases, spoken: Language) -> str:
    """The owner's usual sign-off in this language, else a plain one with the account's name."""
    for reply in own_replies:
        answer = newest_part(reply.answer.body_text)
        used = split_letter(answer).sign_off
        if used and language(answer) is spoken:
            return used
    return f"{words.closing},\n{account.name}" if account.name else words.closing
