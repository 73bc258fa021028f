"""What a search by meaning takes, over the mail of the pictures: the real model and a real Chroma."""

from app.agent.retrieval import NEAR, MiniLm, PassageCache, mail_text, near_enough
from app.config.paths import DataFolder
from app.domain.ids import MessageId
from app.domain.mail.quotes import newest_part
from app.engine.runtime.tables import Tables
from app.engine.search.indexer import INDEX
from app.engine.search.semantic_search import SemanticModels
from app.store.search.vectors import VectorKind, Vectors


def wits_over(folder: DataFolder, tables: Tables, share: float) -> SemanticModels:
    """A `share` of the mail that waits is indexed."""
    model = MiniLm.open()
    vectors = Vectors.open(folder.chroma, model.model_id, model.dimension)
    waiting = tables.jobs.counts().get(INDEX, 0)
    jobs = tables.jobs.claim_many(INDEX, 900.0, round(share * waiting))
    found = tables.messages.many([MessageId(int(one.key)) for one in jobs])
    for one in found.values():
        vector = model.embed([mail_text(one.subject, newest_part(one.body_text))])[0]
        vectors.upsert(one.account_id, [(one.id, vector, VectorKind.OTHER)])
    tables.jobs.done(*(one.id for one in jobs))
    return SemanticModels(model, vectors, PassageCache(model), near_enough, NEAR, model.question)
