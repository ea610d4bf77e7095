"""Review of a model's summary: whether it is accepted, and which lost lines are restored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.compaction.summarizers.parse import Sources, removed_lines, summary_of
from apps.compaction.summarizers.prompt import SummaryRequest, input_tokens, note_labels, source_labels
from apps.compaction.summarizers.schema import SummaryAnswer
from apps.engine.summary.carry_over import (
    Notes,
    RemovalReason,
    RemovedLine,
    ReportedRemovals,
    credible_removals,
    lost_lines,
    removed_line,
    with_lost,
)
from apps.engine.summary.quality_gate import Replacement, summary_problem
from apps.engine.summary.rolling_summary import Entry, RollingSummary
from apps.engine.summary.trust.attribution import attributed
from apps.engine.summary.trust.prompt_injection import without_orders
from apps.llm.structured.structured_output import NotAcceptable


def notes_accepted(fold: SummaryRequest, answer: SummaryAnswer, *, last: bool) -> Notes:
    """Raises `NotAcceptable`. On the last try single faults are mended instead: lines that give orders to a model are
    omitted, and forgotten decisions and names are restored."""
    written = summary_of(answer, Sources.of(source_labels(fold)), fold.policy)
    proposed = without_orders(written) if last else written
    reported = credible_removals(removed_lines(answer, fold), proposed, fold.policy)
    _check(fold, proposed, reported)
    lost = lost_lines(fold.current, proposed, reported)
    if lost and not last:
        raise NotAcceptable(_forgotten(fold, lost))
    settled = with_lost(proposed, lost, fold.policy)
    if any(entry not in getattr(settled, field) for field, entry in lost):
        raise NotAcceptable("More lines of the present notes are forgotten than can be put back.")
    _check(fold, settled, reported)
    return Notes(attributed(settled, fold.messages, fold.current), (*reported.values(), *_left_out(written, proposed)))


def _check(fold: SummaryRequest, proposed: RollingSummary, reported: ReportedRemovals) -> None:
    if problem := summary_problem(Replacement(fold.current, proposed, input_tokens(fold), reported)):
        raise NotAcceptable(str(problem), problem.why)


def _left_out(written: RollingSummary, proposed: RollingSummary) -> Iterator[RemovedLine]:
    """The rejected lines that instruct a model, so that each is reported."""
    kept = {entry for _, entry in proposed.entries()}
    for field, entry in written.entries():
        if entry not in kept:
            yield removed_line(field, entry, RemovalReason.INSTRUCTION, entry.sources)


def _forgotten(fold: SummaryRequest, lost: Sequence[tuple[str, Entry]]) -> str:
    labels = [label for label, line in note_labels(fold.current).items() if line in lost]
    return f"These lines of the present notes neither stand in yours nor are named in `gone`: {', '.join(labels)}."
