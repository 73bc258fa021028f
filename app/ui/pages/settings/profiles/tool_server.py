"""Card of an MCP server of a profile: how it is started, its state, its tools, and the owner's consent to each.

Also the texts of servers, tools and trials.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy

from app.domain.agents.runs import AgentStatus
from app.domain.agents.tools import CallApproval, ServerState, ServerStatus, ServerTool, ToolState
from app.domain.policy.policy import Verdict
from app.domain.ports.window import EngineLink
from app.domain.protocol.agent_commands import AllowServer, AllowTool, ForbidServer, ProfileTried
from app.ui.i18n.formatting import tool_name
from app.ui.lists.row_painter import Chip
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import RoleFrame, button, chip, column, fill_rows, label, put, row, say, say_or_hide, text_table


def server_chip(state: ServerState) -> Chip:
    return {
        ServerState.NEEDS_CONSENT: Chip(QCoreApplication.translate("Profiles", "needs your consent"), "warning"),
        ServerState.STARTING: Chip(QCoreApplication.translate("Profiles", "starting")),
        ServerState.RUNNING: Chip(QCoreApplication.translate("Profiles", "running"), "positive"),
        ServerState.RETRYING: Chip(QCoreApplication.translate("Profiles", "ended, restarting soon"), "danger"),
        ServerState.STOPPED: Chip(QCoreApplication.translate("Profiles", "stopped")),
    }[state]


def tool_words(state: ToolState, asking: CallApproval) -> str:
    """Whether a tool is offered to the model, and whether its calls need approval."""
    if state is ToolState.AGREED:
        return {
            CallApproval.ASK: QCoreApplication.translate("Profiles", "available, asks each time"),
            CallApproval.ALLOW: QCoreApplication.translate("Profiles", "available, allowed by you"),
        }[asking]
    return {
        ToolState.NEW: QCoreApplication.translate("Profiles", "new, off until you allow it"),
        ToolState.CHANGED: QCoreApplication.translate("Profiles", "description changed, off until you allow it"),
        ToolState.UNFIT: QCoreApplication.translate("Profiles", "can't be used by a model"),
    }[state]


def tried_words(tried: ProfileTried) -> str:
    """Result of a trial as plain text: outcome, each call, the final message."""
    ends = {
        AgentStatus.COMPLETED: QCoreApplication.translate("Profiles", "The agent finished."),
        AgentStatus.MAX_ITERATIONS: QCoreApplication.translate("Profiles", "The agent ran out of turns."),
        AgentStatus.ERROR: QCoreApplication.translate("Profiles", "The agent could not continue."),
    }
    held = {
        Verdict.ALLOW: QCoreApplication.translate("Profiles", "held back; it would have run without asking"),
        Verdict.ASK: QCoreApplication.translate("Profiles", "held back; it would have asked you"),
        Verdict.DENY: QCoreApplication.translate("Profiles", "refused"),
    }
    ran = QCoreApplication.translate("Profiles", "read")
    lines = [ends[AgentStatus(tried.status)]]
    for at, call in enumerate(tried.calls, 1):
        lines += ["", f"{at}. {tool_name(call.tool)}: {ran if call.ran else held[Verdict(call.verdict)]}", f"   {call.arguments}"]
        lines += [f"   → {call.result}"] if call.result else []
    if tried.final_message:
        lines += ["", QCoreApplication.translate("Profiles", "Its last message:"), tried.final_message]
    return "\n".join(lines)


WAITING = (ToolState.NEW, ToolState.CHANGED)


class ServerCard(RoleFrame):
    """Shows a server. Its own texts are shown as plain text. `remove` is called with its name."""

    def __init__(self, link: EngineLink, server: str, remove: Callable[[str], object]) -> None:
        super().__init__("card")
        self._link = link
        self.status = ServerStatus("", server, "", "", (), ServerState.STOPPED)
        self.name = label(server, Type.STRONG)
        self.state = chip()
        self.line = label("", Type.BODY, wrap=True)
        self.line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.line.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.detail = label("", Type.CAPTION, "soft", wrap=True)
        self.consent = button("", "", self._answer, turns=True)
        self.agree = button(self.tr("Allow this tool"), "", self._agree)
        self.remove = button(self.tr("Remove"), "link", lambda: remove(server))
        self.tools = text_table(self.tr("Server tools"), [self.tr("Tool"), self.tr("Its description")], 1)
        self.tools.setWordWrap(True)
        self.tools.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tools.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.tools.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.tools.itemSelectionChanged.connect(self._enable)
        head, foot = put(row(), self.name, self.state, 1), put(row(), self.consent, self.agree, 1, self.remove)
        column(self, Space.LARGE, Space.SMALL, head, self.line, self.detail, self.tools, foot)

    def show_status(self, status: ServerStatus, saved: bool) -> None:
        """Shows the server's status and keeps the selected tool. One that is not `saved` in force cannot be started yet."""
        before = self._chosen()
        self.status, self._saved = status, saved
        say(self.state, *server_chip(status.state))
        self.line.setText(status.line)
        waits = status.state is ServerState.NEEDS_CONSENT
        self.state.setVisible(saved)
        self.consent.setVisible(saved)
        say_or_hide(self.detail, self._detail())
        self.consent.setText(self.tr("Allow and start") if waits else self.tr("Revoke permission"))
        self.consent.setAccessibleDescription(status.line)
        tools = status.tools
        fill_rows(self.tools, ((f"{one.name}\n{tool_words(one.state, one.asking)}", one.description) for one in tools))
        self.tools.setVisible(bool(tools))
        kept = [at for at, one in enumerate(tools) if before is not None and one.name == before.name]
        waiting = [at for at, one in enumerate(tools) if one.state in WAITING]
        if tools:
            self.tools.selectRow([*kept, *waiting, 0][0])
        self._enable()

    def _detail(self) -> str:
        """What the owner must know before consenting, or the last error."""
        status = self.status
        if not self._saved:
            return self.tr("It runs once you have allowed it and the profile is saved and turned on.")
        if status.state is ServerState.RETRYING:
            return self.tr("Last problem: %1").replace("%1", status.detail)
        if status.state is not ServerState.NEEDS_CONSENT:
            return ""
        words = self.tr("This would run on your computer with your permissions. It gets none of Replyroom's keys.")
        if status.line.startswith(("http://", "https://")):
            words = self.tr("The agent's calls to its tools would go to this address.")
        names = ", ".join(status.env_names)
        given = self.tr("Variables it is given: %1").replace("%1", names)
        return f"{words} {given}" if names else words

    def _chosen(self) -> ServerTool | None:
        at = self.tools.currentRow()
        return self.status.tools[at] if 0 <= at < len(self.status.tools) else None

    def _enable(self) -> None:
        tool = self._chosen()
        self.agree.setVisible(any(offered.state in WAITING for offered in self.status.tools))
        self.agree.setEnabled(tool is not None and tool.state in WAITING)

    def _answer(self) -> None:
        command = AllowServer if self.status.state is ServerState.NEEDS_CONSENT else ForbidServer
        self._link.send(command(self.status.launch))

    def _agree(self) -> None:
        tool = self._chosen()
        if tool is not None and tool.state in WAITING:
            self._link.send(AllowTool(self.status.launch, tool.name, tool.digest))
