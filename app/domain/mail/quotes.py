"""Finds where the author's own text ends and quoted history, signature or mobile footer begins.

Works on plain text with bounded patterns, in about fifteen languages.
"""

import re

from app.domain.mail.text_cache import remembered
from app.domain.record import Record

LONGEST = 400_000
LONGEST_LINE = 400
ATTRIBUTION_LINES = 4
FOLLOWING_LINES = 3
SIGNATURE_LINES = 12

_WROTE = (
    "wrote|writes|schrieb|schreibt|napsala?(?:\\(a\\)|/a)?|napísala?|escribi[oó]|escreveu|"
    "a écrit|ha scritto|schreef|napisała?|pisze|"
    "napisao je|napisala je|rašė|rakstīja|kirjutas|đã viết|menulis|كتب|كتبت|بواسطة|כתב|כתבה|מאת|"
    "skrev|skrifaði|kirjoitti|írta|написала?|пишет|a scris|написа|έγραψε|yazdı|が書きました|写道|作成|쓴 글|작성"
)
VERB_NEAR_END = re.compile(rf"(?:{_WROTE})[^\n]{{0,80}}$", re.IGNORECASE)
OPENING = re.compile(
    r"\s{0,3}(?:\d|(?:On|At|Am|Dne|Dňa|El|Em|Le|Il|Op|W dniu|Dnia|Den|På|Pe|În|Στις|V|Na|На|Vào|Pada|في|בתאריך|"
    r"[^\W\d]{2,6}\.?,?)\s)",
    re.IGNORECASE,
)
MOMENT = re.compile(r"\d{1,2}[:.]\d{2}|\d{4}")
MAILBOX = re.compile(r"[^\s@<>]@[^\s@<>]")
COLON = (":", "：")
SIGNS = ">-_*="
DIVIDER = re.compile(
    r"^\s{0,3}[-_*=]{2,20}+\s{0,3}(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Původní zpráva|Pôvodná správa|"
    r"Mensaje original|Mensagem original|Message d.origine|Message original|Messaggio originale|Oorspronkelijk bericht|"
    r"Wiadomość oryginalna|Oryginalna wiadomość|Ursprungligt meddelande|Oprindelig meddelelse|"
    r"Opprinnelig melding|Alkuperäinen viesti|"
    r"Eredeti üzenet|Исходное сообщение|Оригинальное сообщение|Mesaj original|原始邮件|元のメッセージ|원본 메시지|"
    r"Forwarded message|Weitergeleitete Nachricht|Přeposlaná zpráva|Mensaje reenviado|Message transféré|Messaggio inoltrato|"
    r"Doorgestuurd bericht|Wiadomość przekazana|Пересылаемое сообщение)[^\n]{0,40}$",
    re.IGNORECASE,
)
RULE = re.compile(r"^\s{0,3}_{10,200}\s{0,3}$")
_FROM = "From|Von|Od|De|De la|Від|Da|Van|Från|Fra|Lähettäjä|Feladó|От|Expéditeur|Remitente|发件人|差出人|보낸 사람|Kimden|Από"
_SENT = (
    "Надіслано|Sent|Date|Gesendet|Datum|Odesláno|Odoslané|Enviado|Enviada|Data|Envoyé|Inviato|Verzonden|"
    "Wysłano|Wysłane|Skickat|Sendt|Lähetetty|"
    "Elküldve|Отправлено|Дата|Trimis|Fecha|发送时间|日付|送信日時|날짜|보낸 날짜|Tarih|Gönderildi|Ημερομηνία|Στάλθηκε"
)
HEADER_FROM = re.compile(rf"^\s{{0,3}}\*{{0,2}}(?:{_FROM})\*{{0,2}}\s?[:：]\*{{0,2}}\s.{{1,200}}$", re.IGNORECASE)
HEADER_SENT = re.compile(rf"^\s{{0,3}}\*{{0,2}}(?:{_SENT})(?:\s\w{{1,3}})?\*{{0,2}}\s?[:：]\*{{0,2}}\s.{{1,120}}$", re.IGNORECASE)
NOTES_DIVIDER = re.compile(r"^\s{0,3}-{3,40}\s?Forwarded by\s[^\n]{1,100}\d", re.IGNORECASE)
NOTES_TO = re.compile(r"^\s{0,3}To:(?:\s|$)")
NOTES_REST = (re.compile(r"^\s{0,3}cc:", re.IGNORECASE), re.compile(r"^\s{0,3}Subject:"))
NOTES_MOMENT = re.compile(
    r"^(?P<name>.{0,120}?)\s{0,80}\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\s{1,4}(?:at\s)?\d{1,2}:\d{2}(?:\s?[AP]M)?\s{0,3}$"
)
NOTES_LINES = 15
"""Lines that the recipients of a mail quoted by Notes may take."""

