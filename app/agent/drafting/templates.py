"""Drafts where a mail asks for a time or a receipt, and forms where only the owner knows more, in English, Czech and German.

A form has a greeting, each question quoted over an open slot, and a closing; nothing is made up. The language is that of the
mail, not of the window. `DraftBuilder` puts a body together with its spans.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.agent.drafting.receipt import confirmed_receipt
from app.agent.language.reply_parts import closing_only, greet, signed_by, split_letter
from app.agent.language.times import OFFERED, TimeWish, WorkingHours, free_times, is_free, suits, time_wish, written
from app.domain.drafting.draft import Span, SpanKind
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import MessageId
from app.domain.language.facts import FactKind, facts
from app.domain.language.own_words import own_words
from app.domain.language.speech_acts import ActKind, SpeechAct, asks
from app.domain.language.words import Language, fold, language
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category
from app.domain.ports.agents import OwnReply
from app.domain.record import Record, replace


class Phrases(Record):
    """The sentences of one language. `{}` is a time."""

    suits: str
    taken: str
    offer: str
    closing: str


PHRASES = {
    Language.EN: Phrases("{} suits me.", "I am not free then.", "These times would suit me:", "Best regards"),
    Language.CS: Phrases("Termín {} mi vyhovuje.", "V ten čas bohužel nemohu.", "Hodily by se mi tyto termíny:", "S pozdravem"),
    Language.DE: Phrases(
        "{} passt mir gut.", "Da kann ich leider nicht.", "Diese Termine würden mir passen:", "Mit freundlichen Grüßen"
    ),
}
"""In any other language a draft has only its questions and slots."""

PROMPTS: dict[str, str] = {
    "answer": "Your answer",
    "settle": "What you will do about it",
    "reply": "What you want to say",
    "times": "Times that suit you",
    "specific": "Instead of “{}” from the old reply",
    "also": "Does it hold here too: “{}”",
}
"""Prompts of open slots."""


@dataclass(slots=True)
class DraftBuilder:
    """Builds a body with spans. Methods return the builder for chaining."""

    _parts: list[str] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _length: int = 0

    def text(self, text: str) -> "DraftBuilder":
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
        return "".join(self._parts), tuple(self._spans)


MOST_QUESTIONS = 6
_HOURS = re.compile(
    r"\b(?:you|your|shop|store) (?:\w+ )?(?:open|hours|close|closed)\b|\b(?:opening|hours|park\w*)\b|"
    r"otevr|otevir|zavir|zavre|geoffnet|offnungs"
)
"""Opening hours are no time to meet."""
_NOT_THE_OWNERS = re.compile(
    r"\b(?:is|are|ist|sind|je|jsou) (?:the|your|my|our|his|her|this|die|das|der|ihre?|ten|ta|to|vas\w*) .{0,40}"
    r"\b(?:free|available|vacant|frei|verfugbar|voln\w+|k dispozici)\b|"
    r"\b(?:suits?|works? for|fits?|passt|vyhovuje|hodi se) (?:the|my|our|his|her|their|them|him|der|dem|den|meine\w?|unsere\w?|"
    r"jemu|ji|jim)\b|\b(?:from|between|von|od) \d.{0,12}\b(?:to|and|until|till|bis|do)\b.{0,60}\b(?:make it|attend|join|be there|"
    r"take part|dabei|teilnehmen|zucastnit|prijit)\b|"
    r"\bwhen (?:can|could|will|may|should) (?:i|we)\b.{0,20}\b(?:expect|receive|get (?!together)|move|start|pay)\b|"
    r"\bwann (?:kann|konnen) (?:ich|wir)\b.{0,40}\b(?:rechnen|erwarten|bekommen|erhalten|einziehen|anfangen)\b|"
    r"\bkdy (?:dostan|obdrz|\w+ ocekavat|\w+ pocitat)\w*|"
    r"\b(?:breakfast|brunch|lunch|dinner|supper|drinks?|beers?|fruhstuck|mittagessen|abendessen|snidan\w+|obed\w*|vecer[eiu])\b|"
    r"\bfree\b.{0,40}\bto (?!meet|talk|speak|chat|discuss|call|have|catch|go (?:over|through)|look|see|join|come|visit)\w+|"
    r"\b(?:arrange|organi[sz]e|set up|make|book|schedule)\b.{0,60}\bwith (?:the|my|our|your|his|her|their|mr|mrs|ms|dr)\b|"
    r"\b(?:before|after) (?:the|our|your|my) \w+ (?:on|at)\b"
)
"""Questions about the time of a thing or of others, of a deed or a meal, or whether the owner comes to what is fixed."""
MOST_INVITED = 8
"""Recipients of a mail that may ask the owner for a time. A mail to more announces one."""

_INVITES = re.compile(
    r"\b(?:how|what) about\b|\blet(?:'s|s| us)\b|\bshall we\b|\blet (?:me|us) know\b|\b(?:please|pls)\b|\b(?:suggest|propose)\b|"
    r"\b(?:i|we) (?:could|can|would like|'d like|am free|are free|am available|are available|was thinking|was hoping)\b|"
    r"\b(?:i|we)(?:'d|'m|'re) (?:like|free|available)\b|\b(?:suits?|works?|best|fine|convenient|good) (?:for |"
    r"to )?(?:me|us|you)\b|"
    r"\b(?:would|could) (?:suit|work|be (?:best|good|fine|ideal|great|possible|convenient))\b|"
    r"\b(?:hodi\w*|vyhovuj\w*|vyhovoval\w*|navrhuj\w*|nabiz\w*|slo by|sejdeme|muzu|mohu|mohl\w* bych|rad\w* bych|"
    r"prosim\w*|zkuste)\b|"
    r"\b(?:passt|passen|ginge|ware|vorschlag\w*|schlage|konnte|konnten|bitte|mochte|wurde|biete)\b|"
    r"\b(?:podemos|podriamos|propongo|puedo|por favor|je propose|nous proposons|je peux|pouvons)\b"
)
"""Words with which a statement asks for a time or offers one. Others only tell when something happens."""

_WHICH_TIME = re.compile(
    r"^\W*(?:and |so )?(?:which (?:one|day|of (?:these|them|the two)|time)|what (?:time|day)|when) "
    r"(?:(?:would |will |does |do |is |are )?(?:you |it |that |this )?)"
    r"(?:works?|suits?|best|better|convenient|free|available|good)\b|"
    r"\b(?:can|could|shall|may|should) (?:we|i) (?:\w+ )?"
    r"(?:meet|sit down|get together|talk|have a (?:call|chat)|visit|come (?:by|over))\b|"
    r"\b(?:would|do|will) you have (?:\w+ ){0,2}(?:time|hour|minutes)\b|"
    r"\blet (?:me|us) know when (?:you|we) (?:\w+ ){1,4}(?:to )?(?:meet|discuss|talk|chat|speak|call|free|available)\b|"
    r"\b(?:nasel|nasla|mel|mela|najdete|najdes) (?:byste |bys )?(?:si |na \w+ )?(?:cas|hodin[ku]u?|pul ?hodin\w*|chvil\w+)\b|"
    r"\bhatten sie (?:\w+ ){0,3}(?:zeit|stunde)\b|"
    r"^(?:hodi se|vyhovuje)(?: (?:vam|ti|to|tak|ten|tento|termin|cas|den|takto|takhle))*\W*$|"
    r"\bkter(?:y|a|e) (?:\w+ )?(?:termin|den|cas)\b|\bmuzeme se (?:sejit|potkat)\b|"
    r"^(?:wann|welcher (?:termin|tag))\b.{0,20}\b(?:passt|ginge|geht|zeit)\b|\bkonnen wir uns (?:\w+ )?treffen\b"
)
_A_DAY = r"(?:\d|\w+day|tomorrow|\w+tag|mittwoch|morgen|pond|uter|stred|ctvrt|patek|sobot|nedel|zitra|pozitri)"
_WOULD_SUIT = re.compile(
    rf"\b(?:shall we say|(?:can|could|would) you (?:do|make|manage)|ginge|wie ware|slo by|co takhle|co treba) "
    rf"(?:(?:on|at|es|auch|das|mit|am|der|um|to|i|v|ve|na) )*{_A_DAY}|"
    rf"\b(?:is|would be) (?:\w+ ){{0,2}}{_A_DAY} (?:\w+ )?any good\b"
)
_CONFIRMS = re.compile(
    r"\b(?:confirm|bestatige[nr]?|potvr\w+)\b.{0,40}\b(?:meeting|appointment|visit|call|slot|termin\w*|treffen|besuch|gesprach|"
    r"schuzk\w*|navstev\w*)\b|"
    r"\b(?:meeting|appointment|visit|call|termin\w*|treffen|besuch|gesprach|schuzk\w*|navstev\w*)\b.{0,80}\b(?:confirm|"
    r"bestatig|potvr)"
)
"""Questions whether a day or time suits, and wishes to confirm one, which may stand in the calendar already."""

_MOVED_FROM = re.compile(
    r"((?:mov|resched|postpon|verschieb|verleg|přesun|přelož)\w*.*?)\b(?:from|vom|von|z|ze)\s+[^,.?!]{3,30}?\s+(?=(?:to|auf|"
    r"na)\s)",
    re.IGNORECASE | re.DOTALL,
)
"""The time from which a meeting is moved."""

_CLAUSE_END = re.compile(
    r"[,;:]\s+(?:(?:and|or|but|a|nebo|ale|und|oder|aber) )?|\s(?:and|or|but|nebo|ale|und|oder|aber)\s|"
    r"\sa\s(?=(?:kd[eoy]|kolik|proc|jak\w*|co|muze\w*|mohl\w*|mate|mas|je|bude\w*)\b)"
)
_ASKING_CLAUSE = re.compile(
    r"(?:please|who|what|when|where|why|how|which|is|are|do|does|did|have|has|can|could|will|would|shall|should|may|must|"
    r"prosim|kdo|co|kdy|kde|proc|jak|kolik|muze\w*|muzu|mohl\w*|mam|mame|mate|mas|je|jsou|bude\w*|"
    r"bitte|wer|was|wann|wo|warum|wie|wieviel|ist|sind|kann\w*|konn\w*|soll\w*|darf|durf\w*|hab\w*|hast|muss\w*)\b"
)
_ABOUT_TIME = re.compile(
    r"\b(?:when|what (?:time|day)|which day) (?:can|could|would|will|shall|should|are|do|does|is) (?:i|we|you|it|that)\b|"
    r"^(?:when|what time|kdy|wann)\W*$|"
    r"\b(?:kdy|v kolik|wann) (?:by\w*|muze\w*|mohl\w*|se|kann\w*|konn\w*|passt|hat\w*|ging\w*)\b|"
    r"\b(?:suits?|works?|free|available|convenient|prefer|better|earlier|later|instead|another|meet|talk|speak|call|visit|move|"
    r"ok|okay|fine|good|possible|mozne|moglich|hodi\w*|vyhov\w*|sejit|zavolat|presunout|passt|ginge|treffen|telefonieren|zeit|cas|verschieben)\b"
)

_SAME_TIME = re.compile(r"\b(?:same|selbe\w?|gleiche\w?|stejn\w+) (?:time|hour|slot|zeit|uhrzeit|cas\w*|hodin\w*|dob\w+)\b")
FEW_WORDS = 3
LONGEST_BEFORE = 160
"""Characters of a sentence that is quoted so that the next one can be understood."""

_FIRST_PERSON = re.compile(r"^(?:(?:and|so|hi|hello)\W+)?(?:i|we|potrebuj\w+|rada?|radi|chtel\w*|ich|wir)\b")
_FOR_HELP = re.compile(r"\bask for your\b|\blike from\b|\bstill waiting\b")
_ANSWER_ME = re.compile(
    r"^(?:(?:so|and|but|a|und)\W+)?(?:(?:please|pls|kindly|prosim\w*|bitte)\W+)?"
    r"(?:let (?:me|us|\w+ and (?:me|i)) know|confirm|reply|answer|respond|get back to (?:me|us)|o potvrzeni|"
    r"potvrdte|dejte (?:mi |nam )?vedet|dej (?:mi )?vedet|ozvete se|odpovezte|"
    r"(?:ich|wir) bitten? um (?:\w+ )?(?:antwort|ruckmeldung|bestatigung)|um (?:\w+ )?(?:antwort|ruckmeldung|bestatigung)|"
    r"gib(?:t)? (?:mir|uns) \w* ?bescheid|geben sie (?:mir|uns) \w* ?bescheid)\b"
)
_INDIRECT = re.compile(
    r"\b(?:if|whether|what|when|which|how|who|where|why|zda|jestli|kdy|kolik|co|jak|ktery|ob|wann|was|wie|wer)\b|\?"
)
_CALLED = re.compile(r"(\w+)\s*[:,–-]+\s+(?=\S)")
MOST_WORDS_OF_REMINDER = 9


class FreeTimeFacts(Record):
    """What is known about the owner's time. `busy` is None where no calendar was read."""

    busy: Sequence[BusyTime] | None
    hours: WorkingHours
    now: datetime


