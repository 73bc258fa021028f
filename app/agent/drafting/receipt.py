"""Confirms that a mail came, where nothing else is asked: the program knows that, and it promises nothing.

Whether goods, money or keys came it doesn't know, nor a file that is named and not attached. Pure functions.
"""

import re

from app.domain.language.words import Language, PhraseTable, fold
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part

_ASKED = re.compile(
    r"\b(?:confirm|acknowledge)\w* (?:(?:me|the|your|its|safe|of) )*(?:receipt|receiving)\b|\bconfirmation of receipt\b|"
    r"\b(?:confirm|know|sure)\w*,? (?:(?:that|if|when|once|whether) )?you(?:'ve| have)? (?:\w+ )?(?:received?|got)\b|"
    r"\b(?:confirm|know)\w*,? (?:that|if|when|once|whether) (?:this|it|everything|all) (?:\w+ )?"
    r"(?:arrive[sd]|came through|reached you|has reached you)\b|\b(?:did|have) you (?:get|got|received?) (?:this|it)\b|"
    r"\bpotvr\w+ (?:\w+ ){0,3}(?:prijeti|obdrzeni|doruceni|prevzeti)\b|"
    r"\b(?:ved[et]+|potvr\w+|napis\w*)(?: \w+){0,2},? (?:jestli|zda|zdali|ze|az|jakmile)\b[^.?!]{0,30}"
    r"\b(?:dosl|doraz|prisl|dostal|obdrz)\w*|"
    r"\b(?:erhalt|empfang|eingang)\b[^.?!]{0,50}\bbestatig|\bbestatig\w* (?:\w+ ){0,4}(?:erhalt|empfang|eingang)\b|"
    r"\b(?:empfangs|eingangs)bestatigung\b|\b(?:bescheid|mit),? (?:ob|dass|wenn|sobald)\b[^.?!]{0,30}"
    r"\b(?:angekommen|erhalten|bekommen|eingegangen)\b"
)
_SMALL = re.compile(
    r"please|kindly|just|could|can|would|will|be|is|are|you|ve|have|has|did|i|me|us|we|a|an|the|this|that|it|its|my|our|your|all|"
    r"everything|of|by|in|at|to|for|as|so|and|if|when|once|whether|re(?:turn|ply)|records|soon|possible|earliest|convenience|"
    r"today|tomorrow|\w+day|week|end|before|thanks?|advance|appreciated|short\w*|brief\w*|quick\w*|safe\w*|success\w*|"
    r"confirm\w*|acknowledg\w*|receipt|receiv\w*|got|get|let|know|sure|arrived?s?|came|through|reached|attach\w*|enclos\w*|"
    r"e|e?mails?|message|letter|note|notice|files?|pdf|documents?|contract|offer|quote|invoice|report|"
    r"prosim\w*|mohl\w*|muzete|muzes|byste|bys|si|se|mi|nam|vam|vas|ti|to|o|v|i|ze|zda|zdali|jestli|jakmile|az|jste|jsi|vse\w*|"
    r"potvr\w*|prijet\w*|obdrz\w*|doruc\w*|prevzet\w*|dosl\w*|doraz\w*|pris\w*|dosta\w*|dej\w*|vedet|napis\w*|odpoved\w*|"
    r"obratem|poradku|kratk\w*|strucn\w*|diky|dekuj\w*|predem|mail\w*|zprav\w*|tohoto|teto|tento|priloh\w*|priloz\w*|dokument\w*|"
    r"soubor\w*|smlouv\w*|faktur\w*|nabidk\w*|"
    r"bitte\w*|ich|wir|sie|du|mir|uns|ihnen|kurz\w*|de[nrsm]|d[ia]e?s?|diese[rsmn]?|mein\w*|unser\w*|um|eine?[rnm]?|zu|ob|dass|"
    r"wenn|sobald|alles|gib|geb\w*|bescheid|teil\w*|mit|konn\w*|wurd\w*|danke?|vielen|im|voraus|ist|sind|ha[bs]\w*|und|per|"
    r"erhalt\w*|empfang\w*|eingang\w*|bestatig\w*|angekommen|bekommen|eingegangen|nachricht\w*|schreibens?|anhang\w*|"
    r"anlagen?|beigefugt\w*|unterlagen|antwort|rechnung|vertrag\w*|angebots?"
)
"""Words of a sentence that wants no more. Any other may name another thing or ask for a consent."""

_GOODS = PhraseTable(
    r"parcel|packages?\b|deliver|shipment|goods|payment|transfer|money|funds|keys?\b|orders?\b|cash|cheque|laptop|"
    r"zasil|balik|balic|platb|peniz|penez|klic|zboz|objednav|paket|sendung|liefer|zahlung|uberweis|geld|schlussel|ware\b|bestell"
)
_NAMES_MAIL = PhraseTable(
    r"(?:this|my|the) (?:e-?mail|mail|message|letter|note|notice)|attach|enclos|tohoto|teto (?:zpravy|nabidky)|e-?mailu|"
    r"zpravy\b|priloh|dies(?:er|es|e) |anhang|anlage|schreibens?\b|nachricht"
)
_NAMES_FILE = PhraseTable(
    r"attach|enclos|documents?\b|files?\b|pdf|contract|offer|quote|invoice|report|priloh|prikladam|dokument|soubor|smlouv|faktur|"
    r"nabidk|anhang|anlage|anbei|beigefugt|unterlagen|rechnung|vertrag|angebot"
)
_SAID = {
    Language.EN: ("Thank you, I have received your email.", "Thank you, I have received your email with the attachment."),
    Language.CS: ("Potvrzuji přijetí e-mailu, děkuji.", "Potvrzuji přijetí e-mailu s přílohou, děkuji."),
    Language.DE: (
        "Ich bestätige den Erhalt der E-Mail, vielen Dank.",
        "Ich bestätige den Erhalt der E-Mail mit Anhang, vielen Dank.",
    ),
}


def confirmed_receipt(sentence: str, message: Message, spoken: Language) -> str:
    """The answer to a sentence that only wants to know whether the mail came; empty for another one."""
    folded, whole = fold(sentence).replace("’", "'"), fold(newest_part(message.body_text))
    files = any(not one.inline for one in message.attachments)
    only = _ASKED.search(folded) and all(map(_SMALL.fullmatch, re.findall(r"[^\W\d]+", folded)))
    about = folded if _NAMES_MAIL.within(folded) else whole
    if spoken not in _SAID or not only or _GOODS.within(about) or (_NAMES_FILE.within(about) and not files):
        return ""
    return _SAID[spoken][files]
