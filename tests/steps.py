"""Counts the work of a function in lines of Python that it runs: neither time nor a busy machine matters."""

import sys
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any


def lines_run(modules: ModuleType | tuple[ModuleType, ...], call: Callable[..., Any], *arguments: Any) -> int:
    """How many lines of these modules a call runs; an exception ends it and is passed over."""
    files = {module.__file__ for module in (modules if isinstance(modules, tuple) else (modules,))}
    counted = 0
    known: dict[CodeType, bool] = {}

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        if event == "line":
            counted += 1
            return trace
        code = frame.f_code
        if code not in known:
            known[code] = code.co_filename in files
        return trace if known[code] else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call(*arguments)
    except Exception:
        pass
    finally:
        sys.settrace(before)
    return counted