QUOTED = re.compile(r"^\s{0,3}>")
DELIMITER = re.compile(r"^--\s?$")
FOOTER = re.compile(
    r"^\s{0,3}(?:Sent from (?:my|Mail|Outlook|Yahoo|the)\b|Sent (?:via|with|using)\s|"
    r"Verstuurd (?:vanaf|met|via)\s|Az iPhone-omról küldve|Надіслано (?:з|із|через)\s|Στάλθηκε από\s|"
    r"Get Outlook for\b|Von meinem \w{1,20}|Gesendet (?:von|mit)\s|"
    r"Odesláno z|Odoslané z|Poslano z|Enviado (?:desde|do|a partir)\s|Envoyé (?:de|depuis)\s|"
    r"Inviato da\s|Verzonden (?:vanaf|met|via|van)\s|"
    r"Wysłan[eo] z\s|Skickat från\s|Sendt fra\s|Lähetetty\s|Elküldve\s|Отправлено (?:с|из)\s|"
    r"Trimis de pe\s|Mobilně odesláno|Outlook für\s|"
    r"Pobierz aplikację Outlook|Obtenir Outlook|Obtener Outlook|Outlook voor\s|从我的|"
    r"iPhoneから送信|나의 iPhone에서|iPhone'umdan gönderildi)[^\n]{0,100}$",
    re.IGNORECASE,
)


class Split(Record):
    """A text in three parts. The author's own text, the signature or footer, and the quoted history."""

    own: str
    signature: str
    history: str


@remembered(512)
def split_text(text: str) -> Split:
    """Splits a plain text; the parts together hold all of its lines."""
    lines = text[:LONGEST].split("\n")
    start = _history_start(lines)
    above, history = lines[:start], lines[start:]
    sign = _signature_start(above)
    own, signature = above[:sign], above[sign:]
    return Split(_joined(own), _joined(signature), _joined(history))


def newest_part(text: str) -> str:
    """The author's own text without quoted history, signature and footer.

    Answers between quoted lines are kept with the quotes. A text that is only a quote stays whole.
    """
    return split_text(text).own or text[:LONGEST].strip()


def _history_start(lines: list[str]) -> int:
    """The first line of the quoted history; the number of lines if there is none."""
    filled = [number for number, line in enumerate(lines) if line and not line.isspace()]
    last_own = next((number for number in reversed(filled) if not QUOTED.match(lines[number])), -1)
    signed, attributing = _candidates(lines, filled)
    for number in sorted(signed | attributing):
        if NOTES_TO.match(lines[number]) and _notes_block(lines, number):
            return _notes_start(lines, number)
        if _begins_history(lines, number, number in attributing) and not _answered_below(lines, number):
            return number
        if number > last_own and QUOTED.match(lines[number]):
            return number
    return len(lines)


def _candidates(lines: list[str], filled: list[int]) -> tuple[set[int], set[int]]:
    """The lines where history can begin, as checking one is slow.

    The first set has lines with the sign of a quote, divider or header. The second has lines of an attribution, where one of its
    lines ends with a colon or a quote follows.
    """
    signed: set[int] = set()
    attributing: set[int] = set()
    for number in filled:
        words = lines[number].strip()
        if words[0] in SIGNS or COLON[0] in words or COLON[1] in words:
            signed.add(number)
            if words.endswith(COLON):
                attributing.update(range(max(0, number + 1 - ATTRIBUTION_LINES), number + 1))
            if words[0] == ">":
                attributing.update(range(max(0, number + 1 - ATTRIBUTION_LINES - FOLLOWING_LINES), number))
    return signed, attributing


