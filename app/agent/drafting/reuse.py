"""Reuses the owner's answer to an earlier question for a new sender, if the same things are asked about.

A likeness of the mails is not enough. The price of a bell must not answer a question about a lamp, nor an answer about one
customer's order the question of another. What belongs to the old case (its dates, numbers, names) becomes an open slot. What
holds for everybody (prices, opening hours) stays, marked with its source.
"""

import re
import tomllib
from collections.abc import Collection, Sequence

from app.agent.drafting.templates import PROMPTS, DraftBuilder, only_introduces
from app.agent.language.reply_parts import LetterParts, closing_only, greet, split_letter
from app.config.paths import resource
from app.domain.language.facts import Fact, FactKind, facts, fold_in_place
from app.domain.language.own_words import own_words
from app.domain.language.speech_acts import ActKind, SpeechAct, asks, speech_acts
from app.domain.language.words import Language, alike, content_words, fold, language, sentences, words
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply

NEAR = 0.74
"""Least fit: similarity plus `WORDS_COUNT` times the share of asked words that the old mail or its answer contains."""

WORDS_COUNT = 0.3

_CASE_BOUND = re.compile(
    r"\battach|\benclosed\b|\bas (?:agreed|discussed|promised)\b|\bv priloze\b|\bprikladam\b|\bjak jsme se domluvili\b|"
    r"\bim anhang\b|\banbei\b|\bwie (?:besprochen|vereinbart)\b|"
    r"\byour (?:order|parcel|bike|invoice|payment|booking|appointment|application|file|case|contract)\b|"
    r"\b(?:is|are) ready\b|\bi (?:have|just) (?:sent|checked|posted|booked|ordered|paid|called|spoken)\b|"
    r"\b(?:thank you|thanks) for (?!your (?:message|mail|e-?mail|question|interest|enquiry|inquiry|note|letter)|asking|writing|"
    r"getting in touch|contacting)|"
    r"\bdekuji? za (?!(?:va[sz]\w*|tv\w*) (?:zprav|mail|e-?mail|dotaz|zajem|dopis)|zpravu|dotaz|zajem|e-?mail)|"
    r"\b(?:danke|vielen dank) fur (?!(?:ihre|deine|ihr|dein) (?:nachricht|anfrage|mail|e-?mail|frage|interesse))|"
    r"\bvase (?:objednavka|zasilka|kolo|faktura|platba|rezervace)\b|\bihre? (?:bestellung|rechnung|sendung|termin)\b"
)
"""An answer about one case."""

_OWN_CASE = re.compile(
    r"\b(?:is|are|has|have|did|was|were|when will|where (?:is|are)|what about|any news|status|how is)\b[^?]{0,40}"
    r"\b(?:my|our|the|your) (?:\w+ )?(?:order|parcel|package|delivery|invoice|payment|booking|appointment|application|file|case|"
    r"contract|refund|results?|documents?|report|draft|repair)\b|\b(?:is|are) (?:my|our) \w+ (?:ready|done|finished|there)\b|"
    r"\bdid you (?:get|receive|see)\b|\bhave you (?:had|got|received|seen|heard)\b|"
    r"\b(?:kdy|kde|jak) (?:\w+ ){0,2}(?:moje|moji|muj|nase|nasi|nas)\b|\b(?:dorazil\w*|dostal\w* jste)\b|"
    r"\b(?:ist|sind|wann|wo) (?:\w+ ){0,2}(?:meine?|unsere?|unser|mein)\b|\bhaben sie (?:\w+ ){0,3}(?:bekommen|erhalten)\b"
)
"""A question about the sender's own case, which no answer to somebody else settles."""

_MOVING_DAY = re.compile(
    r"\b(?:today|tomorrow|tonight|yesterday|this week|next week|this month|next month|now|holidays?|christmas|easter|new year\w*|"
    r"dnes\w*|zitra|vcera|tento tyden|pristi tyden|svatk\w*|vanoc\w*|velikonoc\w*|silvestr\w*|"
    r"heute|morgen|gestern|diese woche|nachste woche|feiertag\w*|weihnacht\w*|ostern|silvester)\b"
)
"""A day for which the usual answer may not hold."""

_NOW = re.compile(
    r"\b(?:currently|at the moment|for now|so far|soon|ago|(?:just|already) (?:sold|gone|taken|booked)|(?:one|two|\d+) left|"
    r"momentaln\w*|prave|zatim|brzy|pred (?:chvili|hodinou|tydnem)|posledni kus\w*|zbyva\w*|momentan|zurzeit|derzeit|gerade|"
    r"vorerst|bald|vor (?:einer|zwei) (?:stunde|tag|woche)\w*)\b|"
    r"\b(?:in|from|until|till|since|by|v|od|do|im|ab|bis|seit) "
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|ledna?|unoru?a?|brezna?|dubna?|"
    r"kvetna?|cerv\w+|srpna?|zari|rijna?|listopadu?|prosin\w+|januar|februar|marz|mai|juni|juli|oktober|dezember)\b"
)
"""Words of an answer that held when it was written."""

