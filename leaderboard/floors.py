"""What each method must reach, a twentieth under what was measured when the floor was set.

Floors catch what breaks; they are no goals. One is raised by hand, with the change that earned it.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from pagekin.evaluate.experiment import Evaluation

FLOORS = Path(__file__).with_name("floors.json")  # number of questions drawn → task → method → floor of nDCG@10


def broken(task: str, made: Evaluation, questions: int) -> Iterator[str]:
    """A line for each method that is below its floor, or gone."""
    reached = {row["method"]: row[f"nDCG@{made.k}"] for row in made}
    for method, floor in json.loads(FLOORS.read_text()).get(str(questions), {}).get(task, {}).items():
        if method not in reached:
            yield f"{task}: {method} has a floor and was not measured"
        elif reached[method] < floor:
            yield f"{task}: {method} reaches {reached[method]:.4f}, below its floor of {floor:.4f}"
