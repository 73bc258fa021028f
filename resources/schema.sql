-- Accounts, the local copy of their mail, and the state of sync. `threads` and `thread_labels` hold what lists show. The
-- transaction that changes messages updates them too, so that "the inbox, newest first" reads one index. The label `*` marks
-- threads with a message outside spam and trash. `html_sources` holds HTML as received; once cleaned, it moves to `bodies`.
-- The index on `unread` includes the column, because SQLite checks a partial index's condition again for each row. FTS5 holds
-- 4 MB before it writes and merges by 32: a first sync of 20,000 messages spends a third less time on it. `mail_text` needs the
-- SQL function `index_text`, which `Database` adds to its connections. `messages_date` covers what a search sorts and counts by.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, send_as TEXT NOT NULL,
    signature TEXT NOT NULL, colour TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'gmail',
    paused INTEGER NOT NULL DEFAULT 0, signed_in_at INTEGER, short_lived INTEGER NOT NULL DEFAULT 0,
    identities TEXT NOT NULL DEFAULT '[]');
CREATE TABLE labels (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, gmail_label_id TEXT NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (account_id, gmail_label_id)) WITHOUT ROWID;
CREATE TABLE threads (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    gmail_thread_id TEXT NOT NULL, sender TEXT NOT NULL DEFAULT '', subject TEXT NOT NULL DEFAULT '',
    snippet TEXT NOT NULL DEFAULT '', last_date INTEGER NOT NULL DEFAULT 0,
    message_count INTEGER NOT NULL DEFAULT 0, unread INTEGER NOT NULL DEFAULT 0, starred INTEGER NOT NULL DEFAULT 0,
    has_attachment INTEGER NOT NULL DEFAULT 0, decision TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT '',
    confidence REAL NOT NULL DEFAULT 0, UNIQUE (account_id, gmail_thread_id));
CREATE TABLE thread_labels (
    thread_id INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE, label TEXT NOT NULL,
    last_date INTEGER NOT NULL, unread INTEGER NOT NULL, PRIMARY KEY (thread_id, label)) WITHOUT ROWID;
CREATE INDEX thread_labels_newest ON thread_labels (label, last_date DESC, thread_id DESC);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    thread_id INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE, gmail_id TEXT NOT NULL, date INTEGER NOT NULL,
    sender_email TEXT NOT NULL, sender_name TEXT NOT NULL, to_list TEXT NOT NULL, cc_list TEXT NOT NULL,
    bcc_list TEXT NOT NULL, reply_to_list TEXT NOT NULL, subject TEXT NOT NULL, snippet TEXT NOT NULL,
    rfc822_id TEXT NOT NULL, in_reply_to TEXT NOT NULL, reference_ids TEXT NOT NULL, size INTEGER NOT NULL,
    has_attachment INTEGER NOT NULL, outgoing INTEGER NOT NULL, decision TEXT NOT NULL DEFAULT '',
    category TEXT NOT NULL DEFAULT '', confidence REAL NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
    maker TEXT NOT NULL DEFAULT '', list_id TEXT NOT NULL DEFAULT '', delivered_to TEXT NOT NULL DEFAULT '',
    UNIQUE (account_id, gmail_id));
CREATE INDEX messages_thread ON messages (thread_id, date);
CREATE INDEX messages_date ON messages (date, thread_id, account_id, size);
CREATE INDEX messages_files ON messages (has_attachment) WHERE has_attachment;
CREATE INDEX messages_sender ON messages (sender_email, date);
CREATE INDEX messages_list ON messages (list_id) WHERE list_id <> '';
CREATE INDEX messages_delivered ON messages (delivered_to) WHERE delivered_to <> '';
CREATE INDEX messages_rfc822 ON messages (rfc822_id);
CREATE TABLE bodies (
    message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE, text TEXT NOT NULL, html BLOB NOT NULL,
    headers BLOB NOT NULL, too_slow INTEGER NOT NULL);
