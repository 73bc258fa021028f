"""Executes the orders of a driven window and reports its state."""

from typing import Any, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.domain.ids import ReviewId
from app.domain.protocol.commands import StartDrafting
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.rules.rules_section import EDITOR, RulesSection
from app.ui.pages.welcome.page import WelcomePage
from app.ui.window.main_window import MainWindow
from fakes.window.keyboard import Keyboard, spoken


def the_window() -> MainWindow:
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))


def obey(words: list[str]) -> Any:
    """Executes one order and returns its answer."""
    window, keys = the_window(), Keyboard()
    window.activateWindow()
    order, rest = words[0], words[1:]
    if order == "press":
        keys.press(*rest)
        return keys.at
    if order == "type":
        keys.type(rest[0])
        return keys.text()
    if order == "replace":
        keys.replace(rest[0])
        return keys.text()
    if order == "tab_to":
        keys.tab_to(rest[0])
        return keys.at
    if order == "welcome":
        return first_run(window)
    if order == "page":
        window.show_page(rest[0])
    if order == "review":
        window.show_review(ReviewId(int(rest[0])))
        window.review_page.take_focus()
    if order == "section":
        settings(window).show_section(rest[0])
    if order == "size":
        window.resize(int(rest[0]), int(rest[1]))
    if order == "scroll":
        window.mail_page.list.verticalScrollBar().setValue(int(rest[0]))
    if order == "draft":
        link = window.context.link
        link.send(StartDrafting(window.accounts()[0].id, days=0))
    if order == "quit":
        QTimer.singleShot(0, window, window.quitting.emit)
    return look(window)


def first_run(window: MainWindow) -> dict[str, Any]:
    """The state of the first run."""
    page, at = cast(WelcomePage, window.page("welcome")), QApplication.focusWidget()
    return {
        "page": window.name,
        "stage": next(str(stage) for stage, screen in page._screens.items() if screen is page.stack.currentWidget()),
        "at": spoken(at) if at is not None else "",
        "visible": at is not None and not at.visibleRegion().isEmpty(),
        "mails": page.preview.mails.text(),
        "drafts": page.preview.drafts.text(),
        "trouble": page.guide.error,
        "reviews": window.review_page.queue.count if window.name == "review" else 0,
    }


def settings(window: MainWindow) -> SettingsPage:
    return cast("SettingsPage", window.page("settings"))


def rule_of(page: SettingsPage) -> list[str]:
    """The texts of the rule in the editor, empty when none is edited."""
    section = page.sections.get("rules")
    if not isinstance(section, RulesSection) or section.stack.currentIndex() != EDITOR:
        return []
    return [section.editor.name.text(), *(one.text() for one in section.editor.texts.values())]


def look(window: MainWindow) -> dict[str, Any]:
    """What is on screen, for pages that were built."""
    review, mail, search = window.review_page, window.mail_page, window.search_page
    item = review.current_review()
    draft = review.desk.draft()
    reading = mail.reading.message
    found = search.list.current_row()
    return {
        "page": window.name,
        "size": [window.width(), window.height()],
        "line": window.search.text(),
        "review": item.id if item is not None else 0,
        "kind": str(item.proposal.kind) if item is not None else "",
        "reviews": review.queue.count,
        "draft": draft.body if draft is not None else "",
        "asking": "" if review.desk.ask.isHidden() else review.desk.ask.purpose,
        "asked": review.desk.ask.line.text(),
        "ticked": review.desk.ask.ticked,
        "answer": review.desk.detail.answer.toPlainText(),
        "mails": mail.model.rowCount(),
        "mail": reading.id if reading is not None else 0,
        "row": mail.list.current_row(),
        "top": list(mail.list.top()),
        "searched": search.line.text(),
        "found": search.model.rowCount(),
        "chosen": search.model.id_at(found) if found >= 0 else 0,
        "letter": window.compose_page.card.editor.toPlainText(),
        "read": int(mail.reading.message.id) if mail.reading.message is not None else 0,
        "section": settings(window).shown,
        "rule": rule_of(settings(window)),
        "rules_known": getattr(settings(window).sections.get("rules"), "now", None) is not None,
    }
