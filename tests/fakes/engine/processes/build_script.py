"""Loads build scripts, which are not in a package, as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def loaded_script(path: Path) -> ModuleType:
    """Loads the script at `path` under a unique module name. It can import its neighbours, as when it is run."""
    spec = importlib.util.spec_from_file_location(f"{path.stem}_under_test", path)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
