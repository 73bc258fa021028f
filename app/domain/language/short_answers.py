"""Short answers: yes and no to a question that can be answered so, thanks for news, in the language of the reply. Pure."""

import re

from app.domain.language.speech_acts import ActKind, asks
from app.domain.language.words import Language, fold, language

READY: dict[Language, dict[ActKind, tuple[str, str]]] = {
    Language.EN: {
        ActKind.QUESTION: ("Yes.", "No, unfortunately not."),
        ActKind.REQUEST: ("Yes, of course.", "Unfortunately that isn't possible."),
        ActKind.PROPOSAL: ("Yes, that suits me.", "Unfortunately that doesn't suit me."),
    },
    Language.CS: {
        ActKind.QUESTION: ("Ano.", "Bohužel ne."),
        ActKind.REQUEST: ("Ano, samozřejmě.", "To bohužel nejde."),
        ActKind.PROPOSAL: ("Ano, to se mi hodí.", "To se mi bohužel nehodí."),
    },
    Language.DE: {
        ActKind.QUESTION: ("Ja.", "Leider nein."),
        ActKind.REQUEST: ("Ja, gerne.", "Das geht leider nicht."),
        ActKind.PROPOSAL: ("Ja, das passt mir.", "Das passt mir leider nicht."),
    },
}

LATER = {
    Language.EN: "Let me check and get back to you.",
    Language.CS: "Ověřím to a ozvu se.",
    Language.DE: "Ich prüfe das und melde mich.",
}
TO_NEWS = {
    Language.EN: ("Thank you!", "Thanks, noted.", "Thanks, I'll take care of it."),
    Language.CS: ("Děkuji!", "Děkuji, beru na vědomí.", "Děkuji, postarám se o to."),
    Language.DE: ("Vielen Dank!", "Danke, notiert.", "Danke, ich kümmere mich darum."),
}

_OPEN = {
    Language.EN: re.compile(
        r"\b(?:what|when|where|which|who|whom|whose|why|how|or|let (?:me|us)|tell (?:me|us)|thoughts|"
        r"comments|feedback)\b|, and\b"
    ),
    Language.CS: re.compile(
        r"\b(?:co|ceho|cemu|cim|kdo|koho|komu|kdy|kde|kam|kudy|odkud|dokdy|kolik\w*|jak\w*|kter\w+|proc|nebo|anebo|ci|"
        r"vedet|sdel\w+|napis\w*|rekn\w+)\b|, a\b"
    ),
    Language.DE: re.compile(
        r"\b(?:was|wann|wo|woher|wohin|wof?ur|womit|wie\w*|welch\w+|wer|wem|wen|warum|wieso|ob|oder|bescheid|sagen|"
        r"mitteilen)\b|, und\b"
    ),
}
"""Words that ask for more than yes or no."""

_ASKS_WHETHER = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|would|will|have|has|may|should|shall|am|isn't|aren't|don't|won't|ok|okay)\b"
)


_POLITE = re.compile(r"^(?:\w+\W+){0,4}(?:please|pls|kindly|bitte|prosim\w*)\b")
_INFORMS = re.compile(
    r"\b(?:confirm|advise|explain|inform|describe|specify|list|name|choose|select|comment|respond|reply|answer|follow|provide|"
    r"potvr\w+|vysvetl\w+|porad\w+|informuj\w*|uved\w+|vyber\w*|odpove\w+|dopln\w+|"
    r"bestatig\w*|erklar\w*|erlauter\w*|nenn\w*|informier\w*|wahl\w*|antwort\w*|erganz\w*)\b|:$"
)
"""What is asked for with a please and no question mark, where a yes says nothing."""


def ready_answers(question: str, language: Language) -> tuple[str, ...]:
    """A yes and a no to what a mail asks. Empty where it wants more, or in a language without ready answers."""
    acts = asks(question)
    if len(acts) != 1 or language not in READY:
        return ()
    kind, folded = acts[0].kind, fold(acts[0].sentence)
    if _OPEN[language].search(folded):
        return ()
    unclear = language is Language.EN and kind is ActKind.QUESTION and not _ASKS_WHETHER.search(folded)
    deed = kind is ActKind.REQUEST and _POLITE.search(folded) and not _INFORMS.search(folded)
    return () if unclear or not (folded.endswith("?") or deed) else READY[language][kind]


def short_answers(text: str) -> tuple[str, ...]:
    """Up to three answers to a message: to what it asks, or to its news. None in a language without ready answers."""
    own = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    spoken, acts = language(own), asks(own)
    if spoken not in LATER:
        return ()
    return (*ready_answers(own, spoken), LATER[spoken]) if acts else TO_NEWS[spoken]
