"""The texts of errors by their cause, in English. The window translates them; logs and the command line show them as they are.

A text has places `%1`, `%2` ... for values.
"""

import json
import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


def tr(text: str) -> str:
    """Returns the text unchanged. The translation tools find texts by this name."""
    return text


DESKTOP_CLIENT = tr("In Google Cloud, create an OAuth client of type “Desktop app” and download its JSON file.")
FIX_LINE = tr("Fix this line, or delete it to go back to the default.")
MAKE_AGAIN = tr("Remove it, or create it again.")
TRY_STEP_AGAIN = tr("Try the step again.")
ARCHIVE_FORMS = tr("Choose an mbox file, a Maildir folder, .eml files or a Google Takeout file.")
DOWNLOAD_AGAIN = tr("Download the file again and don't edit it.")
QUOTE_VALUE = tr("Put the value in quotes.")
CHOOSE_FILE = tr("Choose another file.")
CHECK_MODEL = tr("Check the model in Settings.")


class Cause(Enum):
    """Why something failed: its text, and what to do where several causes share that. The name is sent and stored."""

    # the OAuth client's file
    CLIENT_TOO_LARGE = tr("The file is too large to be an OAuth client."), DESKTOP_CLIENT
    FILE_EMPTY = tr("The file is empty. Download the file again.")
    FOLDER_NOT_FILE = tr("This is a folder, not a file. Choose the JSON file in it.")
    CLIENT_NOT_ORDINARY = tr("This isn't a regular file."), DESKTOP_CLIENT
    CLIENT_UNREADABLE = tr("The file can't be read: %1."), CHOOSE_FILE
    NO_FILE_NAME = tr("This isn't a file name."), CHOOSE_FILE
    NOT_JSON = tr("This file isn't valid JSON (%1)."), DESKTOP_CLIENT
    NOT_JSON_TEXT = tr("This isn't a JSON text file."), DESKTOP_CLIENT
    NO_JSON_OBJECT = tr("The JSON isn't an object."), DESKTOP_CLIENT
    SERVICE_ACCOUNT = tr("This is a service account key. Choose the file of a “Desktop app” client."), DESKTOP_CLIENT
    STORED_SIGN_IN = tr("This file holds another app's sign-in, not credentials."), DESKTOP_CLIENT
    WEB_CLIENT = tr("This is a client of type “Web application”."), DESKTOP_CLIENT
    API_KEY_FILE = tr("This is an API key, not a desktop OAuth client file."), DESKTOP_CLIENT
    NO_CLIENT = tr("This isn't a desktop OAuth client file."), DESKTOP_CLIENT
    CLIENT_LACKS = tr("The client has no %1."), DOWNLOAD_AGAIN
    ADDRESS_NOT_GOOGLE = tr("%1 isn't a Google https address."), DOWNLOAD_AGAIN
    # archives
    NO_MAIL_IN_FILE = tr("%1 contains no mail."), ARCHIVE_FORMS
    ARCHIVE_NOT_ORDINARY = tr("%1 isn't a regular file."), ARCHIVE_FORMS
    ARCHIVE_UNREADABLE = tr("%1 can't be read: %2."), ARCHIVE_FORMS
    PACKED_UNREADABLE = tr("%1 can't be read: %2. Download it again, or unpack it yourself.")
    PACKED_BROKEN = tr("The compressed file is damaged from here on. Download it again, then import it again.")
    UNPACKS_TOO_LARGE = tr("It would unpack to %1 times its size. Unpack it yourself if you trust it, then choose the folder.")
    FILES_UNREADABLE = tr("These files in %1 can't be read: %2. All others are imported. Fix them, then import again.")
    READING_STOPPED = tr("The rest of the file can't be read.")
    # settings, rules and profiles
    NOT_UTF8 = tr("The file isn't UTF-8 text. Save it as UTF-8.")
    FILE_UNREADABLE = tr("The file can't be read: %1. Put a text file there that you have permission to read.")
    TOML_TOO_DEEP = tr("Not valid TOML: too many nested brackets."), FIX_LINE
    NOT_TOML = tr("Not valid TOML: %1."), FIX_LINE
    NO_TIME_ZONE = tr("There is no time zone “%1”."), tr("Use a name such as Europe/Prague, or leave it empty.")
    UNKNOWN_SETTING = tr("%1: there is no setting `%2`."), FIX_LINE
    SETTING_OF_OTHER_TYPE = tr("%1: Expected %2, got %3."), FIX_LINE
    SETTING_INVALID = tr("%1: %2."), FIX_LINE
    YAML_ODD = tr("Not valid YAML: unusual tags, merges or nesting. Check the file with a YAML editor.")
    YAML_UNREADABLE = tr("Not valid YAML: %1. Check the file with a YAML editor.")
    NOT_YAML = tr("Not valid YAML: %1. Check indentation, colons and quotes here.")
    FILE_NOT_MAPPING = tr("The file isn't a mapping of keys to values. Write it as `key: value` lines.")
    NOT_MAPPING = tr("%1 isn't a mapping of keys to values. Write it as `key: value` lines.")
    UNKNOWN_KEY = tr("Unknown key “%1”. Known here: %2.")
    NOT_LIST = tr("%1 isn't a list. For example, %2.")
    KEY_MISSING = tr("%1 is missing. Add `%1: ...`.")
    EMPTY_TEXT = tr("%1 is empty."), tr("Write a text, or delete this line.")
    NOT_TEXT = tr("%1 isn't text."), QUOTE_VALUE
    HOLDS_NO_TEXT = tr("%1 contains something that isn't text."), QUOTE_VALUE
    NOT_WHOLE_NUMBER = tr("%1: enter a whole number from %2 to %3, for example %4.")
    NOT_NUMBER = tr("%1: enter a number from %2 to %3, for example %4.")
    NOT_SWITCH = tr("%1 must be true or false.")
    TOO_MANY_RULES = tr("There are more than %1 rules. Combine rules, or match a domain.")
    RULE_NAME_TWICE = tr("Two rules are named “%1”. Rename one.")
    UNKNOWN_ROUTE = tr("There is no route “%1”. Choose one of: %2.")
    UNKNOWN_ACTION = tr("There is no action “%1”. Choose one of: %2.")
    PROFILE_NEEDED = tr("Rule “%1”: route and profile don't go together. The agent route needs a profile.")
    PROFILE_NOT_USED = tr("Rule “%1”: route and profile don't go together. Delete the profile; only the agent route has one.")
    RULE_WITHOUT_MATCH = tr("Rule “%1” has no match. Add conditions, or `match: {all: true}` for every email.")
    MATCH_EMPTY = tr("match has no condition, so the rule would never apply. Add one, or `all: true`.")
    ALL_NOT_TRUE = tr("all can only be true. Write `all: true`, or delete the line.")
    NO_MAIL_ADDRESS = tr("%1 isn't a valid email address: “%2”. For example, name@example.org.")
    DOMAIN_WITH_AT = tr("sender_domain contains an @. Write only the part after the @.")
    NO_HEADER = tr("header_match names no header. Write `Header-Name: pattern`, or delete it.")
    WRONG_PATTERN = tr("The pattern for %1 is wrong: %2. Fix the regular expression.")
    PROFILE_EMPTY = tr("Profile “%1” is empty. Add system_prompt_file and tools.")
    PROFILE_WITHOUT_TOOLS = tr("Profile “%1” lists no tools. Add `tools: [...]`, or `tools: []` for none.")
    PROMPT_UNREADABLE = tr(
        "The prompt %1 can't be read: %2. Write the prompt there, or fix the path, which is relative to this file's folder."
    )
    PROMPT_NOT_UTF8 = tr("The prompt %1 isn't UTF-8 text. Save it as UTF-8.")
    PROMPT_LENGTH = tr("The prompt %1 is empty or too long. Write from 1 to %2 characters.")
    UNKNOWN_TOOL = tr("There is no tool “%1”. Known tools: %2. Tools of a server come with mcp_servers.")
    TOOL_TWICE = tr("The tool “%1” is listed twice. Delete one.")
    SERVER_NAME_TOO_LONG = tr("The server name “%1” is too long. Use up to %2 characters.")
    COMMAND_OR_URL = tr("Server “%1” needs either a command or a url. Give exactly one of the two.")
    URL_SERVER_HAS_NO = tr("A server with a url can't have %1. Delete %1.")
    NO_ADDRESS = tr("This isn't a URL: %1. For example, %2.")
    ADDRESS_NOT_SAFE = tr("The server's address is neither https nor on this computer. Use https://.")
    ADDRESS_WITH_PASSWORD = tr("The address contains a name or password. Delete everything before the @.")
    UNKNOWN_APPROVAL = tr("“%1” isn't a tool permission. Use one of: %2.")
    NO_PROFILE_NAME = tr("“%1” can't be a profile name. Use letters, digits, single hyphens and underscores.")
    NO_SERVER_NAME = tr("“%1” can't be a server name. Use letters, digits, single hyphens and underscores.")
    NO_PROFILES = tr("There is no profile “%1”, nor any other. Add it under agent.profiles.")
    UNKNOWN_PROFILE = tr("There is no profile “%1”. Known: %2. Add it under agent.profiles.")
    PROFILE_GONE = tr("There is no profile “%1”. Choose another, or add it to the file first.")
    RULES_CHANGED = tr("%1 was changed in the meantime. Check the rules and change them again.")
    RULES_NOT_WRITABLE = tr("The rules can't be saved like this. Remove spaces around texts and unusual characters.")
    RULES_FILE_NOT_WRITABLE = tr("This can't be saved. Replace the aliases and anchors in the file with their values.")
    PROFILE_NAME_TAKEN = tr("There's already a profile named “%1”. Choose another name.")
    SERVERS_NOT_JSON = tr("Not valid JSON: %1. Check commas, quotes and brackets here.")
    NO_MCP_SERVERS = tr('“mcpServers” is missing or empty. Paste the whole text: {"mcpServers": {"name": {"command": ...}}}.')
    SERVER_TYPE = tr("Servers of type “%1” can't be used. Known types: %2.")
    SERVER_GONE = tr("This server is no longer in the profiles.")
    TOOL_DESCRIBED_ANEW = tr("The server changed its description of this tool. Read it again first.")
    # letters and their files
    NOT_A_FILE = tr("%1 isn't a file. Attach the files of a folder one by one.")
    FILE_TOO_LARGE = tr("%1 is larger than 25 MB. Share a link instead.")
    FILE_NOT_READ = tr("%1 can't be read (%2). Check its permissions.")
    FILES_TOO_LARGE = tr("Together, the files are larger than 25 MB. Remove one, or share a link instead.")
    FILE_NOT_KEPT = tr("%1 is no longer available."), MAKE_AGAIN
    FILE_CHANGED = tr("%1 was changed or can't be read."), MAKE_AGAIN
    FILE_NOT_PROPOSED = tr("%1 isn't the file that was proposed."), MAKE_AGAIN
    FILE_BEING_FETCHED = tr("%1 is still downloading from Gmail. Wait or remove it.")
    ATTACHMENT_GONE = tr("This file is no longer available. Attach it again.")
    NO_DOCUMENT = tr("This document doesn't exist.")
    DOCUMENT_CHANGED = tr("The document was changed outside Replyroom.")
    DOCUMENT_UNREADABLE = tr("The document can't be read: %1.")
    NO_DOCUMENT_NAME = tr("“%1” can't be a document name.")
    TOO_MANY_FILES = tr("A request can have up to %1 files.")
    DOCUMENT_KIND_UNREAD = tr("“%1” has no readable text.")
    DOCUMENT_DAMAGED = tr("“%1” is damaged or takes too long to read.")
    DOCUMENT_LOCKED = tr("“%1” is password-protected. Remove the password, then add the file again.")
    NO_LETTERS_FOR_PDF = tr("The font for PDF files does not have these letters: %1. Ask for a Word file instead.")
    DOCUMENT_TOO_LARGE = tr("A document can be up to %1 MB.")
    TEMPLATE_EMPTY = tr("A template needs a name and text. Fill in both.")
    TEMPLATE_GONE = tr("This template no longer exists.")
    SEND_TIME_TOO_LATE = tr("You can schedule up to a year ahead. Choose an earlier time.")
    DRAFT_CHANGED = tr("This draft was changed in Gmail in the meantime. Choose a version first.")
    NO_DRAFT = tr("This email isn't a draft.")
    FORWARDED_GONE = tr("The email you are forwarding is no longer in the mailbox. Write a new message instead.")
    LETTER_CHANGED = tr("The message was changed before it was sent. Check it and send it again.")
    LETTER_GONE = tr("This message is no longer available.")
    LETTER_STATE = tr("The message is already %1.")
    TOO_LATE = tr("It's too late to undo this.")
    CONVERSATION_GONE = tr("This conversation is no longer in the mailbox.")
    CONVERSATION_CHANGED = tr("Someone wrote in this conversation in the meantime. Check it again.")
    SENDER_NOT_OWN = tr("“%1” in From isn't one of your addresses. Choose another.")
    NO_INVITATION = tr("This email has no invitation you can answer.")
    FIELD_NO_ADDRESS = tr("%1 contains “%2”, which isn't a valid email address. For example, name@example.org.")
    FIELD_CONTROL = tr("%1 contains a line break or a control character. Write it on one line.")
    NO_RECIPIENT = tr("To is empty. Add a recipient.")
    # requests to the assistant
    STEP_NEEDS_MODEL = tr(
        "This step needs a language model, and none is chosen. Choose one in Settings, then try the step again."
    )
    ANSWERED_MAIL_GONE = tr("The email to answer isn't in this mailbox."), TRY_STEP_AGAIN
    MAIL_WITHOUT_RECIPIENT = tr("The email has no recipient. Say in the request who it's for, and try the step again.")
    TOO_MANY_RECIPIENTS = tr("An email can have up to %1 recipients.")
    MODEL_EMPTY = tr("%1 gave an empty answer.")
    MAIL_TOO_LONG = tr("An email can have up to %1 characters. Ask for a document instead.")
    FILE_NOT_MADE = (tr("No step of this request created the file to attach. Nothing was attached or sent."), TRY_STEP_AGAIN)
    RECIPIENT_NO_ADDRESS = tr("The recipient isn't exactly one email address."), TRY_STEP_AGAIN
    RESEARCH_WITHOUT_ANSWER = tr("The model looked things up but gave no answer. Try the step again, or ask for less.")
    NOTHING_TO_SEARCH = tr(
        "Without a language model, the assistant only searches your mail, and this request names nothing to search for. Name "
        "a person or a thing, or choose a language model in Settings."
    )
    ASKED_WITHOUT_MODEL = tr("Drafted without the model, as you asked.")
    UNUSABLE_TWICE = tr("%1 gave an answer that can't be used.")
    MODEL_KEY_REFUSED = tr("%1 rejected the key. Enter it again in Settings.")
    MODEL_KEY_MALFORMED = tr("The key for %1 has characters that no key has. Copy it whole and enter it again in Settings.")
    MODEL_ASKS_PAYMENT = tr("%1 requires payment. Check your account with the provider.")
    MODEL_NOT_ALLOWED = tr("%1 does not allow this key to use %2."), CHECK_MODEL
    MODEL_UNKNOWN = tr("%1 does not know the model %2."), tr("Check the model and, if you entered one, its address in Settings.")
    MODEL_WITHOUT_KEY = tr("There is no key for %1 yet. Enter it first.")
    MODEL_WITHOUT_PROVIDER = tr("The model ID %1 has no provider. Write it as provider/model.")
    MODEL_FILE_UNREADABLE = tr("The model file %1 is missing or can't be read. Choose it again in Settings.")
    MODEL_FILE_OTHER_KIND = tr("%1 isn't a GGUF file. Choose another in Settings.")
    MODEL_FILE_NOT_LOADED = tr("%1 couldn't be loaded. It may be too large for this computer's memory.")
    MODEL_RUNNER_MISSING = tr("To run a model file, install llama.cpp (llama-server) or the package xllamacpp.")
    MODEL_TIMED_OUT = tr("%1 did not answer within %2 s.")
    MODEL_STALLED = tr("%1 sent nothing for %2 s.")
    MODEL_CUT_OFF = tr("%1 stopped in the middle of an answer.")
    MODEL_LIMIT_REACHED = tr("%1 rejected the request: too many requests, or the quota is used up.")
    MODEL_SERVER_FAILED = tr("%1 failed (%2).")
    MODEL_NOT_REACHED = tr("%1 isn't responding. Check that the model is running and its address is right.")
    MAIL_TOO_LONG_FOR_MODEL = tr("%1 gave no answer: the mail is too long for it.")
    MAIL_REFUSED_BY_MODEL = tr("%1 gave no answer: it doesn't allow this content.")
    REQUEST_REJECTED = tr("%1 gave no answer: its server does not accept the request.")
    NO_TOOL_CALLED = tr("%1 should have used a tool, but didn't in two tries.")
    AGENT_WITHOUT_END = tr("%1 did not finish this email in %2 turns.")
    STAYS_HERE = tr("Settings > Privacy keeps this email on this computer, so no language model gets it.")
    VERDICT_OVERRULED = tr("%1 says no reply is needed. Sorting without it, which has been right more often, says one is.")
    FORM_PAUSED = tr("%1 often gets the format of such answers wrong, so it isn't asked for them now.")
    FORM_POOR = tr("%1 gave a usable answer only %2 of %3 times. Choose another model in Settings, or none.")
    FORM_POOR_SORTING = tr(
        "%1 gave a usable answer only %2 of %3 times when sorting mail. Use it only for drafts: enter “none” as the model "
        "for sorting in Settings > Model > Advanced."
    )
    MAIL_SUPERSEDED = tr("A newer email in the conversation replaced it, so it wasn't sent. Try the step again.")
    PROGRAM_ERROR = tr("Replyroom made a mistake here (%1). The log shows where.")
    GMAIL_TASK_TOO_LONG = tr("The Gmail agent did not finish. Say more precisely what to find or send, and try again.")
    GMAIL_WITHOUT_RESULT = tr("The Gmail agent got no result.")
    GMAIL_NEEDS_MODEL = tr("Searching and writing email by request needs a language model, and none is set.")
    REQUEST_EMPTY = tr("The request is empty. Write what to do.")
    REQUEST_TOO_LONG = tr("A request can have up to %1 characters. Shorten it.")
    PLAN_BEGUN = tr("Part of the plan has already run. Start a new request.")
    STEP_RUNNING = tr("A step is running. Stop it first.")
    REQUEST_RUNNING = tr("The request is not finished. Stop it first.")
    MAIL_HAS_LEFT = tr("Its email was sent or is waiting in Review. Decide there, or ask again.")
    REQUEST_GONE = tr("This request no longer exists.")
    PLAN_EMPTY = tr("A plan needs at least one step. Say in the request what to do.")
    PLAN_TOO_LONG = tr("A plan can have up to %1 steps. Ask for less at a time.")
    STEP_EMPTY = tr("A step is empty. Remove it, or write what it should do.")
    STEP_TOO_LONG = tr("A step can have up to %1 characters. Shorten it.")

    def __init__(self, *texts: str) -> None:
        self.texts = texts


