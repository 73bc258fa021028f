"""What is wrong with a file that the user wrote or chose, in the window's language.

The rooms that read files say it in English sentences, which also stand in logs and on the command line. Each of them is listed
here with places for what is particular (`%1`); a test goes through those rooms and finds any that is missing. Refuses to guess:
what is not listed stays as it was said.
"""

import re
from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QCoreApplication

from app.ui.letter_faults import LETTERS
from app.ui.request_faults import REQUESTS
from app.ui.rule_faults import RULES
from app.ui.translation import QT_TRANSLATE_NOOP

CONTEXT = "FileFaults"
SENTENCES = (
    QT_TRANSLATE_NOOP("FileFaults", "The file is too large to be an OAuth client."),
    QT_TRANSLATE_NOOP("FileFaults", "The file is empty."),
    QT_TRANSLATE_NOOP("FileFaults", "Download the file again."),
    QT_TRANSLATE_NOOP("FileFaults", "Download the file again; do not edit it."),
    QT_TRANSLATE_NOOP("FileFaults", "This is a folder, not a file."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose the JSON file in it."),
    QT_TRANSLATE_NOOP("FileFaults", "This is no ordinary file."),
    QT_TRANSLATE_NOOP("FileFaults", "The file cannot be read: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no mail in %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("FileFaults", "In %1 these files cannot be read: %2."),
    QT_TRANSLATE_NOOP("FileFaults", "All others are read; mend them, then bring the archive up to date."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no ordinary file."),
    QT_TRANSLATE_NOOP("FileFaults", "It would unpack to %1 times its size."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose an mbox file, a Maildir folder, mails (.eml) or a Google Takeout file."),
    QT_TRANSLATE_NOOP("FileFaults", "Unpack it yourself if you trust it, then choose the folder."),
    QT_TRANSLATE_NOOP("FileFaults", "The packed file is broken from here on."),
    QT_TRANSLATE_NOOP("FileFaults", "Download it again, then read it again."),
    QT_TRANSLATE_NOOP("FileFaults", "Download it again, or unpack it yourself."),
    QT_TRANSLATE_NOOP("FileFaults", "This archive is being read from another file now."),
    QT_TRANSLATE_NOOP("FileFaults", "Wait until it is done, or cancel it."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is already read as an archive of its own."),
    QT_TRANSLATE_NOOP("FileFaults", "Open it, or remove that archive first."),
    QT_TRANSLATE_NOOP("FileFaults", "The file cannot be read on from here."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose another file."),
    QT_TRANSLATE_NOOP("FileFaults", "This is no name of a file."),
    QT_TRANSLATE_NOOP("FileFaults", "This is not JSON: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "This is not a JSON text file."),
    QT_TRANSLATE_NOOP("FileFaults", "The JSON is no object."),
    QT_TRANSLATE_NOOP("FileFaults", "This is the key of a service account, which cannot open a person's mailbox."),
    QT_TRANSLATE_NOOP("FileFaults", "This is a stored sign-in of another program, not a client."),
    QT_TRANSLATE_NOOP("FileFaults", "This client is of the type Web application."),
    QT_TRANSLATE_NOOP("FileFaults", 'This is an API key\'s file: the object "installed" is missing.'),
    QT_TRANSLATE_NOOP("FileFaults", 'This is no OAuth client file: the object "installed" is missing.'),
    QT_TRANSLATE_NOOP("FileFaults", "The client lacks %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is not an https address of Google's."),
    QT_TRANSLATE_NOOP(
        "FileFaults", "In Google Cloud Console create an OAuth client of the type Desktop app and download its JSON file."
    ),
    QT_TRANSLATE_NOOP("FileFaults", "The file is not UTF-8 text."),
    QT_TRANSLATE_NOOP("FileFaults", "Save it as UTF-8."),
    QT_TRANSLATE_NOOP("FileFaults", "See that it is a file which you may read."),
    QT_TRANSLATE_NOOP("FileFaults", "Not valid TOML: brackets within brackets without end."),
    QT_TRANSLATE_NOOP("FileFaults", "Not valid TOML: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1: there is no setting `%2`."),
    QT_TRANSLATE_NOOP("FileFaults", "%1: Expected %2, got %3."),
    QT_TRANSLATE_NOOP("FileFaults", "Mend this line, or delete it to have the default again."),
    QT_TRANSLATE_NOOP("FileFaults", "Not valid YAML: odd tags, merges or nesting."),
    QT_TRANSLATE_NOOP("FileFaults", "Not valid YAML: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Check indentation, colons and quotes here."),
    QT_TRANSLATE_NOOP("FileFaults", "Check the file with a YAML editor."),
    QT_TRANSLATE_NOOP("FileFaults", "The file is not a mapping of keys to values."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is not a mapping of keys to values."),
    QT_TRANSLATE_NOOP("FileFaults", "Write it as `key: value` lines."),
    QT_TRANSLATE_NOOP("FileFaults", "Known here: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is not a list."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is missing."),
    QT_TRANSLATE_NOOP("FileFaults", "Add `%1: ...`."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is not a text."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 holds something that is not a text."),
    QT_TRANSLATE_NOOP("FileFaults", "Put the value in quotes."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no whole number from %2 to %3."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no number from %2 to %3."),
    QT_TRANSLATE_NOOP("FileFaults", "Write such as %1."),
    QT_TRANSLATE_NOOP("FileFaults", "There are more than %1 rules."),
    QT_TRANSLATE_NOOP("FileFaults", "Join rules, or match a domain."),
    QT_TRANSLATE_NOOP("FileFaults", "Two rules are called %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Give one another name."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no route %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose one of: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Name a profile for the agent route."),
    QT_TRANSLATE_NOOP("FileFaults", "Delete profile; only the agent route has one."),
    QT_TRANSLATE_NOOP("FileFaults", "Rule %1: route and profile do not fit."),
    QT_TRANSLATE_NOOP("FileFaults", "Rule %1 has no match."),
    QT_TRANSLATE_NOOP("FileFaults", "Add conditions, or `match: {all: true}` for every mail."),
    QT_TRANSLATE_NOOP("FileFaults", "match has no condition, so the rule would never apply."),
    QT_TRANSLATE_NOOP("FileFaults", "Add one, or `all: true`."),
    QT_TRANSLATE_NOOP("FileFaults", "all can only be true."),
    QT_TRANSLATE_NOOP("FileFaults", "Write `all: true`, or delete the line."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no mail address: %2."),
    QT_TRANSLATE_NOOP("FileFaults", "Write it as name@example.org."),
    QT_TRANSLATE_NOOP("FileFaults", "sender_domain holds an @."),
    QT_TRANSLATE_NOOP("FileFaults", "Write only the part after the @."),
    QT_TRANSLATE_NOOP("FileFaults", "header_match names no header."),
    QT_TRANSLATE_NOOP("FileFaults", "Write `Header-Name: pattern`, or delete it."),
    QT_TRANSLATE_NOOP("FileFaults", "The pattern for %1 is wrong: %2."),
    QT_TRANSLATE_NOOP("FileFaults", "Mend the regular expression."),
    QT_TRANSLATE_NOOP("FileFaults", "Profile %1 is empty."),
    QT_TRANSLATE_NOOP("FileFaults", "Give it system_prompt_file and tools."),
    QT_TRANSLATE_NOOP("FileFaults", "Profile %1 lists no tools."),
    QT_TRANSLATE_NOOP("FileFaults", "Add `tools: [...]`, or `tools: []` for none."),
    QT_TRANSLATE_NOOP("FileFaults", "The prompt %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("FileFaults", "Write the prompt there, or mend the path; it starts at this file's folder."),
    QT_TRANSLATE_NOOP("FileFaults", "The prompt %1 is not UTF-8 text."),
    QT_TRANSLATE_NOOP("FileFaults", "The prompt %1 is empty or too long."),
    QT_TRANSLATE_NOOP("FileFaults", "Write from 1 to %1 characters."),
    QT_TRANSLATE_NOOP("FileFaults", "Known tools: %1. Tools of a server come with mcp_servers."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no tool %1."),
    QT_TRANSLATE_NOOP("FileFaults", "The tool %1 stands twice."),
    QT_TRANSLATE_NOOP("FileFaults", "Delete one of the two."),
    QT_TRANSLATE_NOOP("FileFaults", "The server name %1 is too long."),
    QT_TRANSLATE_NOOP("FileFaults", "Use at most %1 characters."),
    QT_TRANSLATE_NOOP("FileFaults", "Server %1 needs either a command or a url."),
    QT_TRANSLATE_NOOP("FileFaults", "Give exactly one of the two."),
    QT_TRANSLATE_NOOP("FileFaults", "A server with a url has no %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Delete what stands before the @."),
    QT_TRANSLATE_NOOP("FileFaults", "Delete %1."),
    QT_TRANSLATE_NOOP("FileFaults", "This is no address: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "The server's address is neither https nor on this machine."),
    QT_TRANSLATE_NOOP("FileFaults", "Use https://."),
    QT_TRANSLATE_NOOP("FileFaults", "The address holds a name or password."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no word for a tool."),
    QT_TRANSLATE_NOOP("FileFaults", "Write one of: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no name for a profile."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no name for a server."),
    QT_TRANSLATE_NOOP("FileFaults", "Use letters, digits, single hyphens and underscores."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no profile %1."),
    QT_TRANSLATE_NOOP("FileFaults", "Known: none. Add it under agent.profiles."),
    QT_TRANSLATE_NOOP("FileFaults", "Known: %1. Add it under agent.profiles."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no %1 in %2."),
)
"""The more particular before the more general."""

PLACE = re.compile(r"%\d")
WHERE = re.compile(r"(.+?:\d+: )(.+)", re.DOTALL)
"""A file and a line before what is wrong in it."""


def spoken_fault(words: str) -> str:
    """A detail or a remedy in the window's words, behind the file and line that may stand before it."""
    found = WHERE.fullmatch(words)
    return _spoken(words) or (found[1] + (_spoken(found[2]) or found[2]) if found else words)


def _spoken(words: str) -> str:
    """A listed sentence in the window's words, empty for another."""
    for sentence in (*SENTENCES, *LETTERS, *RULES, *REQUESTS):
        held = _pattern(sentence).fullmatch(words)
        if held is not None:
            return _filled(QCoreApplication.translate(CONTEXT, sentence), held.groups())
    return ""


def _filled(sentence: str, values: Sequence[str]) -> str:
    """The values put in together: a name may hold a percent sign and a digit itself."""
    return PLACE.sub(lambda place: _quoted(values[int(place[0][1:]) - 1]), sentence)


def _quoted(value: str) -> str:
    """A value in Python's quotes stands in those of the language."""
    bare = value[1:-1]
    if value[:1] != "'" or value[-1:] != "'" or not bare or "'" in bare:
        return value
    return QCoreApplication.translate("FileFaults", "“%1”").replace("%1", bare)


@cache
def _pattern(sentence: str) -> "re.Pattern[str]":
    """Matches the sentence with anything in its places."""
    return re.compile(PLACE.sub("(.+?)", re.escape(sentence)), re.DOTALL)
