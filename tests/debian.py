"""Documentation from Debian's packages: real sites, with the same navigation on every page."""

import subprocess
from pathlib import Path

import pytest


def unpacked(package: str, folder: Path) -> Path:
    """The documentation folder of a package, unpacked below a folder; a skip with the reason where it cannot be had."""
    for command in (["apt-get", "download", package], ["sh", "-c", f"dpkg -x {package}_*.deb ."]):
        try:
            subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=120)
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"{package} cannot be had from the distribution: {error}")
    return folder / "usr/share/doc"