_PLACE = re.compile(r"%(\d)")


class ErrorText(NamedTuple):
    """What went wrong: the name of a `Cause` and the values for its text. Without a name the values are sentences themselves.

    Only errors that a user can hardly meet, and what servers and libraries say, have no cause. `place` is a file, and its line
    where it is known.
    """

    cause: str = ""
    values: tuple[str, ...] = ()
    place: str = ""

    @classmethod
    def of(cls, what: "Cause | ErrorText | str", *values: object) -> "ErrorText":
        """The text of a cause with its values, or a text made of sentences."""
        if isinstance(what, ErrorText):
            return what
        if isinstance(what, Cause):
            return cls(what.name, tuple(map(str, values)))
        return cls("", tuple(filter(None, map(str, (what, *values)))))

    def translated(self, translate: Callable[[str], str]) -> str:
        """The sentences, each text of the cause through `translate`."""
        cause = Cause.__members__.get(self.cause)
        sentences = self.values if cause is None else (self._filled(translate(text)) for text in cause.texts)
        return " ".join((f"{self.place}:", *sentences) if self.place else sentences)

    def _filled(self, text: str) -> str:
        """Fills all places in one pass. A value may look like a place itself."""
        return _PLACE.sub(lambda place: "".join(self.values[int(place[1]) - 1 : int(place[1])]), text)

    def __str__(self) -> str:
        return self.translated(str)

    def __bool__(self) -> bool:
        return bool(self.cause or self.values)

    def stored(self) -> str:
        """The text as JSON, so that the window can translate it later."""
        return json.dumps([self.cause, *self.values], ensure_ascii=False)

    @classmethod
    def of_stored(cls, text: str) -> "ErrorText":
        """The inverse of `stored`. Any other text is a sentence."""
        try:
            cause, *values = json.loads(text)
        except (ValueError, TypeError):
            return cls.of(text)
        return cls(str(cause), tuple(map(str, values)))


NO_TEXT = ErrorText()