_BACK_AND_FORTH = re.compile(
    r"\?|\bi(?:'ll| will| am going to| have (?:put|moved|told)) |\bich werde\b|\bfor you\b|"
    r"\bsee you (?:on|at|tomorrow|monday|tuesday|wednesday|thursday|friday)\b|\bhabe (?:ich )?(?:sie|ihnen|dir|euch)\b|"
    r"\b(?:zapsal\w*|rezervoval\w*|objednal\w*|nechal\w*) (?:jsem )?(?:vas|vam|te|ti)\b"
)
"""An answer that asks, or promises something to one person."""

_ASKED: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(rf"\b(?:{asked})\b"), re.compile(rf"\b(?:{told})\b"))
    for asked, told in (
        (
            r"when|what (?:day|time|date)|which day|kdy|v kolik|wann|um wie ?viel uhr",
            r"\w+days?|hours?|o'clock|week\w*|before|after|\d+[:.]\d\d|pond\w+|uter\w+|stred\w+|ctvrt\w+|pat\w+|sobot\w+|nedel\w+|"
            r"hodin\w*|otev\w+|denne|\w+tags?|\w+tagen|uhr|taglich|werktag\w*",
        ),
        (
            r"where|whereabouts|directions?|kde|kam|wo|wohin",
            r"at|in|on|behind|front|near|next|opposite|street|road|v|ve|na|u|za|ulic\w+|im|am|neben|hinter|vor|strasse",
        ),
        (r"who|whom|kdo|komu|koho|wer|wem|wen", "a^"),
        (r"why|proc|warum|wieso|weshalb", "a^"),
        (
            r"how much|costs?|prices?|expensive|kolik (?!l[ei]t|d[nt]|hod)|cen[auy]?|stoji|was kostet|kosten\w*|preise?|"
            r"teuer|wie ?viel",
            r"\d+(?:[.,]\d+)? ?(?:%|,-|kc|czk|eur|usd|gbp|euros?|crowns?|korun\w*|kronen)|free|charge|zdarma|"
            r"kostenlos|rents?|mieten",
        ),
        (
            r"how long|how soon|how quickly|how many (?:days|weeks|months|minutes|hours)|jak (?:dlouho|rychle)|"
            r"wie (?:lange?|schnell)",
            r"minutes?|hours?|days?|weeks?|months?|years?|minut\w*|hodin\w*|dn[uiy]|den|tyd\w+|mesic\w*|rok\w*|let|minuten|stunden?|"
            r"tage?n?|wochen?|monate?n?|jahre?n?",
        ),
        (r"how many(?! (?:days|weeks|months|minutes|hours))|wie ?viele", "a^"),
        (r"how often|jak casto|wie oft", r"every|each|daily|weekly|once|twice|kazd\w+|denne|jed\w+|taglich|einmal|zweimal"),
    )
)
"""Kinds of questions, with words of their answers. An answer to one kind answers no other."""

_DEED = re.compile(
    r"\b(?:can|could|would|will) you (?:\w+ ){0,2}(?:send|forward|call|ring|reserve|keep|hold|change|move|cancel|confirm|sign|"
    r"put|add|make|design|write|give) (?:me|us|my|our|it|this|that|one|a|an|him|her)\b|"
    r"\b(?:muzete|muzes|mohl\w* (?:byste|bys)) (?:\w+ ){0,3}"
    r"(?:poslat|zavolat|rezervovat|schovat|zmenit|zrusit|potvrdit|opravit|napsat)\b|"
    r"\b(?:konnen|konnten|kannst|konntest) (?:sie|du) (?:mir|uns|mich|meine?n?|unsere?n?|das|es)\b"
    r"[^?]*\b(?:schicken|senden|anrufen|reservieren|andern|stornieren|bestatigen|schreiben|machen|geben)\b"
)
"""A question that wants something done."""

_WORDS = tomllib.loads(resource("judgement", "questions.toml").read_text(encoding="utf-8"))
_SAME_THING = tuple(frozenset(line.split()) for line in _WORDS["same_thing"].splitlines())
"""Words that ask for the same."""
_NO_THING, _NO_NAME = frozenset(_WORDS["no_thing"].split()), frozenset(_WORDS["no_name"].split())
"""Content words that name nothing, and capitalised words that are no names."""

