"""A clock that stands until it is set."""


class Clock:
    """`clock()` is the time, `clock.now = 3` sets it."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
