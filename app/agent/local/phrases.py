"""What a template draft says, in English and Czech. The draft is the owner's words to somebody else, not the window's,
so it follows the mail's language and not the program's.

Refuses to hold anything that claims a fact.
"""

from dataclasses import dataclass

from app.agent.local.words import Language
from app.domain.triage import Category


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language. `{}` in `greet` is a first name, in `noted` the days as written."""

    greet: str
    greet_stranger: str
    thanks: dict[Category, str]
    noted: str
    offer: str
    between: str
    closing: str


_EN = Phrases(
    greet="Hello {},",
    greet_stranger="Hello,",
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
    greet_stranger="Dobrý den,",
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
"""What a slot asks of the owner."""


def phrases(language: Language) -> Phrases:
    """The sentences for a mail in `language`; English for languages that are not known."""
    return _CS if language is Language.CS else _EN
