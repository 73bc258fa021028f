"""The window process. The only package that imports Qt."""

import builtins
from importlib import import_module

import_module("PySide6")
# PySide's own import function reads the source of each imported module, for a switch that we do not use: 0.14 of 1.27 s until
# the window can be used.
builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