CREATE TABLE message_labels (
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE, label TEXT NOT NULL,
    PRIMARY KEY (message_id, label)) WITHOUT ROWID;
CREATE INDEX message_labels_label ON message_labels (label, message_id);
CREATE TABLE attachments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    part_id TEXT NOT NULL, filename TEXT NOT NULL, mime_type TEXT NOT NULL, size INTEGER NOT NULL,
    content_id TEXT NOT NULL, inline INTEGER NOT NULL, folded_name TEXT NOT NULL DEFAULT '');
CREATE INDEX attachments_message ON attachments (message_id);
CREATE TABLE to_fetch (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    gmail_id TEXT NOT NULL, gmail_thread_id TEXT NOT NULL, reason TEXT NOT NULL, priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (account_id, gmail_id));
CREATE INDEX to_fetch_order ON to_fetch (account_id, priority DESC, attempts, seq);
CREATE TABLE file_texts (
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE, part_id TEXT NOT NULL, state TEXT NOT NULL,
    text TEXT NOT NULL, UNIQUE (message_id, part_id));
CREATE VIEW mail_text (id, subject, sender, recipients, copies, blind_copies, body, files, file_text) AS
    SELECT m.id, index_text(m.subject), index_text(m.sender_email || ' ' || m.sender_name), index_text(m.to_list),
    index_text(m.cc_list), index_text(m.bcc_list), index_text(b.text),
    index_text((SELECT group_concat(filename, ' ') FROM attachments a WHERE a.message_id = m.id AND NOT a.inline)),
    index_text((SELECT group_concat(text, ' ') FROM file_texts f WHERE f.message_id = m.id))
    FROM messages m JOIN bodies b ON b.message_id = m.id;
CREATE VIRTUAL TABLE mail_fts USING fts5 (subject, sender, recipients, copies, blind_copies, body, files,
    file_text, content = 'mail_text', content_rowid = 'id', prefix = '3', tokenize = 'unicode61 remove_diacritics 2');
CREATE INDEX to_fetch_thread ON to_fetch (account_id, gmail_thread_id);
CREATE TABLE snoozes (
    thread_id INTEGER PRIMARY KEY REFERENCES threads ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, until INTEGER NOT NULL,
    message_ids TEXT NOT NULL, action TEXT NOT NULL);
CREATE TABLE muted (
    thread_id INTEGER PRIMARY KEY REFERENCES threads ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, action TEXT NOT NULL);
CREATE INDEX muted_account ON muted (account_id);
CREATE INDEX snoozes_until ON snoozes (until);
CREATE INDEX snoozes_account ON snoozes (account_id);
CREATE TABLE downloads (
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE, part_id TEXT NOT NULL, state TEXT NOT NULL,
    path TEXT NOT NULL, size INTEGER NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (message_id, part_id)) WITHOUT ROWID;
CREATE INDEX downloads_at ON downloads (at);
CREATE TABLE html_sources (
    message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE, source BLOB NOT NULL);
CREATE VIEW whole_messages AS
    SELECT m.*, t.gmail_thread_id, b.text, b.html, b.headers, b.too_slow,
    EXISTS (SELECT 1 FROM html_sources s WHERE s.message_id = m.id) AS html_waits
    FROM messages m JOIN threads t ON t.id = m.thread_id JOIN bodies b ON b.message_id = m.id;
CREATE INDEX thread_labels_unread ON thread_labels (label, unread) WHERE unread;
CREATE TABLE sync_state (
    account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE, cursor TEXT,
    list_cursor TEXT NOT NULL DEFAULT '', phase TEXT NOT NULL DEFAULT 'listing', triage_since INTEGER);

-- Contacts with counts and notes, and address books. `contact_fts` finds people by prefix; its column `written` marks those
-- the owner has written to, so that they come first.
CREATE TABLE address_books (
    account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE, sync_token TEXT NOT NULL,
    read_at INTEGER NOT NULL);
