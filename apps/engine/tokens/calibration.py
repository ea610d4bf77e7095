"""Calibration of a token estimator against the counts that a provider reports."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_CALLS = 5
"""With fewer calls the estimate is not reliable."""
MOST_CALLS = 50
"""From here on older calls weigh half, so that a change of the model shows."""

_LEAST_PERCENT, _MOST_PERCENT = 50, 300
_STEP = 5
# Beyond the middle between two steps, so that a ratio on a border does not change every pack.
_CLEARLY = 4


@dataclass(frozen=True, slots=True)
class Calibration:
    """Sums over calls: the tokens that were `reported`, and those `estimated` of the same packs; what follows."""

    reported: int = 0
    estimated: int = 0
    calls: int = 0
    percent: int = 100

    def after(self, reported: int, estimated: int) -> Calibration:
        """With one call more.

        >>> learned = Calibration()
        >>> for _ in range(5):
        ...     learned = learned.after(reported=1_180, estimated=1_000)
        >>> learned
        Calibration(reported=5900, estimated=5000, calls=5, percent=120)
        """
        old = self._faded() if self.calls >= MOST_CALLS else self
        reported, estimated, calls = old.reported + reported, old.estimated + estimated, old.calls + 1
        return Calibration(reported, estimated, calls, _percent(reported, estimated, calls, old.percent))

    def _faded(self) -> Calibration:
        return Calibration(self.reported // 2, self.estimated // 2, self.calls // 2, self.percent)


def _percent(reported: int, estimated: int, calls: int, held: int) -> int:
    if calls < LEAST_CALLS or estimated == 0:
        return 100
    found = min(max(100 * reported // estimated, _LEAST_PERCENT), _MOST_PERCENT)
    if calls > LEAST_CALLS and abs(found - held) < _CLEARLY:
        return held
    return (found + _STEP // 2) // _STEP * _STEP