_TELL_ME = re.compile(
    r"\b(?:tell|let (?:me|us) know|know|inform|advise|wonder\w*|information|details|prices?|list|"
    r"what|when|where|which|how|whether|informaci\w*|vedet|zajima\w*|sdelte|kolik|kdy|kde|jak\w*|cen\w*|"
    r"wissen|bescheid|sagen|was|wann|wo|wie|ob|preis\w*)\b"
)
"""A sentence that wants to be told something."""

HABIT = re.compile(
    r"\b(?:every|each|opens?|closed|always|usually|all year|daily|from \d|weekdays|weekends|hours|evenings|mornings|afternoons|"
    r"kazd\w+|otevreno|otevirame|zavreno|vzdy|obvykle|denne|od \d|celorocne|"
    r"jeden|jede|taglich|immer|von \w+tag bis|montags?|geoffnet)\b|\b\w+days\b|day (?:to|through|-|–) \w+day\b"
)
"""Words of an answer that holds for every day."""

_DAY_NAME = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|pondel\w*|uter\w*|stred\w*|ctvrt\w*|pat(?:ek|ky|ku)|sobot\w*|"
    r"nedel\w*|vikend\w*|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|wochenende"
)
_TERSE = 2
"""Sentences up to which an answer tells no conditions: it was written for the one who asked."""

_FIGURE = re.compile(r"\d+|\b(?:two|three|four|five|six|ten|both|dva|dve|tri|ctyri|pet|zwei|drei|vier|funf)\b")


def fitting_reply(
    message: Message, wanted: Sequence[SpeechAct], own_replies: Sequence[OwnReply], triage: Triage, fresh: bool
) -> OwnReply | None:
    """The own reply that answers all that `message` wants, or None. `fresh`: the owner has not answered in this thread.

    The things asked about must agree both ways: a price of a bell answers no question about a lamp.
    """
    if triage.decision is not Decision.RESPOND or not fresh or triage.category in {Category.COMPLAINT, Category.SPAM}:
        return None
    asked = [one.sentence for one in wanted]
    if not asked or any(_OWN_CASE.search(fold(one)) or _wants_a_deed(one) for one in asked):
        return None
    fitting = [reply for reply in own_replies if _fits(message, asked, reply)]
    return max(fitting, key=lambda one: one.similarity, default=None)


def _wants_a_deed(sentence: str) -> bool:
    """Whether something is to be done, which no earlier answer does."""
    folded = fold(sentence)
    told = bool(_TELL_ME.search(folded) and _things(sentence))
    return not told and ("?" not in sentence or bool(_DEED.search(folded)))


def _fits(message: Message, asked: Sequence[str], reply: OwnReply) -> bool:
    """Whether an old answer says what is asked now, and nothing about another thing."""
    answer = newest_part(reply.answer.body_text)
    body, then = split_letter(answer).body, _asked_then(reply)
    text = newest_part(message.body_text)
    if not body or language(answer) is not language(f"{message.subject}\n{text}") or _of_one_case(body):
        return False
    known = content_words("\n".join((*then, reply.question.subject, newest_part(reply.question.body_text), body)))
    wants = content_words("\n".join((message.subject, *asked)))
    fit = reply.similarity + WORDS_COUNT * sum(_named(one, known) for one in wants) / max(len(wants), 1)
    return (
        fit >= NEAR
        and all(_answered(one, known, body, then) for one in asked)
        and not _about_another(then, content_words(f"{message.subject}\n{text}"), body)
        and _same_numbers("\n".join(asked), "\n".join((*then, body)))
        and _same_kinds("\n".join(asked), "\n".join(then), body)
    )


def _of_one_case(answer: str) -> bool:
    """Whether an answer belongs to one case, one person or the day on which it was written."""
    passing = (fold(one) for one in sentences(answer))
    timed = any((_NOW.search(one) or _MOVING_DAY.search(one)) and not HABIT.search(one) for one in passing)
    folded = fold(answer)
    promised = any(one.kind is ActKind.COMMITMENT for one in speech_acts(answer))
    return timed or promised or bool(_CASE_BOUND.search(folded) or _BACK_AND_FORTH.search(folded))


def _same_kinds(now: str, then: str, answer: str) -> bool:
    """Whether each kind of question was asked before too, or has the words of its answer."""
    now, then, answer = fold(now), fold(then), fold(answer)
    return all(one.search(then) or told.search(answer) for one, told in _ASKED if one.search(now))


