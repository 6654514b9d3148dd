"""Documentation from Debian's packages: real sites, with the same navigation on every page."""

import subprocess
from pathlib import Path


def documentation(package: str, folder: Path) -> Path:
    """The `usr/share` of a package, downloaded and unpacked below a folder; an OSError if it cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    found = folder / "usr/share"
    if not found.is_dir():
        for command in (["apt-get", "download", package], ["sh", "-c", f"dpkg -x {package}_*.deb ."]):
            try:
                subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=300)
            except subprocess.SubprocessError as error:
                raise OSError(f"{package} cannot be had from the distribution: {error}") from error
        for packed in found.rglob(
            "*.html.gz"
        ):  # Debian packs changelogs, which are as long as all other pages together
            packed.unlink()
    return found