class FilledTemplate(Record):
    """A filled template: the body, and the times it names (UTC)."""

    body: DraftBuilder
    times: tuple[datetime, ...]


def asked_of_owner(message: Message, account: Account) -> tuple[SpeechAct, ...]:
    """What a mail wants of the owner, in order, at most `MOST_QUESTIONS`."""
    others = [one.name or one.email for one in (*message.to, *message.cc) if one.email.lower() != account.email.lower()]
    wanted = asks(newest_part(message.body_text), (account.name, account.email), others)
    marked = any("?" in one.sentence for one in wanted)
    kept = [one for one in wanted if not _only_wants_an_answer(fold(one.sentence))]
    kept = [one for one in kept if not (marked and only_introduces(one))]
    return tuple(kept or wanted)[:MOST_QUESTIONS]


def asks_for_time(act: SpeechAct) -> bool:
    """Whether an act wants a time to meet. Opening hours are none."""
    folded = fold(act.sentence)
    if _HOURS.search(folded) or _NOT_THE_OWNERS.search(folded):
        return False
    proposed = act.kind is ActKind.PROPOSAL and ("?" in folded or bool(_INVITES.search(folded)))
    named = _names_time(act.sentence) and bool(_WOULD_SUIT.search(folded) or _CONFIRMS.search(folded))
    return proposed or named or bool(_WHICH_TIME.search(folded))


