"""Everything the window may ask about files and archives, and hear about them, in one place for the wire."""

from app.domain.archives import CancelImport, ContinueImport, ImportArchive, ImportProgress, ImportQuestion, StopImport
from app.domain.mail_files import FetchFile, FileChanged, Unsubscribe, Unsubscribed

FileCommand = FetchFile | Unsubscribe | ImportArchive | StopImport | ContinueImport | CancelImport
FileEvent = FileChanged | Unsubscribed | ImportProgress | ImportQuestion
