"""The style sheet, which stands in every page: nothing is painted before a browser has it, and it would ask once more.

The policy names its hash, so that no other style in a page counts.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

STYLE = (Path(__file__).parent / "static" / "style.css").read_text(encoding="utf-8")
HASH = f"sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}"
