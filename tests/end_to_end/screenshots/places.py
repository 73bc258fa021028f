"""Every place of the window that a picture is taken of, and the way there. Each is reached as a user would reach it."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import cast

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QPushButton, QScrollArea

from app.domain.agents.requests import MailScope, RequestStatus
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, LetterId, MessageId, ReviewId, ThreadId
from app.domain.language.rule_words import rule_of
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.assistant_commands import StepProgress
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.ui.pages.activity.page import ActivityPage
from app.ui.pages.archives import ArchivesController, ImportProgressDialog
from app.ui.pages.assistant.page import AssistantPage
from app.ui.pages.review.page import ReviewPage
from app.ui.pages.settings.model_section import ModelSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.profiles.profiles_section import ProfilesSection
from app.ui.pages.settings.rules.rules_section import RulesSection
from app.ui.pages.settings.settings_table import SettingTexts
from app.ui.pages.welcome.page import WelcomePage
from app.ui.window.main_window import MainWindow
from end_to_end.screenshots.requests import REQUESTS

Way = Callable[[MainWindow, dict[str, ReviewId]], object]


def _page(name: str) -> Way:
    return lambda window, _reviews: window.show_page(name)


def _review(name: str, then: str = "") -> Way:
    def go(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
        window.show_page("review")
        if name in reviews and window.review_page.queue.count:
            window.show_review(reviews[name])
        if then:
            window.actions_by_id[then].trigger()

    return go


def _mail(row: int, page: str = "inbox") -> Way:
    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page(page)
        model = window.mail_page.model
        if model.rowCount() > row:
            window.mail_page.list.select_row(row)
            window.mail_page.open(ThreadId(model.id_at(row)))

    return go


def _thread(subject: str, then: str = "") -> Way:
    """The conversation of the inbox with this subject, and an action in it."""

    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("inbox")
        model = window.mail_page.model
        rows = window.mail_page.context.reader.thread_rows([ThreadId(key) for key in model.ids])
        at = next((at for at, key in enumerate(model.ids) if rows[ThreadId(key)].subject == subject), None)
        if at is not None:
            window.mail_page.list.select_row(at)
            window.mail_page.reading.settle()
            if then:
                window.actions_by_id[then].trigger()

    return go


def _new_rule(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
    _section("rules")(window, reviews)
    section = cast(RulesSection, cast(SettingsPage, window.page("settings")).sections["rules"])
    rule = rule_of("archive newsletters from shop.com and mark them read")
    if rule is not None:
        section.begin(rule)


def _help(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
    _compose(window, reviews)
    window.actions_by_id["compose.help"].trigger()


def _search(words: str) -> Way:
    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("search")
        window.search_page.look_for(words)

    return go


def _compose(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
    context = window.compose_page.context
    kept = None
    with suppress(ExpectedError):
        kept = context.reader.letter(LetterId("offer"))
    if kept is not None:
        context.navigator.show_letter(kept.letter)
    else:
        window.actions_by_id["window.compose"].trigger()


def _request(number: int) -> Way:
    """A request by its place among those of the pictures, the newest first."""

    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("assistant")
        page = cast(AssistantPage, window.page("assistant"))
        if page.model.rowCount() > number:
            page.list.select_row(number)
            request = page.detail.request
            if request is not None and request.status is RequestStatus.RUNNING:
                page.hear(StepProgress(request.id, 1, "Reading 14 mails of Ana Novák"))

    return go


def _limits(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
    """The bar with the limits of the next request."""
    _request(0)(window, reviews)
    page = cast(AssistantPage, window.page("assistant"))
    page.bar.field.setPlainText("When did Tom first write about the frame?")
    reader = page.context.reader
    open_now = next((reader.messages(ThreadId(one))[-1].id for one in reader.thread_ids(MailView.INBOX, limit=1)), MessageId(0))
    page.bar.limits.show_scope(MailScope(open_now, inbox=True, since=page.context.clock() - timedelta(days=30)))


def _about(asked: bool) -> Way:
    """The panel beside an open message, before the first question or with an answer."""

    def go(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
        _mail(0)(window, reviews)
        reader = window.mail_page.context.reader
        found = reader.requests_of(reader.request_ids(99)).values() if asked else ()
        for one in found:
            if one.scope.conversation:
                window.mail_page.open_message(one.scope.conversation)
        window.actions_by_id["mail.ask"].trigger()

    return go


def _section(name: str) -> Way:
    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("settings")
        page = cast(SettingsPage, window.page("settings"))
        page.show_section(name)
        if name == "model":
            cast(ModelSection, page.sections[name]).test.start.click()

    return go


def _profile(show: Callable[[ProfilesSection], object]) -> Way:
    """The profiles, worked by hand once they are read."""

    def go(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
        _section("profiles")(window, reviews)
        section = cast(ProfilesSection, cast(SettingsPage, window.page("settings")).sections["profiles"])
        QTimer.singleShot(READ_MS, section, lambda: show(section))

    return go


def _new_profile(section: ProfilesSection) -> None:
    section.make.click()
    section.editor.name.setText("orders")
    section.editor.prompt.setPlainText("You answer questions about orders.\nNever promise a date that is not in the mail.")


def _tool_servers(section: ProfilesSection) -> None:
    editor = section.editor
    editor.tools.boxes["web_search"].setChecked(True)
    editor.more.click()
    editor.add_server.click()
    editor.json.setPlainText('{"mcpServers":\n  {"notes": {"comand": "npx", "args": ["-y", "notes-server"]}}}')
    editor.take_json.click()
    area = next(one for one in section.window().findChildren(QScrollArea) if one.isAncestorOf(section))
    QTimer.singleShot(READ_MS, section, lambda: area.ensureWidgetVisible(editor.save))


def _guide(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
    window.show_page("welcome")
    cast(WelcomePage, window.page("welcome")).choose.connect_gmail.click()


def _over(action: str) -> Way:
    """A dialog or the palette, over Review."""

    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("review")
        window.actions_by_id[action].trigger()

    return go


def _archives(show: Callable[[ArchivesController, MainWindow], object]) -> Way:
    """A dialog about mail archives, over Review."""

    def go(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
        window.show_page("review")
        show(window.findChildren(ArchivesController)[0], window)

    return go


def _ending(archives: ArchivesController, window: MainWindow) -> None:
    archives.show_reading(READING)
    window.findChildren(ImportProgressDialog)[-1].cancel.click()


def _charts(window: MainWindow, _reviews: dict[str, ReviewId]) -> None:
    window.show_page("activity")
    cast(ActivityPage, window.page("activity")).to_charts.click()


def _run(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
    """The run behind a review, by the way of its technical details."""
    _review("plain", "review.why")(window, reviews)
    page = cast(ReviewPage, window.page("review"))
    for words in ("Technical details", "Show every step"):
        shown = QCoreApplication.translate("WhyPanel", words)
        next(one for one in page.findChildren(QPushButton) if one.text() == shown).click()


def _technical(window: MainWindow, reviews: dict[str, ReviewId]) -> None:
    _run(window, reviews)
    detail = cast(ActivityPage, window.page("activity")).detail
    detail.more.click()
    detail.timeline.expand(detail.timeline.model().index(2, 0))


READ_MS = 200
"""After this the profiles were read."""
READING = ImportProgress(AccountId(0), "All mail 2019.mbox", "reading", 1_800_000_000, 4_300_000_000, 41_207, 41_960, 41_207)
BARE = ("welcome", "welcome-guide")
"""Places before there is an account."""

PLACES: dict[str, Way] = {
    "review": _review("slots"),
    "review-why": _review("plain", "review.why"),
    "review-reject": _review("plain", "review.reject"),
    "review-flags": _review("flagged"),
    "review-question": _review("question"),
    "review-meeting": _review("tool"),
    "review-action": _review("reservation"),
    "review-notice": _review("notify"),
    "review-new": _review("ask-new"),
    "review-new-why": _review("ask-new", "review.why"),
    "review-focus": _review("slots", "review.focus"),
    **{name: _page(name) for name in ("inbox", "starred", "snoozed", "sent", "drafts", "all", "spam", "trash")},
    "mail-html": _mail(4),
    "mail-hebrew": _mail(2, "starred"),
    "mail-draft": _thread("Delivery of order 4411"),
    "mail-phishing": _thread("Invoice 88"),
    "mail-long": _thread("Stand at the fair"),
    "mail-unfolded": _thread("Stand at the fair", "mail.unfold"),
    "mail-reply": _thread("Stand at the fair", "mail.reply"),
    "mail-times": _thread("Stand at the fair", "mail.snooze"),
    "mail-should": _thread("Stand at the fair", "mail.should"),
    "label": _page("label:Invoices"),
    "search": _search("order"),
    "search-meaning": _search("when will my parcel arrive"),
    "search-nothing": _search("zeppelin"),
    "compose": _compose,
    "compose-help": _help,
    "compose-remind": lambda window, reviews: (_compose(window, reviews), window.actions_by_id["compose.remind"].trigger()),
    **{
        name: _page(name)
        for name in ("today", "waiting", "subscriptions", "outbox", "templates", "shortcuts", "activity", "memory")
    },
    "mail-ask": _about(asked=False),
    "mail-answer": _about(asked=True),
    "assistant-limits": _limits,
    **{f"assistant{name}": _request(number) for number, name in enumerate(REQUESTS)},
    "activity-charts": _charts,
    "activity-run": _run,
    "activity-technical": _technical,
    **{f"settings-{name}": _section(name) for name, _title, _icon in SettingTexts().sections()},
    "profiles-new": _profile(_new_profile),
    "profiles-servers": _profile(_tool_servers),
    "rule-new": _new_rule,
    "welcome": _page("welcome"),
    "welcome-guide": _guide,
    "welcome-start": _page("welcome"),
    "palette": _over("window.palette"),
    "keys": _over("window.keys"),
    "archive-choice": _over("window.import"),
    "archive-reading": _archives(lambda archives, _window: archives.show_reading(READING)),
    "archive-ending": _archives(_ending),
    "archive-failed": _archives(lambda archives, _window: archives.show_reading(replace(READING, state="failed"))),
}
"""Ways to each place by its name; they are handed the window and the reviews by the lively store's short names."""
