"""What each method must reach: nDCG@10, a twentieth under what was measured when the floor was set.

They catch what breaks, and are no goal. `python -m leaderboard` prints the figures; a floor is raised by hand, with the
change that earned it.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from pagekin.evaluate.experiment import Evaluation

FLOORS = Path(__file__).with_name("floors.json")  # task → method → floor


def broken(task: str, made: Evaluation) -> Iterator[str]:
    """A line for each method below its floor, or gone."""
    reached = {row["method"]: row[f"nDCG@{made.k}"] for row in made}
    for method, floor in json.loads(FLOORS.read_text()).get(task, {}).items():
        if method not in reached:
            yield f"{task}: {method} has a floor and was not measured"
        elif reached[method] < floor:
            yield f"{task}: {method} reaches {reached[method]:.4f}, below its floor of {floor:.4f}"
