"""Abstention: whether searches find something for questions with an answer, and nothing for those without one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Abstention:
    """Counts of questions with an answer that were answered, and of those without one that were not."""

    answerable: int = 0
    answered: int = 0
    unanswerable: int = 0
    abstained: int = 0

    def note(self, *, is_answerable: bool, is_found: bool) -> None:
        self.answerable += is_answerable
        self.answered += is_answerable and is_found
        self.unanswerable += not is_answerable
        self.abstained += not is_answerable and not is_found

    def numbers(self) -> dict[str, float]:
        shares = (
            ("answered", self.answered, self.answerable),
            ("abstained", self.abstained, self.unanswerable),
        )
        return {name: round(part / whole, 4) for name, part, whole in shares if whole}