def only_introduces(act: SpeechAct) -> bool:
    """Whether a sentence such as "I would like to rent a bike" only introduces the questions of its mail."""
    folded = fold(act.sentence)
    if "?" in folded or act.deadline or _INDIRECT.search(folded):
        return act.kind is ActKind.QUESTION and folded.endswith(":")
    return bool(_FIRST_PERSON.match(folded)) and not _FOR_HELP.search(folded)


def _only_wants_an_answer(folded: str) -> bool:
    """Whether a sentence such as "please let me know by Friday" asks for nothing but the answer to the others."""
    return bool(_ANSWER_ME.search(folded)) and not _INDIRECT.search(folded) and len(folded.split()) <= MOST_WORDS_OF_REMINDER


def fill(
    message: Message, account: Account, category: Category, calendar: FreeTimeFacts, own_replies: Sequence[OwnReply]
) -> FilledTemplate:
    text = newest_part(message.body_text)
    spoken = language(f"{message.subject}\n{text}")
    wanted = asked_of_owner(message, account)
    body = DraftBuilder()
    greeting = greet(spoken, message, text)
    body.text(greeting)
    few = len(message.to) + len(message.cc) <= MOST_INVITED
    said = own_words(text).sentences
    heard = {one: replace(one, sentence=_understood(one, wanted, said)) for one in wanted}
    few = few and category is not Category.COMPLAINT
    meeting = [asked for one, asked in heard.items() if few and (asks_for_time(one) or asks_for_time(asked))]
    times: tuple[datetime, ...] = ()
    if meeting:
        times = _answer_times(body, meeting, text, calendar, spoken)
    for one, asked in heard.items():
        if receipt := confirmed_receipt(one.sentence, message, spoken):
            body.paragraph().text(receipt)
        elif (asked not in meeting or _asks_more(one)) and not (times and (only_introduces(one) or _tells_when(one))):
            body.paragraph().text(f"> {_without_name(asked.sentence, account)}\n").slot(PROMPTS["answer"])
    receipts = [] if wanted else list(filter(None, (confirmed_receipt(one, message, spoken) for one in said)))
    for receipt in receipts[:1]:
        body.paragraph().text(receipt)
    if not wanted and not receipts:
        body.paragraph().slot(PROMPTS["settle" if category is Category.COMPLAINT else "reply"])
    if spoken in PHRASES:
        familiar = greeting.startswith(("Ahoj", "Hallo"))
        body.paragraph().text(_sign_off(account, own_replies, spoken, familiar))
    return FilledTemplate(body, times)


