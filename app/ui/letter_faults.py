"""What keeps a letter or a file of it back, as the engine says it in English: more sentences for `file_faults.spoken_fault`.

A test goes through the rooms that say it and finds any sentence that is missing here.
"""

from app.ui.translation import QT_TRANSLATE_NOOP

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
"""The more particular before the more general."""
