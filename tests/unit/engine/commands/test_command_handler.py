"""Every command and query of the protocol has exactly one service."""

from collections import Counter
from typing import get_args

from app.domain.protocol.commands import Command, Query, Shutdown
from app.engine.assistant.assistant_service import AssistantService
from app.engine.commands.account_commands import AccountCommands
from app.engine.commands.corrections import CorrectionService
from app.engine.commands.drafting_commands import DraftingCommands, SettingsCommands
from app.engine.commands.spelling import Spelling
from app.engine.files.file_commands import FileCommands
from app.engine.files.invitations import InvitationService
from app.engine.learning.backtest import BacktestService
from app.engine.learning.memory import PreferenceCommands
from app.engine.letters.letter_service import LetterService
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_service import RulesService
from app.engine.search.mail_search import TextSearch
from app.engine.search.semantic_search import SemanticSearch
from app.engine.sync.label_changes import LabelService

BOTH = (AccountCommands, DraftingCommands, InvitationService, RulesService)
COMMANDS = (
    *BOTH,
    FileCommands,
    AssistantService,
    CorrectionService,
    LabelService,
    LetterService,
    PreferenceCommands,
    ReviewService,
    SettingsCommands,
)
QUERIES = (*BOTH, AssistantService, BacktestService, SemanticSearch, Spelling, TextSearch)


def test_every_command_and_query_is_handled_once() -> None:
    assert Counter(one for service in COMMANDS for one in service.commands) == Counter({*get_args(Command)} - {Shutdown})
    assert Counter(one for service in QUERIES for one in service.queries) == Counter(get_args(Query))
