"""The program's own tools by name: what a profile may list before any agent is loaded. A test compares them with the tools."""

TOOL_NAMES = frozenset(
    {
        "check_calendar",
        "create_draft",
        "escalate",
        "fetch_url",
        "get_contact",
        "mail_search",
        "manage_reservation",
        "read_document",
        "read_thread",
        "remember",
        "schedule_meeting",
        "search_drugs",
        "send_reply",
        "web_search",
        "write_document",
    }
)
