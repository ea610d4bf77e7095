"""`make evidence FILE=…`: evidence coverage of packs, compared with plain windows of the newest messages.

The file has LoCoMo conversations with questions and the turns that answer them. Each conversation is replayed with
offline compaction and a pack per turn; then every question of the categories 1 to 4 becomes the current message.
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
from apps.engine.pack.layer_sizes import fixed_tokens, live_span_of, negotiated
from apps.engine.pack.layers import Layer
from apps.engine.pack.negotiation import BudgetExceeded
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
    """Results of all questions at one budget."""

    pack: Share = field(default_factory=Share)
    window: Share = field(default_factory=Share)
    history_window: Share = field(default_factory=Share)
    strategies: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ratio(self) -> float | None:
        """Coverage of packs relative to windows; none if the windows cover nothing."""
        return self.pack.value / self.history_window.value if self.history_window.value else None


def main(arguments: Sequence[str]) -> int:
    samples = list(samples_of(file_named("evidence", arguments)))
    findings = {budget: Findings() for budget in BUDGETS}
    shares: dict[int, list[float]] = {budget: [] for budget in STABILITY_BUDGETS}
    for sample in samples:
        for budget in BUDGETS:
            replay, epoch, stable = replay_sample(sample, budget)
            shares.get(budget, []).extend(stable)
            evaluate_questions(sample, replay, epoch, budget, findings[budget])
        print(f"{sample.name}: {len(sample.turns)} turns, {len(sample.questions)} questions", file=sys.stderr)
    print(report(findings))
    print(json.dumps(numbers(findings, shares)))
    return 0


def replay_sample(sample: Sample, budget: int) -> tuple[Replay, Epoch | None, list[float]]:
    """Replay a conversation; return it with its last epoch and the stability of each pack from the tenth turn on.

    A turn that the budget is too small for has no pack.
    """
    replay, stable = Replay(Policy()), list[float]()
    before: ContextPack | None = None
    runs = turn = 0
    for message in sample.turns.values():
        role = Role(message.role)
        replay.add(role, message.content, message.name)
        if role is not Role.USER:
            continue
        turn += 1
        try:
            pack = replay.pack(budget, before.epoch if before and runs == replay.runs else None)
        except BudgetExceeded:
            before = None
            continue
        if before and turn > _FIRST_TURN and runs == replay.runs:
            stable.append(stability(pieces_of(before)[:-1], pieces_of(pack)).share)
        before, runs = pack, replay.runs
    return replay, before.epoch if before and runs == replay.runs else None, stable


def evaluate_questions(sample: Sample, replay: Replay, epoch: Epoch | None, budget: int, findings: Findings) -> None:
    for question in sample.questions:
        turns = [sample.turns[name].content for name in question.evidence]
        sources = replay.sources(question.text)
        pack = replay.pack(budget, epoch, question.text)
        granted = negotiated(sources, live_span_of(sources, replay.policy), budget).granted(Layer.HISTORY)
        plain = replay.window(question.text)
        whole = window_pack(plain, budget, replay.policy)
        history = window_pack(plain, granted + sum(fixed_tokens(plain).values()), replay.policy)
        findings.pack += evidence_in(render_plain(pack), turns)
        findings.window += evidence_in(render_plain(whole), turns)
        findings.history_window += evidence_in(render_plain(history), turns)
        findings.strategies[pack.epoch.strategy.value] += 1
        for part, tokens in pack.tokens.items():
            findings.tokens[part].append(tokens)


def report(findings: dict[int, Findings]) -> str:
    header = ("budget", "pack", "window", "L6 window", "pack / L6 window", *findings[BUDGETS[0]].tokens, "strategies")
    rows = [
        (
            f"{budget:,}",
            *(f"{share.value:.3f}" for share in (one.pack, one.window, one.history_window)),
            "–" if one.ratio is None else f"{one.ratio:.2f}",
            *(f"{mean(tokens):,.0f}" for tokens in one.tokens.values()),
            ", ".join(f"{name} {count}" for name, count in sorted(one.strategies.items())),
        )
        for budget, one in findings.items()
    ]
    return table([header, *rows])


def numbers(findings: dict[int, Findings], shares: dict[int, list[float]]) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for kind in ("pack", "window", "history_window"):
        values |= {
            f"evidence_{kind}_{_k(budget)}": round(getattr(one, kind).value, 4) for budget, one in findings.items()
        }
    ratios = {budget: one.ratio for budget, one in findings.items()}
    values |= {f"evidence_ratio_{_k(at)}": None if ratio is None else round(ratio, 4) for at, ratio in ratios.items()}
    return values | {f"prefix_stable_share_{_k(budget)}": round(mean(all_), 4) for budget, all_ in shares.items()}


def _k(budget: int) -> str:
    return f"{budget // 1_000}k"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
