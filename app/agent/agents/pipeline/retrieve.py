"""Node `retrieve`: finds similar mail and the owner's earlier replies as context, by id.

Only messages that a correspondent of the mail already has, and the owner's own replies.
"""

import asyncio
import re
from itertools import islice

from app.agent.agents.pipeline.classify import embed
from app.agent.drafting.sources import Ref, RefKind
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, Update, message_id_of
from app.domain.mail.message import Message
from app.domain.mail.recipients import own_addresses
from app.domain.policy.red_flags import readers

SIMILAR_ASKED = 16
SIMILAR_KEPT = 3
OWN_REPLIES_KEPT = 3
LEAST_SIMILAR = 0.35
"""Least cosine similarity of context."""

SECRET_MAIL = re.compile(
    r"(?:verification|security|login|sign[- ]in) code|one[- ]time (?:code|password|passcode)|\botp\b|two[- ]factor|\b2fa\b"
    r"|reset (?:your|the) password|password reset|bestätigungscode|anmeldecode|passwort zurücksetzen|ověřovací kód|obnovení hesla"
    r"|código de verificación|code de vérification|mot de passe oublié",
    re.IGNORECASE,
)

SECRET_SIGNS = ("code", "kód", "cód", "pass", "hesla", "otp", "2fa", "factor")
"""Every match of the pattern contains one of these casefolded strings. Looking for them first takes a tenth of the time. None
contains an i: Turkish has two, which the pattern takes as one.
"""


async def retrieve(state: MailState, deps: Deps) -> Update:
    """Finds the context, most similar first. Empty when the index is empty."""
    message, corpus = deps.corpus.message(message_id_of(state)), deps.corpus
    account_id, thread_id = message.account_id, message.thread_id
    vector = await embed(message, deps)
    similar = await asyncio.to_thread(corpus.similar, account_id, vector, SIMILAR_ASKED, thread_id)
    replies = await asyncio.to_thread(corpus.own_replies, account_id, vector, OWN_REPLIES_KEPT * 2, thread_id)
    correspondents = readers(message) - own_addresses(corpus.account(account_id))
    near = (
        Ref(RefKind.MESSAGE, one.id, score=score)
        for one, score in similar
        if score >= LEAST_SIMILAR and readers(one) & correspondents and not secret(one)
    )
    own = (
        Ref(RefKind.OWN_REPLY, one.answer.id, one.question.id, one.similarity)
        for one in replies
        if one.similarity >= LEAST_SIMILAR and not secret(one.question) and not secret(one.answer)
    )
    return {"context": [str(ref) for ref in (*islice(near, SIMILAR_KEPT), *islice(own, OWN_REPLIES_KEPT))]}


def secret(message: Message) -> bool:
    """Whether the message holds a login code or a password reset."""
    text = f"{message.subject}\n{message.body_text[:2000]}"
    folded = text.casefold()
    return any(sign in folded for sign in SECRET_SIGNS) and SECRET_MAIL.search(text) is not None
