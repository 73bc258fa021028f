"""Translates the English sentences of the engine's errors. They also appear in logs and on the command line.

Each sentence is listed here with placeholders (`%1`): files the user wrote or chose (`SENTENCES`), letters (`LETTERS`), requests
to the assistant (`REQUESTS`), rules and tool servers (`RULES`). A test finds sentences in the code that are missing here.
"""

import re
from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QCoreApplication

from app.ui.i18n.translation import QT_TRANSLATE_NOOP

LETTERS = (
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no file."),
    QT_TRANSLATE_NOOP("FileFaults", "Attach the files of a folder one by one."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is larger than 25 MB."),
    QT_TRANSLATE_NOOP("FileFaults", "Share it by a link."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 cannot be read (%2)."),
    QT_TRANSLATE_NOOP("FileFaults", "Look at its permissions."),
    QT_TRANSLATE_NOOP("FileFaults", "The files are larger than 25 MB together."),
    QT_TRANSLATE_NOOP("FileFaults", "Remove one, or share it by a link."),
    QT_TRANSLATE_NOOP("FileFaults", "There is no such document."),
    QT_TRANSLATE_NOOP("FileFaults", "The document was changed outside of the program."),
    QT_TRANSLATE_NOOP("FileFaults", "The document cannot be read: %1."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no name for a document."),
    QT_TRANSLATE_NOOP("FileFaults", "A template needs a name and a text."),
    QT_TRANSLATE_NOOP("FileFaults", "Fill in both."),
    QT_TRANSLATE_NOOP("FileFaults", "This template is not there any more."),
    QT_TRANSLATE_NOOP("FileFaults", "A document has at most %1 MB."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is not kept any more."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 was changed or cannot be read."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is another file than the one that was proposed."),
    QT_TRANSLATE_NOOP("FileFaults", "Take it off, or have it made again."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is still being fetched from Gmail."),
    QT_TRANSLATE_NOOP("FileFaults", "Wait for it, or take it off."),
    QT_TRANSLATE_NOOP("FileFaults", "A mail can be put off for a year at most."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose an earlier time."),
    QT_TRANSLATE_NOOP("FileFaults", "This draft was changed in Gmail meanwhile."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose first which version counts."),
    QT_TRANSLATE_NOOP("FileFaults", "The mail this letter is about is gone from the mailbox."),
    QT_TRANSLATE_NOOP("FileFaults", "Write a new mail instead."),
    QT_TRANSLATE_NOOP("FileFaults", "The letter was changed since it was to be sent."),
    QT_TRANSLATE_NOOP("FileFaults", "Look at it, and send it again."),
    QT_TRANSLATE_NOOP("FileFaults", "This letter is not kept any more."),
    QT_TRANSLATE_NOOP("FileFaults", "This file is not kept any more."),
    QT_TRANSLATE_NOOP("FileFaults", "Attach it again."),
    QT_TRANSLATE_NOOP("FileFaults", "The letter is %1 already."),
    QT_TRANSLATE_NOOP("FileFaults", "Outbox item %1 is %2 already."),
    QT_TRANSLATE_NOOP("FileFaults", "This mail is no draft."),
    QT_TRANSLATE_NOOP("FileFaults", "This conversation is gone from the mailbox."),
    QT_TRANSLATE_NOOP("FileFaults", "Somebody wrote in this conversation meanwhile."),
    QT_TRANSLATE_NOOP("FileFaults", "Look at it once more."),
    QT_TRANSLATE_NOOP("FileFaults", "From holds %1, which is not one of your addresses."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose another."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 holds %2, which is no mail address."),
    QT_TRANSLATE_NOOP("FileFaults", "Correct it, for example to name@example.org."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 holds a line break or a control character."),
    QT_TRANSLATE_NOOP("FileFaults", "Write it on one line."),
    QT_TRANSLATE_NOOP("FileFaults", "To holds no recipient."),
    QT_TRANSLATE_NOOP("FileFaults", "Add one."),
)
"""Specific sentences before general ones."""


REQUESTS = (
    QT_TRANSLATE_NOOP("FileFaults", "This step needs a language model, and none is chosen."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose one in Settings, then try the step again."),
    QT_TRANSLATE_NOOP("FileFaults", "The mail that was to be answered is not in this mailbox."),
    QT_TRANSLATE_NOOP("FileFaults", "Try the step again."),
    QT_TRANSLATE_NOOP("FileFaults", "The mail has no recipient."),
    QT_TRANSLATE_NOOP("FileFaults", "Say in the request to whom it is to go, and try the step again."),
    QT_TRANSLATE_NOOP("FileFaults", "A mail has at most %1 recipients."),
    QT_TRANSLATE_NOOP("FileFaults", "A mail has at most %1 characters."),
    QT_TRANSLATE_NOOP("FileFaults", "Ask for a document instead."),
    QT_TRANSLATE_NOOP(
        "FileFaults", "The mail was to have a file attached that no step of this request has made. Nothing was attached or sent."
    ),
    QT_TRANSLATE_NOOP("FileFaults", "The mail was to go to something that is not exactly one mail address."),
    QT_TRANSLATE_NOOP("FileFaults", "The model looked things up and gave no answer in the end."),
    QT_TRANSLATE_NOOP("FileFaults", "Try the step again, or ask for less."),
    QT_TRANSLATE_NOOP(
        "FileFaults",
        "Without a language model the assistant only searches your mail, and the request names nothing to search for.",
    ),
    QT_TRANSLATE_NOOP("FileFaults", "Name a person or a thing, or choose a language model in Settings."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 answered twice in a form that cannot be used."),
    QT_TRANSLATE_NOOP("FileFaults", "A newer mail in the conversation took its place, so it was not sent."),
    QT_TRANSLATE_NOOP("FileFaults", "Try the step again to write it anew."),
    QT_TRANSLATE_NOOP("FileFaults", "The program made a mistake here (%1)."),
    QT_TRANSLATE_NOOP("FileFaults", "The log has the place."),
    QT_TRANSLATE_NOOP("FileFaults", "The Gmail agent did not come to an end."),
    QT_TRANSLATE_NOOP("FileFaults", "The Gmail agent came to no result."),
    QT_TRANSLATE_NOOP("FileFaults", "Say more exactly what is to be found or sent, and try again."),
    QT_TRANSLATE_NOOP("FileFaults", "Searching and writing mail by request needs a language model, and none is configured."),
    QT_TRANSLATE_NOOP("FileFaults", "The request is empty."),
    QT_TRANSLATE_NOOP("FileFaults", "Write what is to be done."),
    QT_TRANSLATE_NOOP("FileFaults", "A request has at most %1 characters."),
    QT_TRANSLATE_NOOP("FileFaults", "Shorten it."),
    QT_TRANSLATE_NOOP("FileFaults", "Some of the plan has run already."),
    QT_TRANSLATE_NOOP("FileFaults", "Ask again in a new request."),
    QT_TRANSLATE_NOOP("FileFaults", "A step is running."),
    QT_TRANSLATE_NOOP("FileFaults", "The request is not finished."),
    QT_TRANSLATE_NOOP("FileFaults", "Stop it first."),
    QT_TRANSLATE_NOOP("FileFaults", "Its mail has left, or waits in Review."),
    QT_TRANSLATE_NOOP("FileFaults", "Decide there, or ask anew."),
    QT_TRANSLATE_NOOP("FileFaults", "This request is not there any more."),
    QT_TRANSLATE_NOOP("FileFaults", "A plan needs at least one step."),
    QT_TRANSLATE_NOOP("FileFaults", "Say in the request what is to be done."),
    QT_TRANSLATE_NOOP("FileFaults", "A plan has at most %1 steps."),
    QT_TRANSLATE_NOOP("FileFaults", "Ask for less at a time."),
    QT_TRANSLATE_NOOP("FileFaults", "A step says nothing."),
    QT_TRANSLATE_NOOP("FileFaults", "Take it out, or write what it is to do."),
    QT_TRANSLATE_NOOP("FileFaults", "A step has at most %1 characters."),
)
"""`%1` matches any text."""


RULES = (
    QT_TRANSLATE_NOOP("FileFaults", "%1 was changed meanwhile."),
    QT_TRANSLATE_NOOP("FileFaults", "Look at the rules as they are now and change them again."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose another one, or add it to the file first."),
    QT_TRANSLATE_NOOP("FileFaults", "The rules cannot be written as they are."),
    QT_TRANSLATE_NOOP("FileFaults", "Take out blanks around texts and unusual characters."),
    QT_TRANSLATE_NOOP("FileFaults", "The rules cannot be written into this file."),
    QT_TRANSLATE_NOOP("FileFaults", "Look for aliases or anchors in it and write them out."),
    QT_TRANSLATE_NOOP("FileFaults", "This server is not in the profiles any more."),
    QT_TRANSLATE_NOOP("FileFaults", "The server describes this tool in other words now."),
    QT_TRANSLATE_NOOP("FileFaults", "Read it again first."),
)
"""Specific sentences before general ones."""


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
    QT_TRANSLATE_NOOP("FileFaults", "All others are read; mend them, then read the archive again."),
    QT_TRANSLATE_NOOP("FileFaults", "%1 is no ordinary file."),
    QT_TRANSLATE_NOOP("FileFaults", "It would unpack to %1 times its size."),
    QT_TRANSLATE_NOOP("FileFaults", "Choose an mbox file, a Maildir folder, mails (.eml) or a Google Takeout file."),
    QT_TRANSLATE_NOOP("FileFaults", "Unpack it yourself if you trust it, then choose the folder."),
    QT_TRANSLATE_NOOP("FileFaults", "The packed file is broken from here on."),
    QT_TRANSLATE_NOOP("FileFaults", "Download it again, then read it again."),
    QT_TRANSLATE_NOOP("FileFaults", "Download it again, or unpack it yourself."),
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
"""Specific sentences before general ones."""

PLACE = re.compile(r"%\d")
WHERE = re.compile(r"(.+?:\d+: )(.+)", re.DOTALL)
"""File and line before an error."""


def translated_detail(words: str) -> str:
    """Translates an error's detail or remedy. A file and line before it stay. Unknown text stays as it is."""
    found = WHERE.fullmatch(words)
    return _spoken(words) or (found[1] + (_spoken(found[2]) or found[2]) if found else words)


def _spoken(words: str) -> str:
    """Translation of a listed sentence, empty for others."""
    for sentence in (*SENTENCES, *LETTERS, *RULES, *REQUESTS):
        held = _pattern(sentence).fullmatch(words)
        if held is not None:
            return _filled(QCoreApplication.translate(CONTEXT, sentence), held.groups())
    return ""


def _filled(sentence: str, values: Sequence[str]) -> str:
    """Fills all placeholders in one pass. A value may look like a placeholder itself."""
    return PLACE.sub(lambda place: _quoted(values[int(place[0][1:]) - 1]), sentence)


def _quoted(value: str) -> str:
    """Replaces Python's quotes around a value by those of the language."""
    bare = value[1:-1]
    if value[:1] != "'" or value[-1:] != "'" or not bare or "'" in bare:
        return value
    return QCoreApplication.translate("FileFaults", "“%1”").replace("%1", bare)


@cache
def _pattern(sentence: str) -> "re.Pattern[str]":
    """Regular expression of a sentence, with any text in its placeholders."""
    return re.compile(PLACE.sub("(.+?)", re.escape(sentence)), re.DOTALL)
