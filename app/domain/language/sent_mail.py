"""Reads the owner's sent mail: whether it waits for an answer, and what it promises. Pure functions.

Rules see words and not meaning, so every place that shows a promise says that a rule found it.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache

from app.domain.language.days import due_day
from app.domain.language.own_words import is_courtesy, own_words
from app.domain.language.speech_acts import ActKind, SpeechAct, speech_acts
from app.domain.language.words import fold
from app.domain.mail.message import Address, Promise
from app.domain.mail.quotes import newest_part

LONGEST = 240
"""Characters of a promise; longer sentences are no casual promises."""

LONGEST_READ = 20_000
REMEMBERED = 1024
"""Sent mails whose questions and promises are kept: the list is read again whenever mail comes."""

_MAY_PROMISE = re.compile(
    r"\b(?:i|we)(?:'ll|'m|'re| will| shall| can| am| are| promise| plan| aim)\b|\b(?:ich|wir|je|nous|os|le|te|les|lo|la|sie)\b|"
    r"\w+(?:im|am|u|eme|ime|ame)\b|\b(?:will|sending|leave it|consider|expect|wird|werden|vous|bude)\b"
)
"""Mail without any of these promises nothing."""

_MAY_ASK = re.compile(
    r"\?|\b(?:please|pls|kindly|let (?:me|us)|tell (?:me|us)|send|could you|can you|confirm|would like|wonder|"
    r"suit|works?|"
    r"prosim\w*|poslete|posli|napiste|napis|dejte|dej|potvrdte|potvrd|zajima|hodi\w*|vyhovuj\w*|"
    r"bitte\w*|schick\w*|sag\w*|meld\w*|bescheid|passt|passen|por favor|merci de)\b"
)
"""Mail without any of these asks nothing. This look is cheap, and most mail ends here."""

_CONDITIONAL = re.compile(
    r"^(?:(?:and|but|so|a|ale|und|aber)\W+)?(?:if|should you|in case|unless|whenever|pokud|kdyby\w*|jestli(?:ze)?|"
    r"kdyz|wenn|falls|"
    r"sollten?)\b|"
    r"\b(?:and|a|und)\s+(?:then )?(?:i|we|ja|my|ich|wir)(?:'ll| will|'d| would| shall)?\s+\w+|\bif (?:you(?:'d|"
    r" would)? (?:like|want|"
    r"prefer|need)|not|so|possible to)\b"
)
"""A sentence that only says what to do in some case."""

_WANTS_BACK = re.compile(
    r"\?|\b(?:send|tell (?:me|us)|let (?:me|us)|confirm|reply|answer|sign|return|get back|give|write|call|forward|choose|pick|"
    r"decide|approve|"
    r"fill|check|review|pay|transfer|look at|look into|have a look|comment|advise|suggest|quote|share|update|correct|fix|add|"
    r"mail|email|provide|ask|prepare|order|reserve|book|deliver|remove|cancel|change|"
    r"poslete|posli|zaslete|dej(?:te)? (?:mi|nam|vedet|prosim)|napiste|napis|potvrdte|potvrd|podepis\w*|vyplnte|reknete|rekni|"
    r"doplnte|dopln|"
    r"odpovezte|odepis\w*|"
    r"zkontrol\w*|podivej\w*|ozvete|ozvi|zavolej\w*|prosim o|prosime o|poprosim o|vyjadreni|zaplat\w*|uhrad\w*|"
    r"rozmysl\w*|vyber\w*|"
    r"schick\w*|send\w*|schreib\w*|sag\w*|meld\w*|bestatig\w*|unterschr\w*|pruf\w*|bescheid|ruckmeldung|antwort\w*|"
    r"ruf\w*|teil\w*|gib|geben sie|"
    r"nenn\w*|uberweis\w*|freigabe|freigeben)\b"
)
"""A request whose fulfilment the owner would notice. "Please come before ten" wants nothing back."""

_ACCEPTING = re.compile(
    r"\b(?:suits (?:me|us)|works for (?:me|us)|is fine|sounds (?:good|great|fine)|see you|mi (?:to )?vyhovuje|se mi hodi|plati|"
    r"passt mir|passt gut|passt uns|bin dabei|bis (?:dann|montag|dienstag|mittwoch|donnerstag|freitag)|"
    r"i will be there|i'll be there)\b"
)
"""An answer that accepts a time."""

_OFFERING = re.compile(
    r"\b(?:these times|following times|how about|what about|i could|we could|would suit (?:me|us)|suggest|propose|let's|shall we|"
    r"tyto terminy|nasledujici terminy|co takhle|navrhuji|navrhuju|muzu|mohu|mohl\w* bych|"
    r"diese termine|folgende termine|wie ware|vorschlag\w*|ich konnte|wir konnten)\b"
)

_RHETORICAL = re.compile(
    r"^(?:wer weiss|who knows|kdo by|kdo vi|why not|proc ne|warum nicht|what can i say)\b|\b(?:wer weiss schon|"
    r"who knows)\b|\([^()?]*\?\)\W*$"
)

_TELLING = re.compile(
    r"^(?:i|we|ich|wir)\b(?!.{0,20}\b(?:need|want|would like|would appreciate|wonder|was wondering|brauch\w*|mochte\w*|bitten?|"
    r"wurde\w*|hatte gern\w*|ask|request|look forward|await|warte\w*)\b)"
)
"""A sentence that tells what the owner does."""

_SURE = re.compile(
    r"\b(?:i|we)(?:'ll| will| shall)(?: (?:also|then|just|certainly|definitely|gladly|personally|still|now))? "
    r"(?!(?:not|never|need|have|be|see|like|love|think|miss|want|know|remember|understand|wait|look|enjoy|appreciate|assume|"
    r"admit|say|stop|probably|maybe|always|only|feel|hope|hate|trust|accept|stay|keep it|remain|live|die|soon|let you (?:go|"
    r"decide))\b)\w+|"
    r"\bi(?:'ll| will) (?:be in touch|be back|be there|have (?:it|that|them|an answer|news|the)|look into|keep you)\b|"
    r"\bwe(?:'ll| will) (?:be in touch|be back to you|be there|have (?:it|that|them|an answer|news|the)|look into|keep you)\b|"
    r"\bleave (?:it|that|this) (?:with|to) (?:me|us)\b|^(?:ok\w*,? |yes,? |sure,? )?will (?:do|send|call|check|ask|bring|"
    r"let you know)\b|"
    r"\bconsider it done\b|\b(?:you have|i give you) my word\b|\b(?:i'm|i am|we're|we are) on it\b|\bi owe you\b|"
    r"^let me (?:check|find out|ask|look into)\b.{0,60}\b(?:get back|come back|let you know|tell you|write|call)\b|"
    r"\b(?:postaram|postarame|vyridim|vyridime|zaridim|zaridime|spolehnete se|(?:to mate|mate to)|dostanete|ozvu|ozveme|"
    r"poslu|posleme|"
    r"dodam|dodame|priprav(?:im|ime)|prinesu|prineseme|zjist(?:im|ime)|zavol(?:am|ame)|nap(?:isu|iseme)|dam(?:e)? vedet|"
    r"over(?:im|ime)|proverim|doruc(?:im|ime)|zast(?:avim|avime) se|uprav(?:im|ime)|oprav(?:im|ime)|dodel(?:am|ame)|"
    r"dokonc(?:im|ime))\b|"
    r"\b(?:schicke|sende|melde|rufe|bringe|prufe|klare|gebe|kummere|erledige|uberweise|liefere|mache|besorge|frage|reiche|leite|"
    r"schicken|senden|melden|rufen|bringen|prufen|klaren|geben|kummern|erledigen|liefern|reichen|leiten)"
    r" (?:ich|wir)(?! (?:nicht|nie|gerade|ihnen hiermit|hiermit))\b|"
    r"\bich (?:reiche|leite|frage|besorge|mache|schaue|hole|trage|stelle|versuche)\b.{0,80}\b(?:nach|weiter|fertig|ein|"
    r"zusammen|bis|an|ab|vorbei|das|es)\b|"
    r"\b(?:se )?(?:lo|la|los|las|le|les|te|os) \w{2,}(?:are|ere|ire|aremos|eremos|iremos)\b|\bme encargo\b|\bnos encargamos\b|"
    r"\b(?:je|j')\s?(?:vous |te |t'|le |la |les |l'|lui |leur |me |m'|y |en )*\w{2,}rai\b|\bje m'en (?:occupe|charge)\b|"
    r"\bnous (?:vous |le |la |les |l'|nous )*\w{2,}rons\b"
)
"""First person, later, and a deed: a promise without a day too."""

_WILL = re.compile(
    r"\b(?:i|we)(?:'ll| will| shall)\b(?! (?:not|need|have to|see you|be (?:out|away|off|on|in|unable))\b)|"
    r"\b(?:i am|i'm|we are|we're) (?:going to|(?:send|bring|com|post|deliver|call|driv|pay|finish|mail|order|book|ship|"
    r"do)\w*ing)\b|"
    r"\b(?:i|we) (?:can|could|plan to|aim to|intend to|expect to|hope to|should be able to|should)"
    r" (?:have|get|send|bring|deliver|finish|do|come|post|ship|call|let you|start|complete|pay)\b|"
    r"\b(?:you(?:'ll| will| can expect)|expect) (?:have(?! to)|get|receive|hear|find|it|them|the|an|a|your|my|our)\b|"
    r"^(?!you\b|they\b|he\b|she\b|who\b|if\b)(?:\w+ ){0,7}will (?!not\b|you\b)(?:\w+ )?(?:be (?:sent|posted|ready|done|"
    r"finished|there|"
    r"with you|in your|on your|delivered|paid|shipped|fixed|repaired|transferred|completed|online|back)|reach|arrive|repair|"
    r"send|bring|"
    r"call|deliver|come|collect|fix|finish|go out|follow|contact|replace|prepare|pay|install|visit)\b|"
    r"\b(?:budu|budeme|bude (?:u vas|hotov\w+|pripraven\w+|dorucen\w+|odeslan\w+|opraven\w+))\b|"
    r"\b(?:bekomm\w+|erhalt\w+) (?:sie|du|ihr)\b|\b(?:sie|du|ihr) (?:bekomm\w+|erhalt\w+|hab(?:en|t)|hast)\b|"
    r"\bwird\b.{0,60}\b(?:gelief\w+|geschick\w+|fertig|repariert|erledigt|zugestellt|uberwiesen|versandt|verschickt|kommen)\b|"
    r"\b(?:kommt|geht) .{0,40}\b(?:raus|an|vorbei|zu ihnen|zu dir)\b|"
    r"\b(?:vous (?:aurez|recevrez)|(?:tendra|recibira|tendras|recibiras))\b|"
    r"\bje (?:vous |te |le |la |les |l')+\w+e\b|\b(?:lo|la|le|les|te|os) \w{3,}(?:o|amos|emos|imos)\b|"
    r"^(?:ich|wir)\b.{0,60}\b(?:mel\w+|schick\w+|send\w+|ruf\w+|bring\w+|komm\w+|kummer\w+|pruf\w+|liefer\w+|erledig\w+|klar\w+|"
    r"geb\w+|uberweis\w+|sprech\w+|mach\w+|reparier\w+|besorg\w+|schau\w+)\b|"
    r"\b(?:poslu|prijdu|napisu|prinesu|privezu|dovezu|odvezu|reknu|zjistim|stavim)\b|"
    r"\b(?:po|za|pri|vy|na|do|od|pro|pre|s|u|o|roz)\w{2,}(?:im|am|eme|ime|ame)\b"
)
"""First person, later. Together with a day it is a promise."""

_DONE_NOW = re.compile(
    r"\b(?:attached|enclosed|herewith|right now|now|posilam|zasilam|prikladam|v priloze|anbei|im anhang|hiermit)\b|"
    r"\b(?:if|unless|pokud|kdyby\w*|jestli|wenn|falls)\b|"
    r"^(?:please|prosim\w*|bitte)\b"
)
"""What is done with the mail itself, in some case only, or by somebody else is no promise."""

_AUTOMATIC = re.compile(
    r"^(?:(?:re|aw)\s*:\s*)?(?:auto(?:matic)?[ -]?(?:reply|response|antwort)|automatische antwort|out of (?:the )?office|ooo\b|"
    r"abwesenheit\w*|automaticka odpoved|mimo kancelar|nepritomnost|reponse automatique|respuesta automatica)|"
    r"\bout of (?:the )?office\b|\babwesenheitsnotiz\b"
)


def automatic_reply(subject: str, headers: Iterable[tuple[str, str]]) -> bool:
    """Whether an answer was written by a program: an out-of-office does not end the waiting."""
    told = {name.lower(): value.strip().lower() for name, value in headers}
    marked = told.get("auto-submitted", "no") != "no" or "x-autoreply" in told or told.get("precedence", "") == "auto_reply"
    return marked or bool(_AUTOMATIC.search(fold(subject).strip()))


def open_request(text: str, to: Sequence[Address], cc: Sequence[Address] = ()) -> str:
    """The sentence of a sent mail that waits for an answer, empty where nothing is asked of its recipients."""
    return _open_request(text[:LONGEST_READ], _called(to), _called(cc))


@lru_cache(maxsize=REMEMBERED)
def _open_request(text: str, to: tuple[str, ...], cc: tuple[str, ...]) -> str:
    if not _MAY_ASK.search(fold(newest_part(text))):
        return ""
    return next((one.sentence for one in speech_acts(text, to, cc) if one.asks_owner and _waits(one)), "")


def promises_in(text: str, sent: datetime) -> tuple[Promise, ...]:
    """The sentences of a sent mail that promise something, in order, each once."""
    return tuple(Promise(sentence, sent, due) for sentence, due in _promises_in(text[:LONGEST_READ], sent.date()))


@lru_cache(maxsize=REMEMBERED)
def _promises_in(text: str, told: date) -> tuple[tuple[str, date | None], ...]:
    if not _MAY_PROMISE.search(fold(newest_part(text)).replace("’", "'")):
        return ()
    committed = {one.sentence for one in speech_acts(text) if one.kind is ActKind.COMMITMENT}
    found = []
    for sentence in own_words(text).sentences:
        folded = fold(sentence).replace("’", "'")
        if len(sentence) > LONGEST or "?" in sentence or _DONE_NOW.search(folded):
            continue
        sure = sentence in committed or bool(_SURE.search(folded))
        due = due_day(sentence, told) if sure or _WILL.search(folded) else None
        if sure or due is not None:
            found.append((sentence, due))
    return tuple(found)


def _waits(act: SpeechAct) -> bool:
    """Whether an act leaves something open for the other side."""
    folded = fold(act.sentence).replace("’", "'")
    said = "?" not in folded and (_CONDITIONAL.search(folded) or _TELLING.search(folded))
    if said or is_courtesy(act.sentence) or _RHETORICAL.search(folded):
        return False
    if act.kind is ActKind.PROPOSAL:
        return (
            "?" in folded
            or bool(_OFFERING.search(folded))
            or (bool(_WANTS_BACK.search(folded)) and not _ACCEPTING.search(folded))
        )
    return act.kind is ActKind.QUESTION or bool(_WANTS_BACK.search(folded))


def _called(people: Sequence[Address]) -> tuple[str, ...]:
    return tuple(part for one in people for part in (one.name, one.email) if part)
