"""Why rules, or a consent to a tool server, are refused, as the engine says it in English: more sentences for `file_faults`.

A test goes through the rooms that say it and finds any sentence that is missing here.
"""

from app.ui.translation import QT_TRANSLATE_NOOP

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
"""The more particular before the more general."""
