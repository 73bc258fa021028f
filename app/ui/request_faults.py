"""What keeps a request to the assistant, or a step of it, from being done, as the engine says it in English: more sentences for
`file_faults.spoken_fault`.

A test goes through the rooms that say it and finds any sentence that is missing here.
"""

from app.ui.translation import QT_TRANSLATE_NOOP

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
"""A `%1` stands for anything."""