def _asked_then(reply: OwnReply) -> tuple[str, ...]:
    """What the old mail wanted; its whole text where no question is found."""
    text = newest_part(reply.question.body_text)
    return tuple(one.sentence for one in asks(text)) or (text,)


def _answered(question: str, known: Collection[str], answer: str, then: Sequence[str]) -> bool:
    """Whether the old mail and its answer name all that a question names. "Tomorrow" is another day each time."""
    moving = {hit.group() for hit in _MOVING_DAY.finditer(fold(question))}
    if moving and not HABIT.search(fold(answer)):
        return False
    if moving - {hit.group() for one in then for hit in _MOVING_DAY.finditer(fold(one))}:
        return False
    return all(_named(one, known) or _weekday(one, answer) for one in _things(question))


def _about_another(then: Sequence[str], here: Collection[str], answer: str) -> bool:
    """Whether the answer speaks of a thing that the old question named and the new mail does not."""
    said = content_words(answer)
    left_out = (one for one in _things("\n".join(then)) if not _named(one, here) and not _weekday(one, answer))
    return any(any(alike(one, other) for other in said) for one in left_out)


def _also_told(message: Message, reply: OwnReply) -> tuple[str, ...]:
    """What the mail tells beside its questions, and a short old answer did not know of: it may change the answer."""
    text, then, answer = (newest_part(one.body_text) for one in (message, reply.question, reply.answer))
    body = split_letter(answer).body
    if len(sentences(body)) > _TERSE:
        return ()
    known = content_words("\n".join((reply.question.subject, then, body, message.sender.name, reply.answer.sender.name)))
    passed = {
        one.sentence for one in speech_acts(text) if one.kind is ActKind.THANKS or (one.asks_owner and not only_introduces(one))
    }
    told = (one for one in own_words(text).sentences if one not in passed)
    there = "\n".join((then, body))
    return tuple(one for one in told if not (_same_numbers(one, there) and all(_named(thing, known) for thing in _things(one))))


def _same_numbers(now: str, then: str) -> bool:
    """Whether all figures of the new question stand in the old mail or its answer."""
    return set(_FIGURE.findall(fold(now))) <= set(_FIGURE.findall(fold(then)))


def _things(text: str) -> frozenset[str]:
    """The words of a text that name what it is about."""
    return frozenset(one for one in content_words(text) if one not in _NO_THING)


def _named(thing: str, there: Collection[str]) -> bool:
    """Whether words hold the thing, its English plural or singular, or one that asks for the same."""
    forms = {thing, f"{thing}s", f"{thing}es", thing.removesuffix("s"), thing.removesuffix("es")}
    if not forms.isdisjoint(there) or any(alike(thing, other) for other in there):
        return True
    return any(thing in same and not same.isdisjoint(there) for same in _SAME_THING)


def _weekday(word: str, answer: str) -> bool:
    """Whether a word is a day of the week and the answer speaks of several: usual hours hold for all of them."""
    days = {one.text for one in facts(answer) if one.kind is FactKind.DAY}
    return bool(_DAY_NAME.fullmatch(word)) and (len(days) > 1 or bool(HABIT.search(fold(answer))))


_RANGE = re.compile(
    r"^[\s,]*(?:(?:to|and|from|until|through|between|at|on|or|bis|von|und|um|oder|az|a|od|do|v|ve|nebo|-|–)[\s,]*){1,2}$"
)
_SPOKEN_TO = re.compile(r"\b(?:byste|jste|bys|jsi)\b(?:\s+\w+){0,3}?\s+(\w{2,}(?:la|l))\b")


def rewrite(message: Message, text: str, reply: OwnReply) -> DraftBuilder:
    """The body for `message`: greeting and the old answer with slots and marks."""
    letter = _without_names(split_letter(newest_part(reply.answer.body_text)), reply)
    spoken = language(text)
    greeting = greet(spoken, message, newest_part(message.body_text), letter.greeting)
    if spoken is Language.EN:
        letter = LetterParts(letter.greeting, letter.body[:1].upper() + letter.body[1:], letter.sign_off)
    body = DraftBuilder().text(greeting).paragraph()
    _write(body, letter, message, text, reply)
    for one in _also_told(message, reply):
        body.paragraph().slot(PROMPTS["also"].format(one))
    own = set(words(reply.answer.sender.name))
    if letter.sign_off and (closing_only(letter.sign_off) or own.issuperset(words(letter.sign_off))):
        body.paragraph().text(letter.sign_off)
    return body


_CALLED = re.compile(r"[^\W\d_a-z][\w'-]+(?: [^\W\d_a-z][\w'-]+)?")
_SENTENCE_ENDS = re.compile(r"[.!?]\s+(?=\w)")


