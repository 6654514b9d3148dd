"""Documentation from Debian's packages: real sites, with the same navigation on every page."""

import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest


def unpacked(package: str, folder: Path, only: Iterable[str] = ()) -> Path:
    """The documentation folder of a package, unpacked below a folder; a skip with the reason where it cannot be had.

    `only`: the files to unpack, or patterns of them, which takes less time than to write thousands.
    """
    files = " ".join(shlex.quote(f"./{name}") for name in only)
    unpack = (
        f"dpkg --fsys-tarfile {package}_*.deb | tar -x --wildcards {files}" if files else f"dpkg -x {package}_*.deb ."
    )
    for command in (["apt-get", "download", package], ["sh", "-c", unpack]):
        try:
            subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=600)
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"{package} cannot be had from the distribution: {error}")
    return folder / "usr/share/doc"
