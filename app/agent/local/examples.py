"""The seeds as the classifier learns from them: vectors, evidence, texts and verdicts, ready made in `examples.npz`.

A start reads one file and embeds nothing. Refuses a cache of another model, of other seeds, or of another number of
features: then everything is made again from the seeds.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.agent.local.evidence import as_vector, gather
from app.agent.local.seeds import SEED_ACCOUNT, Seed, as_mail, digest, load_seeds
from app.config.paths import resource
from app.domain.mail import Address
from app.domain.ports.agents import Embedder
from app.domain.triage import Category, Decision

CACHE = "examples.npz"
_NO_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Examples:
    """`vectors` (n, dimension) of unit length, `features` (n, features), and n texts and verdicts."""

    vectors: NDArray[np.float64]
    features: NDArray[np.float64]
    texts: tuple[str, ...]
    verdicts: tuple[tuple[Decision, Category], ...]


def load_examples(embedder: Embedder, folder: Path | None = None) -> Examples:
    """From the cache where it fits, else made now (some seconds). Raises `BadFile`."""
    place = folder or resource("seeds")
    return _cached(place / CACHE, _stamp(embedder, place)) or make(load_seeds(place), embedder)


def make(seeds: Sequence[Seed], embedder: Embedder) -> Examples:
    """Embed and look at each seed."""
    vectors = np.asarray(embedder.embed([seed.text for seed in seeds]), dtype=np.float64)
    features = np.asarray([_features(seed) for seed in seeds], dtype=np.float64)
    verdicts = tuple((seed.decision, seed.category) for seed in seeds)
    return Examples(vectors, features, tuple(seed.text for seed in seeds), verdicts)


def regenerate(embedder: Embedder, folder: Path | None = None) -> Path:
    """Make the cache anew; the same seeds and code give the same bytes. For the makers of the program."""
    place = folder or resource("seeds")
    made = make(load_seeds(place), embedder)
    told = json.dumps({"texts": made.texts, "verdicts": made.verdicts}, ensure_ascii=False).encode()
    arrays: dict[str, NDArray[np.generic]] = {
        "vectors": made.vectors.astype(np.float16),
        "features": made.features.astype(np.float32),
        "told": np.frombuffer(told, dtype=np.uint8),
        "stamp": np.asarray([_stamp(embedder, place)]),
    }
    with zipfile.ZipFile(place / CACHE, "w") as archive:
        for name, values in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, values, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _NO_DATE), buffer.getvalue(), zipfile.ZIP_DEFLATED)
    return place / CACHE


def _features(seed: Seed) -> tuple[float, ...]:
    message, thread, contact = as_mail(seed)
    return as_vector(gather(message, thread, SEED_ACCOUNT, contact, seed.text))


def _stamp(embedder: Embedder, folder: Path) -> str:
    one_seed = Seed(Decision.IGNORE, Category.OTHER, "en", "", "", Address(SEED_ACCOUNT.email), frozenset())
    return f"{embedder.model_id}:{embedder.dimension}:{len(_features(one_seed))}:{digest(folder)}"


def _cached(path: Path, stamp: str) -> Examples | None:
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as stored:
        if str(stored["stamp"][0]) != stamp:
            return None
        vectors: NDArray[np.float64] = stored["vectors"].astype(np.float64)
        features: NDArray[np.float64] = stored["features"].astype(np.float64)
        told = json.loads(stored["told"].tobytes())
    verdicts = tuple((Decision(one), Category(two)) for one, two in told["verdicts"])
    unit: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Examples(unit, features, tuple(told["texts"]), verdicts)