CREATE TABLE book_people (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, resource TEXT NOT NULL, etag TEXT NOT NULL,
    emails TEXT NOT NULL, name TEXT NOT NULL, organization TEXT NOT NULL, notes TEXT NOT NULL,
    PRIMARY KEY (account_id, resource)) WITHOUT ROWID;
CREATE TABLE contact_notes (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, email TEXT NOT NULL, text TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (account_id, email)) WITHOUT ROWID;
CREATE TABLE contacts (
    id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, email TEXT NOT NULL,
    name TEXT NOT NULL, received INTEGER NOT NULL, sent INTEGER NOT NULL, last_contact INTEGER NOT NULL,
    organization TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '', UNIQUE (account_id, email));
CREATE VIEW contact_text (id, words, organization, written) AS
    SELECT id, name || ' ' || email || ' ' || substr(email, instr(email, '@') + 1), organization, iif(sent > 0, 'y', '')
    FROM contacts;
CREATE VIRTUAL TABLE contact_fts USING fts5 (words, organization, written, content = 'contact_text', content_rowid = 'id',
    prefix = '1 2 3', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 tokenchars '@.-_+'");
CREATE TRIGGER contact_found AFTER INSERT ON contacts BEGIN
    INSERT INTO contact_fts (rowid, words, organization, written) VALUES (new.id,
    new.name || ' ' || new.email || ' ' || substr(new.email, instr(new.email, '@') + 1), new.organization,
    iif(new.sent > 0, 'y', ''));
    END;
CREATE TRIGGER contact_lost AFTER DELETE ON contacts BEGIN
    INSERT INTO contact_fts (contact_fts, rowid, words, organization, written) VALUES ('delete', old.id,
    old.name || ' ' || old.email || ' ' || substr(old.email, instr(old.email, '@') + 1), old.organization,
    iif(old.sent > 0, 'y', ''));
    END;
CREATE TRIGGER contact_renamed AFTER UPDATE OF name, organization, sent ON contacts
    WHEN old.name <> new.name OR old.organization <> new.organization OR (old.sent > 0) <> (new.sent > 0) BEGIN
    INSERT INTO contact_fts (contact_fts, rowid, words, organization, written) VALUES ('delete', old.id,
    old.name || ' ' || old.email || ' ' || substr(old.email, instr(old.email, '@') + 1), old.organization,
    iif(old.sent > 0, 'y', ''));
    INSERT INTO contact_fts (rowid, words, organization, written) VALUES (new.id,
    new.name || ' ' || new.email || ' ' || substr(new.email, instr(new.email, '@') + 1), new.organization,
    iif(new.sent > 0, 'y', ''));
    END;

-- The job queue, runs of the mail graph and their logs, each row with the id of its run. States, arguments and results are JSON.
CREATE TABLE agent_runs (
    run_id TEXT PRIMARY KEY, profile TEXT NOT NULL, status TEXT NOT NULL, tool_calls_log TEXT NOT NULL,
    final_message TEXT NOT NULL, iterations INTEGER NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE llm_calls (
    id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, call_type TEXT NOT NULL, model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost_usd REAL NOT NULL,
    latency_ms REAL NOT NULL, host TEXT NOT NULL, sent_bytes INTEGER NOT NULL, error TEXT NOT NULL,
    at INTEGER NOT NULL, got_bytes INTEGER NOT NULL DEFAULT 0, sent_sha256 TEXT NOT NULL DEFAULT '',
    mails TEXT NOT NULL DEFAULT '[]', people TEXT NOT NULL DEFAULT '[]');
CREATE INDEX llm_calls_at ON llm_calls (at);
CREATE TABLE model_answers (
    id INTEGER PRIMARY KEY, host TEXT NOT NULL, model TEXT NOT NULL, known TEXT NOT NULL, said TEXT NOT NULL,
    at INTEGER NOT NULL);
CREATE INDEX model_answers_model ON model_answers (host, model);
CREATE TABLE tool_audit (
    id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL,
    effect TEXT NOT NULL, arguments_hash TEXT NOT NULL, verdict TEXT NOT NULL, why TEXT NOT NULL,
    flags TEXT NOT NULL, outcome TEXT NOT NULL, approved_by TEXT NOT NULL DEFAULT '', approved_at INTEGER,
    at INTEGER NOT NULL, UNIQUE (run_id, call_id));
CREATE INDEX tool_audit_at ON tool_audit (at);
CREATE TABLE jobs (
    kind TEXT NOT NULL, key TEXT NOT NULL, id INTEGER NOT NULL, payload TEXT NOT NULL, priority INTEGER NOT NULL,
    newest INTEGER NOT NULL, run_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0, failed_at INTEGER, error TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE email_events (
    message_id INTEGER NOT NULL, id INTEGER NOT NULL, run_id TEXT NOT NULL, kind TEXT NOT NULL,
    detail TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (message_id, id)) WITHOUT ROWID;
CREATE INDEX email_events_approved ON email_events (at) WHERE kind = 'auto_approved';
CREATE TABLE runs (
    id TEXT PRIMARY KEY, account_id INTEGER NOT NULL, message_id INTEGER NOT NULL, thread_id INTEGER NOT NULL,
    route TEXT NOT NULL, rule TEXT NOT NULL, profile TEXT NOT NULL, status TEXT NOT NULL,
    graph_version INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, answer INTEGER NOT NULL,
    error TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX runs_message ON runs (message_id);
CREATE TABLE run_steps (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL, step_name TEXT NOT NULL,
    input_state TEXT NOT NULL, output_state TEXT NOT NULL, latency_ms REAL NOT NULL, error TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (run_id, seq));
CREATE TABLE tool_calls (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL, call_id TEXT NOT NULL,
    tool TEXT NOT NULL, arguments TEXT NOT NULL, result TEXT NOT NULL, error TEXT NOT NULL, latency_ms REAL NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (run_id, seq));
CREATE INDEX tool_calls_read_marks ON tool_calls (run_id) WHERE tool = 'mark_as_read';

-- What waits for the owner and what was decided. `seen_upto` is the highest message stored when the review was opened.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
    revision INTEGER NOT NULL, action TEXT NOT NULL, text TEXT NOT NULL, status TEXT NOT NULL,
    outbox_id INTEGER NOT NULL, memory_key TEXT NOT NULL, decided_at INTEGER NOT NULL, undone_at INTEGER);
CREATE INDEX decisions_review ON decisions (review_id);
CREATE TABLE kept_drafts (
    decision_id INTEGER PRIMARY KEY REFERENCES decisions ON DELETE CASCADE, account_id INTEGER NOT NULL,
    sender TEXT NOT NULL, category TEXT NOT NULL, outcome TEXT NOT NULL, kept REAL NOT NULL, diff TEXT NOT NULL,
    at INTEGER NOT NULL);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, key TEXT NOT NULL, account_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
    revision INTEGER NOT NULL, urgency INTEGER NOT NULL, mail_date INTEGER NOT NULL, created_at INTEGER NOT NULL,
    decided_at INTEGER, seen_upto INTEGER NOT NULL DEFAULT 0);
CREATE INDEX reviews_queue ON reviews (urgency DESC, mail_date, id, thread_id) WHERE status = 'pending';
CREATE INDEX reviews_thread ON reviews (thread_id, run_id);
CREATE TABLE review_revisions (
    review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE, revision INTEGER NOT NULL, author TEXT NOT NULL,
    decision TEXT NOT NULL, category TEXT NOT NULL, confidence REAL NOT NULL, reason TEXT NOT NULL,
    maker TEXT NOT NULL, complete INTEGER NOT NULL, flag_count INTEGER NOT NULL, created_at INTEGER NOT NULL,
    elapsed_ms REAL NOT NULL, draft TEXT NOT NULL, request TEXT NOT NULL, detail TEXT NOT NULL,
    plan_hash TEXT NOT NULL, flags TEXT NOT NULL, sources TEXT NOT NULL, tools TEXT NOT NULL,
    PRIMARY KEY (review_id, revision));

-- Changes to make on a server. The schema enforces two rules: a marker is unique, and a review has at most one item that may
-- have been sent. `draft_message` is the message of the Gmail draft as we created it; `theirs` are drafts that somebody else
-- changed since. `doubted` are messages whose labels somebody else changed while a label change was being sent.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, review_id INTEGER NOT NULL,
    kind TEXT NOT NULL, state TEXT NOT NULL, thread_id INTEGER NOT NULL, gmail_thread_id TEXT NOT NULL,
    recipients TEXT NOT NULL, subject TEXT NOT NULL, sha256 TEXT NOT NULL, marker TEXT NOT NULL,
    expected_tip TEXT NOT NULL, created_at INTEGER NOT NULL, not_before INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', draft_id TEXT NOT NULL DEFAULT '',
    sent_gmail_id TEXT NOT NULL DEFAULT '', add_labels TEXT NOT NULL DEFAULT '',
    remove_labels TEXT NOT NULL DEFAULT '', message_gmail_ids TEXT NOT NULL DEFAULT '',
    worker TEXT NOT NULL DEFAULT '', lease_until INTEGER NOT NULL DEFAULT 0, doubted TEXT NOT NULL DEFAULT '',
    draft_message TEXT NOT NULL DEFAULT '', theirs TEXT NOT NULL DEFAULT '', retry_at INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX outbox_marker ON outbox (marker) WHERE marker <> '';
CREATE UNIQUE INDEX outbox_one_per_review ON outbox (review_id)
    WHERE review_id <> 0 AND kind <> 'modify' AND state <> 'cancelled';
CREATE INDEX outbox_due ON outbox (not_before)
    WHERE state IN ('queued', 'drafting', 'drafted', 'sending', 'uncertain');
CREATE TABLE outbox_mime (
    outbox_id INTEGER PRIMARY KEY REFERENCES outbox ON DELETE CASCADE, mime BLOB NOT NULL);
CREATE TABLE outbox_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT, outbox_id INTEGER NOT NULL REFERENCES outbox ON DELETE CASCADE,
    old TEXT NOT NULL, new TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX outbox_steps_item ON outbox_steps (outbox_id);
CREATE TABLE actions (
    key TEXT PRIMARY KEY, at INTEGER NOT NULL, undone_at INTEGER, before TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE action_items (
    key TEXT NOT NULL REFERENCES actions ON DELETE CASCADE,
    outbox_id INTEGER NOT NULL REFERENCES outbox ON DELETE CASCADE, PRIMARY KEY (key, outbox_id)) WITHOUT ROWID;
CREATE INDEX action_items_outbox ON action_items (outbox_id);
CREATE INDEX outbox_changes ON outbox (account_id, id)
    WHERE state = 'queued' AND kind IN ('modify', 'create_label');
CREATE INDEX outbox_held ON outbox (id) WHERE state = 'held';

-- Letters (mail written by hand) with files and text templates. `changes` counts changes of text and files; the Gmail draft
-- is up to date when `synced` has the same value. `chosen_gmail_id` is the message of another program's draft that the owner
-- chose to continue; it does not carry our marker. `remind_at` is when the conversation returns without a reply, `reminded` the
-- thread that did.
CREATE TABLE letters (
    id TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, kind TEXT NOT NULL,
    sender TEXT NOT NULL, to_list TEXT NOT NULL, cc_list TEXT NOT NULL, bcc_list TEXT NOT NULL,
    subject TEXT NOT NULL, body TEXT NOT NULL, marks TEXT NOT NULL, about_message INTEGER NOT NULL,
    quoted INTEGER NOT NULL, signed INTEGER NOT NULL, revision INTEGER NOT NULL, changes INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL DEFAULT 'open', outbox_id INTEGER NOT NULL DEFAULT 0, seen_tip TEXT NOT NULL DEFAULT '',
    marker TEXT NOT NULL UNIQUE, draft_id TEXT NOT NULL DEFAULT '', draft_gmail_id TEXT NOT NULL DEFAULT '',
    synced INTEGER NOT NULL DEFAULT 0, doubt INTEGER NOT NULL DEFAULT 0, adopted_id TEXT NOT NULL DEFAULT '',
    elsewhere TEXT NOT NULL DEFAULT '', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    chosen_gmail_id TEXT NOT NULL DEFAULT '', remind_at INTEGER NOT NULL DEFAULT 0,
    reminded INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX letters_remind ON letters (remind_at) WHERE remind_at <> 0;
CREATE INDEX letters_reminded ON letters (reminded) WHERE reminded <> 0;
CREATE INDEX letters_state ON letters (state, updated_at);
CREATE INDEX letters_outbox ON letters (outbox_id) WHERE outbox_id <> 0;
CREATE TABLE letter_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, letter_id TEXT NOT NULL REFERENCES letters ON DELETE CASCADE,
    name TEXT NOT NULL, mime_type TEXT NOT NULL, size INTEGER NOT NULL, source_gmail_id TEXT NOT NULL DEFAULT '',
    source_part TEXT NOT NULL DEFAULT '', data BLOB, taken_off INTEGER NOT NULL DEFAULT 0,
    inline INTEGER NOT NULL DEFAULT 0);
CREATE INDEX letter_files_letter ON letter_files (letter_id);
CREATE TABLE templates (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL, deleted_at INTEGER);
CREATE TABLE waiting_dismissed (
    message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE, at INTEGER NOT NULL);
CREATE INDEX letters_draft ON letters (draft_gmail_id) WHERE draft_gmail_id <> '';

-- Preferences, lessons (kept so that they can be undone) and corrected verdicts: `teachings` by decisions on reviews,
-- `corrections` by the owner's word about a message. `actions.before` has what the undo of a correction restores.
-- `owner_models` has what triage learned from an account's archive, made by weights of this `version`.
CREATE TABLE preferences (
    id INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, text TEXT NOT NULL,
    source_review INTEGER NOT NULL, created_at INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER, rule TEXT NOT NULL DEFAULT '', evidence TEXT NOT NULL DEFAULT '[]',
    typed INTEGER NOT NULL DEFAULT 0, confirmed INTEGER NOT NULL DEFAULT 1);
CREATE INDEX preferences_namespace ON preferences (namespace) WHERE deleted_at IS NULL;
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_key TEXT NOT NULL,
    review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE, preference_id INTEGER NOT NULL,
    before TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (memory_key, preference_id));
CREATE INDEX lessons_preference ON lessons (preference_id);
CREATE INDEX lessons_review ON lessons (review_id);
CREATE TABLE teachings (
    memory_key TEXT PRIMARY KEY, review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
    message_id INTEGER NOT NULL, sender TEXT NOT NULL, kind TEXT NOT NULL, decision TEXT NOT NULL,
    category TEXT NOT NULL, model_id TEXT NOT NULL, vector BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX teachings_sender ON teachings (sender, kind, at);
CREATE INDEX teachings_review ON teachings (review_id);
CREATE TABLE corrections (
    message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    preference_id INTEGER NOT NULL REFERENCES preferences ON DELETE CASCADE, decision TEXT NOT NULL,
    category TEXT NOT NULL, model_id TEXT NOT NULL, vector BLOB NOT NULL, at INTEGER NOT NULL);
CREATE INDEX corrections_preference ON corrections (preference_id);
CREATE TABLE owner_models (
    account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE, version TEXT NOT NULL, at INTEGER NOT NULL,
    examples INTEGER NOT NULL, answered INTEGER NOT NULL, strongest TEXT NOT NULL, model BLOB NOT NULL);

-- Requests to the assistant and the steps of their plans. `number` identifies the threads of mail that a request proposes.
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, text TEXT NOT NULL, status TEXT NOT NULL,
    files TEXT NOT NULL DEFAULT '', after TEXT NOT NULL DEFAULT '', scope TEXT NOT NULL DEFAULT '{}',
    maker TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, forgotten_at INTEGER);
CREATE INDEX requests_open ON requests (status) WHERE status IN ('planning', 'running', 'waiting');
CREATE TABLE request_steps (
    request INTEGER NOT NULL REFERENCES requests ON DELETE CASCADE, place INTEGER NOT NULL,
    capability TEXT NOT NULL, instruction TEXT NOT NULL, status TEXT NOT NULL, contract TEXT NOT NULL DEFAULT '',
    answer TEXT NOT NULL DEFAULT '', sources TEXT NOT NULL DEFAULT '', documents TEXT NOT NULL DEFAULT '',
    review_id INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '', attempt INTEGER NOT NULL DEFAULT 1,
    started_at INTEGER, ended_at INTEGER, PRIMARY KEY (request, place)) WITHOUT ROWID;
CREATE INDEX request_steps_review ON request_steps (review_id) WHERE review_id <> 0;

-- Imported mail archives. `seen` and `added` count the messages of the last reading.
CREATE TABLE archives (
    account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE, path TEXT NOT NULL, state TEXT NOT NULL,
    place TEXT NOT NULL, done_bytes INTEGER NOT NULL, total_bytes INTEGER NOT NULL, mails INTEGER NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0);
CREATE TABLE archive_places (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, gmail_id TEXT NOT NULL, file TEXT NOT NULL,
    start INTEGER NOT NULL, length INTEGER NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (account_id, gmail_id)) WITHOUT ROWID;

-- Drugs, stock and reservations of the pharmacy profile. `quantity` in `drug_stock` includes reserved packs; free packs are
-- computed from the reservations.
CREATE TABLE pharmacies (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE drugs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE, name TEXT NOT NULL, strength TEXT NOT NULL,
    form TEXT NOT NULL, package TEXT NOT NULL, substance TEXT NOT NULL, atc TEXT NOT NULL,
    prescription INTEGER NOT NULL, price_czk REAL, folded TEXT NOT NULL);
CREATE VIRTUAL TABLE drugs_fts USING fts5 (folded, content = 'drugs', content_rowid = 'id', tokenize = 'trigram');
CREATE TABLE drug_stock (
    drug_id INTEGER NOT NULL REFERENCES drugs ON DELETE CASCADE, pharmacy_id TEXT NOT NULL REFERENCES pharmacies,
    quantity INTEGER NOT NULL CHECK (quantity >= 0), PRIMARY KEY (drug_id, pharmacy_id)) WITHOUT ROWID;
CREATE TABLE reservations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT NOT NULL UNIQUE, drug_id INTEGER NOT NULL REFERENCES drugs,
    pharmacy_id TEXT NOT NULL REFERENCES pharmacies, quantity INTEGER NOT NULL CHECK (quantity > 0),
    patient_name TEXT NOT NULL, patient_email TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, cancelled_at INTEGER, account_id INTEGER NOT NULL, run_id TEXT NOT NULL,
    effect_key TEXT NOT NULL UNIQUE, cancel_key TEXT UNIQUE);
CREATE INDEX reservations_drug ON reservations (drug_id, pharmacy_id) WHERE cancelled_at IS NULL;
CREATE INDEX reservations_patient ON reservations (patient_email);

INSERT INTO mail_fts (mail_fts, rank) VALUES ('hashsize', 4194304);
INSERT INTO mail_fts (mail_fts, rank) VALUES ('automerge', 32);
INSERT INTO mail_fts (mail_fts, rank) VALUES ('crisismerge', 64);