def _asks_more(act: SpeechAct) -> bool:
    """Whether a question about a time asks for something else, too: "What would it cost, and when could you come?"."""
    clauses = [one for one in _CLAUSE_END.split(fold(act.sentence)) if one]
    asking = [one for one in clauses if _ASKING_CLAUSE.match(one)] if len(clauses) > 1 else []
    return not all(_ABOUT_TIME.search(one) or _names_time(one) for one in asking)


def _tells_when(act: SpeechAct) -> bool:
    """Whether a wish is only to meet at a time that it names."""
    return not ("?" in act.sentence or act.deadline) and _names_time(act.sentence)


def _names_time(sentence: str) -> bool:
    return any(one.kind in {FactKind.DATE, FactKind.DAY, FactKind.TIME} for one in facts(sentence))


def _understood(act: SpeechAct, wanted: Sequence[SpeechAct], said: Sequence[str]) -> str:
    """The sentence to quote. One of few words, as in "Is that possible?", stands behind the one that it is about."""
    place = said.index(act.sentence) if act.sentence in said else 0
    before = said[place - 1] if place else ""
    alone = not before or len(before) > LONGEST_BEFORE or any(before == one.sentence for one in wanted)
    quoted = act.sentence if alone or len(act.sentence.split()) > FEW_WORDS else f"{before} {act.sentence}"
    quoted = quoted.rstrip(";")
    return quoted if quoted.count("(") >= quoted.count(")") else quoted.rstrip(")")


