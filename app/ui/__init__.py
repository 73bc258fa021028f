"""The window process. The only package that imports Qt."""

import builtins
import sys
from importlib import import_module, machinery, util
from typing import Any

_AT_ONCE = ("shibokensupport", "shibokensupport.signature", "shibokensupport.signature.lib", "shibokensupport.signature.loader")
_ModuleSpec = machinery.ModuleSpec


def _spec(name: str, loader: Any) -> machinery.ModuleSpec:
    """The spec of a module of Shiboken. Those that describe wrong arguments are loaded at their first use."""
    return _ModuleSpec(name, loader if name in _AT_ONCE else util.LazyLoader(loader))


if "shiboken6" not in sys.modules:
    # Shiboken compiles these modules from their text at each start: 65 of 380 ms CPU before the first frame.
    vars(machinery)["ModuleSpec"] = _spec
    try:
        import_module("shiboken6")
    finally:
        vars(machinery)["ModuleSpec"] = _ModuleSpec
    mapping: Any = sys.modules.get("shibokensupport.signature.mapping")
    if mapping is not None:  # another version may have other modules
        # Shiboken takes this function from the module's names, which does not load the module.
        object.__setattr__(mapping, "update_mapping", lambda: mapping.Reloader().update())
import_module("PySide6")
# Where PySide came first (in tests), its own import function reads the source of each imported module.
builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
