"""The demo web, to try things on.

python -m pagekin.demo 8042    serves its twelve hosts at 127.0.0.1:8042, until Ctrl-C
python -m pagekin.demo web     writes its pages as files: web/HOST/PATH
"""

import contextlib
import sys
import threading
from pathlib import Path

from pagekin.demo.serving import serving
from pagekin.demo.web import write_sites
from pagekin.wording import option, speaking

if len(sys.argv) != 2:
    sys.exit(__doc__)
if sys.argv[1].isdigit():
    with serving(int(sys.argv[1])) as address, speaking("shell"), contextlib.suppress(KeyboardInterrupt):
        options = f"{option('allow_private')} {option('resolve', f'*={address}')}"
        print(f"the demo web is at {address}; to crawl it: {options} (Ctrl-C ends it)", flush=True)
        threading.Event().wait()
else:
    hosts = write_sites(Path(sys.argv[1]))
    print(f"wrote the demo web: {len(hosts)} hosts in {sys.argv[1]}/")
