"""Learning how far an estimator is from what a model's provider counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.db.models import QuerySet

from apps.common.prepared_queries import first, kept
from apps.common.rows import row_update
from apps.engine.pack.estimators import Counted, recounted
from apps.engine.policy import Policy
from apps.engine.tokens.calibration import Calibration
from apps.llm.middleware.metering import OK, CallReport
from apps.llm.models import ModelCalibration
from apps.llm.providers.base import UsageSource
from apps.llm.tokenizers import estimator_of

_log = structlog.get_logger("continuity.llm")


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Of one pack: what the provider counted, and what the estimator did."""

    model: str
    estimator: str
    reported: int
    estimated: int


def calibration_learn(*, pack: Counted, reports: Sequence[CallReport], policy: Policy) -> None:
    """Take in what the provider said of a pack, if it did. Inside a unit, as the last of its writes.

    It is never worth a failure or a wait: what cannot be stored at once is left out.
    """
    try:
        lesson = _lesson(pack, reports, policy)
        if lesson is not None:
            with transaction.atomic():
                _store(lesson)
    except Exception as error:
        _log.warning("calibration.not_learned", error=type(error).__name__)


def _lesson(pack: Counted, reports: Sequence[CallReport], policy: Policy) -> _Lesson | None:
    told = next((report for report in reversed(reports) if _is_told(report)), None)
    if told is None:
        return None
    estimator, usage = estimator_of(policy, told.model), told.usage
    reported = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    estimated = sum(recounted(pack, estimator).values())
    return _Lesson(told.model, estimator.name, reported, estimated) if reported and estimated else None


def _is_told(report: CallReport) -> bool:
    return report.outcome == OK and report.usage.source is UsageSource.REPORTED


def _store(lesson: _Lesson) -> None:
    """A row that another turn has at hand is left to it: one call more or less does not matter."""
    of = {"model": lesson.model, "estimator": lesson.estimator}
    row = first(_free(lesson.model, lesson.estimator))
    if row is None:
        ModelCalibration.objects.bulk_create(
            [ModelCalibration(**of, **_columns(Calibration(), lesson))], ignore_conflicts=True
        )
        return
    held = Calibration(row.reported_tokens, row.estimated_tokens, row.calls, row.percent)
    columns = _columns(held, lesson)
    for name, value in columns.items():
        setattr(row, name, value)
    row_update(row, (*columns, "updated_at"))


@kept
def _free(model: str, estimator: str) -> QuerySet[ModelCalibration]:
    return ModelCalibration.objects.select_for_update(skip_locked=True).filter(model=model, estimator=estimator)


def _columns(held: Calibration, lesson: _Lesson) -> dict[str, int]:
    learned = held.after(lesson.reported, lesson.estimated)
    return {
        "reported_tokens": learned.reported,
        "estimated_tokens": learned.estimated,
        "calls": learned.calls,
        "percent": learned.percent,
    }