def _without_name(sentence: str, account: Account) -> str:
    """A sentence without the owner's name, with which a mail may begin: "Ann -- is it there?"."""
    hit = _CALLED.match(sentence)
    return sentence[hit.end() :] if hit is not None and fold(hit.group(1)) in fold(account.name).split() else sentence


def _answer_times(
    body: DraftBuilder, meeting: Sequence[SpeechAct], text: str, calendar: FreeTimeFacts, spoken: Language
) -> tuple[datetime, ...]:
    """Accepts a proposed time that is free, else offers free ones. Without a calendar there is a slot."""
    words = PHRASES.get(spoken)
    wish = _wish([_MOVED_FROM.sub(r"\1", one.sentence) for one in meeting], text, calendar)
    unbooked = tuple(
        one for one in wish.exact if calendar.busy is not None and is_free(one, calendar.hours.length, calendar.busy)
    )
    free = tuple(one for one in unbooked if suits(one, calendar.hours))
    others = free or (() if _not_known(meeting, wish) else _offered(calendar, wish))
    if words is None or not others or (unbooked and not free):  # nobody said that a free Sunday is for meetings
        for one in meeting:
            body.paragraph().text(f"> {one.sentence}\n").slot(PROMPTS["times"])
        return ()
    lines = [written(one, calendar.hours.zone, spoken) for one in others]
    if len(free) == 1:
        body.paragraph().text(words.suits.format(lines[0]))
        return free
    first = [words.taken] if wish.exact and not free else []
    body.paragraph().text("\n".join([" ".join([*first, words.offer]), *(f"- {line}" for line in lines[:OFFERED])]))
    return others[:OFFERED]


def _not_known(meeting: Sequence[SpeechAct], wish: TimeWish) -> bool:
    """Whether it is about a meeting that we do not know: "can we move it to 3pm", "confirm our call on Friday"."""
    if any(_SAME_TIME.search(folded) or _CONFIRMS.search(folded) for folded in (fold(one.sentence) for one in meeting)):
        return True
    return wish == TimeWish() and any(_names_time(one.sentence) for one in meeting)


def _wish(sentences: Sequence[str], text: str, calendar: FreeTimeFacts) -> TimeWish:
    """What the asking sentences wish, else what the whole mail does."""
    found = time_wish("\n".join(sentences), calendar.now, calendar.hours.zone)
    return found if found != TimeWish() else time_wish(text, calendar.now, calendar.hours.zone)


def _offered(calendar: FreeTimeFacts, wish: TimeWish) -> tuple[datetime, ...]:
    return () if calendar.busy is None else free_times(calendar.busy, calendar.now, calendar.hours, wish)


def _sign_off(account: Account, own_replies: Sequence[OwnReply], spoken: Language, familiar: bool) -> str:
    """The owner's sign-off in an earlier reply of this language, else a plain one with the account's name.

    `familiar`: the reader is a friend; the first name is enough.
    """
    given = next((part for part in account.name.split() if not part.endswith(".")), "")
    if familiar and given:
        return given
    answers = [(newest_part(reply.answer.body_text), reply.answer.sender.name) for reply in own_replies]
    used = [(split_letter(text).sign_off, name) for text, name in answers if language(text) is spoken]
    often = Counter(one for one, _name in used)
    for one, name in used:
        if one and closing_only(one) and (often[one] > 1 or signed_by(one, (account.name, name))):
            return one
    closing = PHRASES[spoken].closing
    if not account.name:
        return closing
    return f"{closing}\n{account.name}" if spoken is Language.DE else f"{closing},\n{account.name}"
