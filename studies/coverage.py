"""`make evidence FILE=…`: how much of what questions need stands in packs, beside plain windows of the newest messages.

The file holds LoCoMo's conversations, with questions and the turns that answer them. Each conversation is played with
offline folding, a pack for each turn, as a server would build them; then every question of the categories 1 to 4 is
asked as the current message.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean

from apps.engine.messages.message import Role
from apps.engine.pack.builder import window_pack
from apps.engine.pack.context_pack import ContextPack, Epoch
from apps.engine.pack.layer_sizes import fixed_tokens, negotiated, stretch_of
from apps.engine.pack.layers import Layer
from apps.engine.pack.provider_formats import render_plain
from apps.engine.pack.stable_prefix import pieces_of, stability
from apps.engine.policy import Policy
from studies.engine.coverage import Share, evidence_in
from studies.engine.replay import Replay
from studies.samples import Sample, file_named, samples_of
from studies.simulate import table

BUDGETS = (2_000, 4_000, 8_000, 12_000)
STABILITY_BUDGETS = (4_000, 12_000)
_FIRST_TURN = 10


@dataclass(slots=True)
class Findings:
    """Of all questions at one budget."""

    pack: Share = field(default_factory=Share)
    window: Share = field(default_factory=Share)
    history_window: Share = field(default_factory=Share)
    strategies: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ratio(self) -> float | None:
        """Nothing where the window finds nothing: no pack is compared with that."""
        return self.pack.value / self.history_window.value if self.history_window.value else None


def main(arguments: Sequence[str]) -> int:
    samples = list(samples_of(file_named("evidence", arguments)))
    found = {budget: Findings() for budget in BUDGETS}
    shares: dict[int, list[float]] = {budget: [] for budget in STABILITY_BUDGETS}
    for sample in samples:
        for budget in BUDGETS:
            replay, epoch, stable = played(sample, budget)
            shares.get(budget, []).extend(stable)
            ask(sample, replay, epoch, budget, found[budget])
        print(f"{sample.name}: {len(sample.turns)} turns, {len(sample.questions)} questions", file=sys.stderr)
    print(report(found))
    print(json.dumps(numbers(found, shares)))
    return 0


def played(sample: Sample, budget: int) -> tuple[Replay, Epoch | None, list[float]]:
    """The conversation to its end with the last epoch, and how stable each pack was from the tenth turn on."""
    replay, stable = Replay(Policy()), list[float]()
    before: ContextPack | None = None
    runs = turn = 0
    for message in sample.turns.values():
        role = Role(message.role)
        replay.say(role, message.content, message.name)
        if role is not Role.USER:
            continue
        turn += 1
        pack = replay.pack(budget, before.epoch if before and runs == replay.runs else None)
        if before and turn > _FIRST_TURN and runs == replay.runs:
            stable.append(stability(pieces_of(before)[:-1], pieces_of(pack)).share)
        before, runs = pack, replay.runs
    return replay, before.epoch if before and runs == replay.runs else None, stable


def ask(sample: Sample, replay: Replay, epoch: Epoch | None, budget: int, found: Findings) -> None:
    for question in sample.questions:
        turns = [sample.turns[name].content for name in question.evidence]
        sources = replay.sources(question.text)
        pack = replay.pack(budget, epoch, question.text)
        granted = negotiated(sources, stretch_of(sources, replay.policy), budget).granted(Layer.HISTORY)
        plain = replay.window(question.text)
        whole = window_pack(plain, budget, replay.policy)
        history = window_pack(plain, granted + sum(fixed_tokens(plain).values()), replay.policy)
        found.pack += evidence_in(render_plain(pack), turns)
        found.window += evidence_in(render_plain(whole), turns)
        found.history_window += evidence_in(render_plain(history), turns)
        found.strategies[pack.epoch.strategy.value] += 1
        for part, tokens in pack.tokens.items():
            found.tokens[part].append(tokens)


def report(found: dict[int, Findings]) -> str:
    header = ("budget", "pack", "window", "L6 window", "pack / L6 window", *found[BUDGETS[0]].tokens, "strategies")
    rows = [
        (
            f"{budget:,}",
            *(f"{share.value:.3f}" for share in (one.pack, one.window, one.history_window)),
            "–" if one.ratio is None else f"{one.ratio:.2f}",
            *(f"{mean(tokens):,.0f}" for tokens in one.tokens.values()),
            ", ".join(f"{name} {count}" for name, count in sorted(one.strategies.items())),
        )
        for budget, one in found.items()
    ]
    return table([header, *rows])


def numbers(found: dict[int, Findings], shares: dict[int, list[float]]) -> dict[str, float | None]:
    told: dict[str, float | None] = {}
    for kind in ("pack", "window", "history_window"):
        told |= {f"evidence_{kind}_{_k(budget)}": round(getattr(one, kind).value, 4) for budget, one in found.items()}
    ratios = {budget: one.ratio for budget, one in found.items()}
    told |= {f"evidence_ratio_{_k(at)}": None if ratio is None else round(ratio, 4) for at, ratio in ratios.items()}
    return told | {f"prefix_stable_share_{_k(budget)}": round(mean(all_), 4) for budget, all_ in shares.items()}


def _k(budget: int) -> str:
    return f"{budget // 1_000}k"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
