"""The window process. The only package that imports Qt."""

import builtins
import enum
import sys
from importlib import import_module, machinery, util
from typing import Any

_AT_ONCE = ("shibokensupport", "shibokensupport.signature", "shibokensupport.signature.lib", "shibokensupport.signature.loader")
_ModuleSpec = machinery.ModuleSpec
_create = vars(enum.EnumType)["_create_"]


def _spec(name: str, loader: Any) -> machinery.ModuleSpec:
    """The spec of a module of Shiboken. Those that describe wrong arguments are loaded at their first use."""
    return _ModuleSpec(name, loader if name in _AT_ONCE else util.LazyLoader(loader))


def _create_quickly(cls: Any, class_name: str, names: Any, boundary: Any = None, module: Any = None, **more: Any) -> Any:
    """`EnumType._create_`. Shiboken's lists of names and numbers become members without a check of each."""
    how = {**more, "boundary": boundary, "module": module or sys._getframe(2).f_globals.get("__name__")}
    if boundary is not enum.KEEP or not isinstance(names, list):
        return _create(cls, class_name, names, **how)
    made = _create(cls, class_name, (), **how)
    by_name, by_value, listed, flags = made._member_map_, made._value2member_map_, made._member_names_, issubclass(cls, enum.Flag)
    mask = singles = 0
    for key, value in names:
        single = bool(value) and not value & (value - 1)
        member = by_value.get(value)
        if member is None:
            member = made._new_member_(made, *([value] if made._use_args_ else ()))
            vars(member).update(_value_=value, _name_=key, __objclass__=made, _sort_order_=len(listed))
            by_value[value] = member
            if single or not flags:
                listed.append(key)
        mask, singles = mask | value, singles | value * single
        by_name[key] = member
        type.__setattr__(made, key, member)
    if flags:
        found = {"_flag_mask_": mask, "_singles_mask_": singles, "_all_bits_": 2 ** mask.bit_length() - 1}
        if (order := [by_name[key]._value_ for key in listed]) != sorted(order):
            found["_iter_member_"] = made._iter_member_by_def_
        for key, value in found.items():
            type.__setattr__(made, key, value)
    return made


# Qt's 5,000 names of numbers took 0.11 of 0.85 s CPU until the window can be used, and 35 ms before the first frame.
type.__setattr__(enum.EnumType, "_create_", _create_quickly)
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
