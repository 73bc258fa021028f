"""Words the claim check knows: names of days and months, phrases that commit, capitalised words that are no names.

English, German, French, Spanish and Czech; another language is still checked for figures, links and names.
"""

import re

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
"""`may` and `march` are left out: they are English verbs; a date with them is still caught by its figure."""

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

DENIAL = re.compile(
    r"\b(?:not|never|cannot|no longer|nobody|nicht|nie|niemals|kein\w*|pas|jamais|nunca|jamás|nikdy)\b|n['’]t\b"
    r"|\bno\b(?!\s+(?:problem|worries|doubt|trouble|matter))"
    r"|\bne(?:zaplat|po[šs]l|bud|m[ůu][žz]|moh|vrát|doru[čc]|za[řr]íd|potvrd|slib|zaru[čc]|souhlas|p[řr]ij[mí])\w*",
    re.IGNORECASE,
)
"""What makes a sentence deny something: it backs no promise of the same."""

EMPTY_WORDS = frozenset(
    {
        *("will", "shall", "have", "the", "and", "you", "your", "for", "that", "this", "with", "our", "are", "was", "been"),
        *("ich", "wir", "werde", "werden", "das", "die", "der", "den", "und", "ihnen", "sie", "für", "mit"),
        *("vais", "allons", "vous", "nous", "les", "des", "pour", "voy", "vamos", "los", "las", "para", "vám", "pro"),
    }
)
"""Words that say nothing about what is promised."""

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
"""Capitalised words that name nobody."""

GERMAN = re.compile(r"\b(?:und|nicht|ich|wir|die|der|das|mit|für|ist|auf|ihnen|sie|ihre)\b", re.IGNORECASE)

TITLES = frozenset({"herr", "herrn", "frau", "dr", "prof", "firma"})
"""In German text: what follows one of these is a name."""
