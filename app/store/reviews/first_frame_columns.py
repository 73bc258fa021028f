"""SQL columns of review lists: people, subject, snippet. A review without a mail takes them from its draft.

A module of its own because the window's first frame needs them before other imports.
"""

_DRAFTED = "(r.message_id = 0 AND p.draft <> '')"

_COLUMNS = {
    "PEOPLE": """CASE WHEN DRAFTED THEN coalesce((
            SELECT group_concat(coalesce(nullif(json_extract(value, '$.name'), ''), json_extract(value, '$.email')), ', ')
        FROM json_each(p.draft, '$.to')), '') ELSE coalesce(nullif(m.sender_name, ''), m.sender_email, '') END""",
    "SUBJECT": """CASE WHEN DRAFTED THEN json_extract(p.draft, '$.subject')
        WHEN r.message_id = 0 THEN p.detail ELSE coalesce(m.subject, '') END""",
    "SNIPPET": """CASE WHEN DRAFTED THEN replace(replace(substr(json_extract(p.draft, '$.body'), 1, 200),
            char(10) || char(10), ' '), char(10), ' ')
        ELSE coalesce(m.snippet, '') END""",
    "GOES_OUT": "DRAFTED",
    "QUEUE_ORDER": """CASE WHEN r.kind IN ('reply', 'tool_call', 'plan') THEN 0 WHEN r.kind = 'notify' THEN 2 ELSE 1 END,
        r.urgency DESC, r.mail_date, r.id""",
}


def with_columns(sql: str) -> str:
    """Fills PEOPLE, SUBJECT, SNIPPET, GOES_OUT and QUEUE_ORDER into a query over reviews `r`, revisions `p`, messages `m`.

    GOES_OUT says whether the people are recipients. QUEUE_ORDER is by section, then the oldest urgent mail first.
    """
    for name, column in _COLUMNS.items():
        sql = sql.replace(name, column)
    return sql.replace("DRAFTED", _DRAFTED)
