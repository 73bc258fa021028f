"""Which page stands behind a name; each is built when it is first shown."""

from collections.abc import Callable

from app.ui.context import Context
from app.ui.mail.page import MailPage
from app.ui.page import Page
from app.ui.review.page import ReviewPage

FACTORIES: dict[str, Callable[[Context], Page]] = {"review": ReviewPage, "mail": MailPage}