def _without_names(letter: LetterParts, reply: OwnReply) -> LetterParts:
    """The letter without the old sender's name before its first sentence, and with the owner's name below its last one."""
    greeting, body, sign_off = letter.greeting, letter.body, letter.sign_off
    name, comma, rest = body.partition(", ")
    called = bool(_CALLED.fullmatch(name)) and fold(name) not in _NO_NAME and rest[:1].islower()
    if comma and (called or fold(name.strip()) in words(reply.question.sender.name)):
        greeting, body = greeting or f"{name},", rest.strip()
    own = words(reply.answer.sender.name)
    for end in () if sign_off else _SENTENCE_ENDS.finditer(body):
        last = body[end.end() :]
        if all(any(name.startswith(word) for name in own) for word in words(last)):
            body, sign_off = body[: end.start() + 1], last
            break
    return LetterParts(greeting, body, sign_off)


def _write(body: DraftBuilder, letter: LetterParts, message: Message, text: str, reply: OwnReply) -> None:
    """Writes the old answer fact by fact: kept and marked, or replaced by a slot."""
    here = {one.key for one in facts(text)}
    then = {one.key for one in facts(f"{reply.question.subject} {newest_part(reply.question.body_text)}")}
    at = 0
    marks = sorted([*_marks(letter.body, here, then, _names(reply.question)), *_forms(letter.body, message, reply.question)])
    for start, end, bound in _joined(letter.body, marks):
        body.text(letter.body[at:start])
        if bound:
            body.slot(PROMPTS["specific"].format(letter.body[start:end]))
        else:
            body.taken(letter.body[start:end], reply.answer.id)
        at = end
    body.text(letter.body[at:])


def _joined(text: str, marks: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Joins kept spans with only small words between them: `Monday to Friday from 9:00 to 18:00`."""
    joined: list[tuple[int, int, bool]] = []
    for start, end, bound in marks:
        if joined and not bound and not joined[-1][2] and _RANGE.match(fold(text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end, False)
        else:
            joined.append((start, end, bound))
    return joined


def _marks(text: str, here: set[str], then: set[str], names: frozenset[str]) -> list[tuple[int, int, bool]]:
    """Spans (start, end, bound to the old case): facts, and words that are the old sender's names."""
    found = [(one.start, one.end, _bound(text, one, here, then)) for one in facts(text)]
    for hit in re.finditer(r"[^\W\d_]{3,}", text):
        inside = any(start <= hit.start() < end for start, end, _ in found)
        if not inside and hit.group(0)[0].isupper() and any(alike(fold(hit.group(0)), name) for name in names):
            found.append((hit.start(), hit.end(), True))
    return found


def _forms(text: str, message: Message, question: Message) -> list[tuple[int, int, bool]]:
    """Czech verb forms that show the reader's gender. Empty where both senders clearly have the same."""
    now, then = _gender(message), _gender(question)
    if now is not None and now == then:
        return []
    return [(hit.start(1), hit.end(1), True) for hit in _SPOKEN_TO.finditer(fold_in_place(text))]


def _gender(message: Message) -> str | None:
    """`f` or `m` by a Czech name's ending, None without a name."""
    names = words(message.sender.name)
    if not names:
        return None
    return "f" if names[-1].endswith(("ova", "ska", "cka")) or names[0].endswith("a") else "m"


def _bound(text: str, fact: Fact, here: set[str], then: set[str]) -> bool:
    """Whether a fact of the answer belonged to the old case only."""
    if fact.key in here or fact.kind in {FactKind.LINK, FactKind.EMAIL}:
        return False
    if not fact.relative and fact.kind in _MOMENTS and HABIT.search(_sentence_at(text, fact)):
        return False
    if fact.key in then or fact.kind in {FactKind.DATE, FactKind.DAY}:
        return True
    if fact.kind is FactKind.TIME:
        return any(other.kind in {FactKind.DATE, FactKind.DAY} and _bound(text, other, here, then) for other in _near(text, fact))
    return fact.kind is FactKind.NUMBER


_MOMENTS = frozenset({FactKind.DATE, FactKind.DAY, FactKind.TIME})


def _near(text: str, fact: Fact) -> list[Fact]:
    sentence = _sentence_at(text, fact)
    return [other for other in facts(text) if other != fact and fold(other.text) in sentence]


def _sentence_at(text: str, fact: Fact) -> str:
    """The folded sentence that contains a fact."""
    return next((fold(one) for one in sentences(text) if " ".join(fact.text.split()) in one), fold(text))


def _names(question: Message) -> frozenset[str]:
    """The folded words of the old sender's name."""
    return frozenset(word for word in words(question.sender.name) if len(word) >= 3)
