"""`make eval DATA=…`: recall of retrieval and evidence coverage of packs, without any model.

The LoCoMo conversations of the file are imported into a temporary PostgreSQL and indexed by the product's jobs. Each
question of the categories 1 to 4 runs as a search, compared with three baseline rankings, and as the current message
of a pack, compared with a window of the newest messages of the same size. A budget that is too small for a question
counts as nothing found. For the questions of category 5, which have no answer, a search should find nothing relevant.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bench._in_process_stack import product
from studies.engine.abstention import Abstention
from studies.engine.coverage import Share
from studies.recall import Recalled, header
from studies.samples import CATEGORIES, Sample, file_named, samples_of
from studies.simulate import table

BUDGETS = (2_000, 4_000, 8_000, 12_000)
PREFIXES = {"find": "", "search": "search_"}
"""The rankings whose numbers are printed, and what the names of their numbers begin with."""


def main(arguments: Sequence[str]) -> int:
    path = file_named("eval", arguments)
    with product():
        # It imports models, so Django must be set up first.
        library = import_module("studies.retrieval_harness").Library(path)
        answers = Answers()
        for sample in samples_of(path):
            answers.take(sample, library.conversation(sample))
    print(answers.report())
    print(json.dumps({**answers.numbers(), "ms_per_turn": round(library.ms_per_turn, 3)}))
    return 0


class Answers:
    """Results of all questions so far: by ranking, and by budget of packs and windows."""

    def __init__(self) -> None:
        self.ranked: defaultdict[str, Recalled] = defaultdict(Recalled)
        self.packs: dict[int, Share] = dict.fromkeys(BUDGETS, Share())
        self.windows: dict[int, Share] = dict.fromkeys(BUDGETS, Share())
        self.abstention = Abstention()

    def take(self, sample: Sample, conversation: Any) -> None:
        print(f"{sample.name}: {len(sample.turns)} turns, {len(sample.questions)} questions", file=sys.stderr)
        texts = {name: turn.content for name, turn in sample.turns.items()}
        for question in sample.questions:
            for ranking in conversation.rankings(question.text):
                recalled = self.ranked[ranking.by]
                recalled.note(ranking.turns, question.evidence, question.category, texts)
                recalled.took_ms.append(ranking.took_ms)
        conversation.note_abstention(self.abstention)
        for budget in BUDGETS:
            pack, window = conversation.packed(budget)
            self.packs[budget] += pack
            self.windows[budget] += window

    def report(self) -> str:
        rows = [(by, *recalled.table_row(sorted(CATEGORIES))) for by, recalled in self.ranked.items()]
        packs = [
            (f"{budget:,}", f"{100 * self.packs[budget].value:.1f}", f"{100 * self.windows[budget].value:.1f}")
            for budget in BUDGETS
        ]
        found = table([header(sorted(CATEGORIES)), *rows])
        return f"{found}\n\n{table([('budget', 'in the pack', 'in the window'), *packs])}"

    def numbers(self) -> dict[str, float]:
        values = {
            f"{PREFIXES[by]}{name}": value
            for by, recalled in self.ranked.items()
            if by in PREFIXES
            for name, value in recalled.numbers().items()
        }
        for name, shares in (("pack", self.packs), ("window", self.windows)):
            values |= {f"{name}_coverage_{at // 1_000}k": round(share.value, 4) for at, share in shares.items()}
        return values | self.abstention.numbers()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
