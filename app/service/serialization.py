"""Serialises graph states as JSON, in the forms that langgraph-sdk and LangServe read."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Interrupt, PregelTask, StateSnapshot

from app.domain.agents.tools import Json
from app.domain.record import Record, asdict


def wire(value: Any) -> Json:
    """`value` as JSON types. Raises `TypeError`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _whole(value.value if isinstance(value, Enum) else value)
    if isinstance(value, Mapping):
        return {_whole(str(key)): wire(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [wire(one) for one in value]
    return _object(value)


def _object(value: Any) -> Json:
    """The kinds of objects that a graph's state and stream hold."""
    if isinstance(value, BaseMessage):
        return wire(value.model_dump())
    if isinstance(value, Interrupt):
        return {"value": wire(value.value), "id": value.id}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Record):
        return wire(asdict(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: wire(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be sent")


def _whole(text: str) -> str:
    """Replaces lone surrogates, which clients do not accept."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def packed(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def event(name: str, data: Json) -> bytes:
    return b"event: " + name.encode() + b"\r\ndata: " + packed(data) + b"\r\n\r\n"


def thread_state(snapshot: StateSnapshot) -> dict[str, Json]:
    """A `ThreadState` of langgraph-sdk."""
    return {
        "values": wire(snapshot.values),
        "next": list(snapshot.next),
        "tasks": [_task(task) for task in snapshot.tasks],
        "interrupts": wire(snapshot.interrupts),
        "checkpoint": place(snapshot.config),
        "parent_checkpoint": place(snapshot.parent_config) if snapshot.parent_config else None,
        "metadata": wire(snapshot.metadata or {}),
        "created_at": snapshot.created_at,
    }


def place(config: RunnableConfig) -> dict[str, Json]:
    """A `Checkpoint` of langgraph-sdk. Its id is None when the thread has none yet."""
    where = config["configurable"]
    return {
        "thread_id": str(where["thread_id"]),
        "checkpoint_ns": str(where.get("checkpoint_ns", "")),
        "checkpoint_id": where.get("checkpoint_id"),
        "checkpoint_map": {},
    }


def _task(task: PregelTask) -> Json:
    return {
        "id": task.id,
        "name": task.name,
        "path": wire(task.path),
        "error": type(task.error).__name__ if task.error else None,
        "interrupts": wire(task.interrupts),
        "checkpoint": None,
        "state": None,
        "result": wire(task.result),
    }
