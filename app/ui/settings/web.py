"""Settings: what agents may look up on the web. Nothing, until a search server or sites are named here."""

import re
from urllib.parse import urlsplit

from PySide6.QtWidgets import QPlainTextEdit

from app.ui.settings import controls
from app.ui.settings.controls import Control
from app.ui.settings.form import Form
from app.ui.settings.values import Value
from app.ui.settings.writing import SettingsWriter

SEARCH = "web.searxng"
SITES = "web.sites"
_ADDRESS = re.compile(r"https?://[^\s/]+\S*")
_HOST = re.compile(r"[a-z0-9][a-z0-9.\-]*\.[a-z]{2,}")


class WebSection(Form):
    """The search server and the sites whose pages may be read."""

    def __init__(self, writer: SettingsWriter) -> None:
        intro = self.tr("Agents reach nothing on the web but what is named here. What would carry words of your mail is refused.")
        super().__init__(writer, self.tr("Web"), intro)
        hint = self.tr("The address of a SearXNG server with its JSON form switched on. Empty: no search.")
        self.add(SEARCH, self.tr("Search server"), hint, controls.line("https://search.example.org"))
        hint = self.tr("One host a line. Single pages of these sites may be read by agents whose profile has fetch_url.")
        self.add(SITES, self.tr("Sites"), hint, sites())

    def check(self, key: str, value: Value) -> str:
        """An address is one, and so is each site."""
        if key == SEARCH and value and not _ADDRESS.fullmatch(str(value)):
            return self.tr("Write the whole address, such as https://search.example.org.")
        if key == SITES and isinstance(value, list):
            wrong = next((str(one) for one in value if not _HOST.fullmatch(str(one))), None)
            if wrong is not None:
                return self.tr("“%1” is not the name of a site. Write it such as example.org.").replace("%1", wrong)
        return ""


def sites() -> Control:
    """Hosts, one a line; what is pasted as an address becomes its host."""
    control = controls.paragraph("example.org", 4)
    field = control.widget
    assert isinstance(field, QPlainTextEdit)
    lines = Control(
        field,
        lambda value: field.setPlainText("\n".join(map(str, value if isinstance(value, list) else []))),
        says=lambda: hosts_of(field.toPlainText()) if field.hasFocus() else field.toPlainText(),
    )
    lines.settle = control.settle
    control.typed.connect(lines.announce_typing)
    control.committed.connect(lambda text: lines.announce(hosts_of(str(text))))
    return lines


def hosts_of(text: str) -> list[str]:
    """The hosts in a text, each once, in order: one a line or separated by commas; in lower case, without scheme and path."""
    found = (_host(one) for line in text.splitlines() for one in line.split(","))
    return list(dict.fromkeys(one for one in found if one))


def _host(written: str) -> str:
    words = written.strip().lower()
    if not words:
        return ""
    try:
        return (urlsplit(words).hostname if "://" in words else words.split("/")[0]) or words
    except ValueError:
        return words
