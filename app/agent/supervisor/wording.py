"""What the supervisor's agents say themselves, in the language of the request: English, or Czech where that is what was typed.

Refuses to say anything about mail: words from it are put in by whoever asks.
"""

from enum import Enum
from string import Template

from app.agent.supervisor.searching import in_czech

GAP = "\u00a0"
"""Holds a Czech preposition of one letter to the word behind it."""


class Words(Enum):
    """A sentence in English and in Czech."""

    SEARCHING_MAIL = ("Searching your mail for “$about”", f"Hledám v{GAP}poště „$about“")
    READING_THREAD = ("Reading a conversation", "Čtu konverzaci")
    LOOKING_AT_CONTACT = ("Looking at what is known of $about", f"Dívám se, co je známo o{GAP}adrese $about")
    LOOKING_AT_CALENDAR = ("Looking at your calendar", "Dívám se do kalendáře")
    SEARCHING_WEB = ("Searching the web for “$about”", "Hledám na webu „$about“")
    READING_PAGE = ("Reading $about", "Čtu $about")
    READING_DOCUMENT = ("Reading a document", "Čtu dokument")
    THINKING = ("Thinking", "Přemýšlím")
    WRITING_DOCUMENT = ("Writing the document", "Píšu dokument")
    WRITING_ANSWER = ("Writing the answer", "Píšu odpověď")
    AT_THE_MAIL = ("Working on the mail", "Pracuji na e-mailu")
    CHANGING_MAIL = ("Changing the mail as you asked", "Měním e-mail podle vašeho přání")
    SEARCH_FOR = ("Search your mail for: $about", f"Vyhledat v{GAP}poště: $about")
    FITTING = ("Mail that fits “$about”, best first:", "Pošta, která odpovídá „$about“, nejlepší napřed:")
    NOTHING_FITS = ("No mail fits “$about”.", "Výrazu „$about“ neodpovídá žádná pošta.")
    ONLY_SEARCHED = (
        "Without a language model the assistant only searches. A model, chosen in Settings, would read and answer in words.",
        f"Bez jazykového modelu asistent jen hledá. S{GAP}modelem z{GAP}Nastavení by poštu přečetl a{GAP}odpověděl.",
    )
    NOT_DONE = (
        "Nothing was written or sent: that needs a language model.",
        f"Nic nebylo napsáno ani odesláno: k{GAP}tomu je potřeba jazykový model.",
    )
    NOT_IN_SOURCES = (
        "Not found in anything that was read: $about.",
        f"V{GAP}ničem, co bylo přečteno, nestojí: $about.",
    )
    WROTE_DOCUMENT = ("Wrote $about.", "Napsán dokument $about.")
    SOURCES = ("Sources", "Zdroje")


def say(words: Words, like: str, about: str = "") -> str:
    """The sentence in the language of `like`, with what it is about."""
    english, czech = words.value
    return Template(czech if in_czech(like) else english).substitute(about=about)