def _begins_history(lines: list[str], number: int, may_attribute: bool) -> bool:
    line = lines[number]
    if len(line) > LONGEST_LINE or not line.strip() or QUOTED.match(line):
        return False
    ruled = line.lstrip()[0] in SIGNS
    if (ruled and (DIVIDER.match(line) or NOTES_DIVIDER.match(line))) or _header_block(lines, number):
        return True
    if ruled and RULE.match(line):
        return any(_header_block(lines, below) for below in range(number + 1, min(number + 3, len(lines))))
    return may_attribute and _attribution_end(lines, number) > 0


def _attribution_end(lines: list[str], number: int) -> int:
    """The line after an attribution that begins here, 0 if none does. It may be folded over some lines."""
    block = ""
    for end in range(number + 1, min(number + ATTRIBUTION_LINES, len(lines)) + 1):
        last = lines[end - 1].strip()
        if not last or len(last) > LONGEST_LINE or QUOTED.match(last):
            return 0
        block = f"{block} {last}"
        if _attributes(block.strip(), _followed_by_quote(lines, end)):
            return end
    return 0


def _attributes(block: str, quote_follows: bool) -> bool:
    """Whether a line says who wrote when. By a verb and a number, or by an address and a time before a quote."""
    if not (quote_follows or block.endswith(COLON)) or not MOMENT.search(block):
        return False
    if VERB_NEAR_END.search(block[-160:]):
        return quote_follows or OPENING.match(block) is not None
    return quote_follows and block.endswith(COLON) and MAILBOX.search(block) is not None


def _followed_by_quote(lines: list[str], number: int) -> bool:
    following = next((line for line in lines[number : number + FOLLOWING_LINES] if line.strip()), "")
    return bool(QUOTED.match(following))


def _header_block(lines: list[str], number: int) -> bool:
    """Whether Outlook's block of From and Sent lines begins here."""
    line = lines[number]
    if not any(colon in line for colon in COLON) or len(line) > LONGEST_LINE or not HEADER_FROM.match(line):
        return False
    return any(HEADER_SENT.match(line[:LONGEST_LINE]) for line in lines[number + 1 : number + 5])


def _notes_block(lines: list[str], number: int) -> bool:
    """Whether the lines To, cc and Subject that Notes puts above what it quotes begin here."""
    below = [line[:LONGEST_LINE] for line in lines[number + 1 : number + NOTES_LINES]]
    end = next((place for place, line in enumerate(below) if not line.strip()), len(below))
    block = below[:end] + [line for line in below[end : end + 3] if line.strip()][:1]  # an empty line may stand above Subject
    return all(any(one.match(line) for line in block) for one in NOTES_REST)


def _notes_start(lines: list[str], number: int) -> int:
    """The line with the name and moment above the block, else the block's own first line."""
    above = next((place for place in range(number - 1, max(-1, number - 4), -1) if lines[place].strip()), number)
    moment = NOTES_MOMENT.match(lines[above][:LONGEST_LINE])
    if moment is None:
        return number
    return above - 1 if above and not moment["name"].strip() and lines[above - 1].strip() else above


def _answered_below(lines: list[str], number: int) -> bool:
    """Whether the author answered between or after `>` lines below an attribution."""
    end = _attribution_end(lines, number)
    if not end or not _followed_by_quote(lines, end):
        return False
    own = next((line for line in lines[end:] if line.strip() and not QUOTED.match(line)), "-- ")
    return not (DELIMITER.match(own) or FOOTER.match(own[:LONGEST_LINE]))


def _signature_start(lines: list[str]) -> int:
    """The line where the signature or a footer begins."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    for number in range(end - 1, max(end - 1 - SIGNATURE_LINES * 3, -1), -1):
        line = lines[number][:LONGEST_LINE]
        if DELIMITER.match(line):
            return number
        if FOOTER.match(line) and end - number <= 3:
            end = number
    return end


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip()
