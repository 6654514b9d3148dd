"""The memory that one piece of work takes, measured in a process of its own."""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

# The share of free memory that a child may take before it ends with a MemoryError; without a limit the kernel would
# pick a process to kill, and might pick another.
SHARE = 0.8


@dataclass(frozen=True)
class Peak:
    """The peak memory beyond imports and inputs; if the work did not fit, the memory that was available."""

    megabytes: float
    fits: bool


def peak(work: str, *arguments: str) -> Peak:
    """The memory that `module:function` takes in a fresh process.

    The function prepares the inputs and returns the work as a function without arguments.
    """
    command = [sys.executable, "-m", "bench.memory", work, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return Peak(**json.loads(done.stdout))


def _measured(work: str, *arguments: str) -> Peak:
    module, _, name = work.partition(":")
    run = getattr(import_module(module), name)(*arguments)
    # This makes the kernel count the peak afresh. getrusage would not do: a child's ru_maxrss begins at its parent's.
    Path("/proc/self/clear_refs").write_text("5")
    before = _kilobytes("/proc/self/status", "VmRSS")
    room = int(SHARE * _kilobytes("/proc/meminfo", "MemAvailable"))
    limit = (_kilobytes("/proc/self/status", "VmData") + room) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        made = run()
    except MemoryError:
        return Peak(room / 1024, fits=False)
    used = _kilobytes("/proc/self/status", "VmHWM") - before
    del made  # not before: the result is part of the memory that the work takes
    return Peak(used / 1024, fits=True)


def _kilobytes(file: str, name: str) -> int:
    for line in Path(file).read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise OSError(f"{file} has no {name}; memory is measured on Linux only")


if __name__ == "__main__":
    print(json.dumps(asdict(_measured(*sys.argv[1:]))))
