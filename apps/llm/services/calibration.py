"""Learning how far an estimator is from what a model's provider counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.db import transaction

from apps.common.models import columns_of
from apps.common.reads import fetch_model
from apps.engine.pack.estimators import CountablePack, recount
from apps.engine.policy import Policy
from apps.engine.tokens.calibration import Calibration
from apps.llm.middleware.metering import OK, CallReport
from apps.llm.models import ModelCalibration
from apps.llm.providers.base import UsageSource
from apps.llm.tokenizers import estimator_of

_log = structlog.get_logger("continuity.llm")
_LOCK_UNLESS_LOCKED = f"""
SELECT {columns_of(ModelCalibration, "learned")} FROM llm_modelcalibration AS learned
WHERE workspace_id = %(workspace)s AND model = %(model)s AND estimator = %(estimator)s
FOR UPDATE SKIP LOCKED
"""  # noqa: S608  # the only inserted text is the names of columns


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Of one pack: what the provider counted, and what the estimator did."""

    model: str
    estimator: str
    reported: int
    estimated: int


def calibration_learn(*, pack: CountablePack, reports: Sequence[CallReport], policy: Policy) -> None:
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


def _lesson(pack: CountablePack, reports: Sequence[CallReport], policy: Policy) -> _Lesson | None:
    told = next((report for report in reversed(reports) if _is_told(report)), None)
    if told is None:
        return None
    estimator, usage = estimator_of(policy, told.model), told.usage
    reported = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    estimated = sum(recount(pack, estimator).values())
    return _Lesson(told.model, estimator.name, reported, estimated) if reported and estimated else None


def _is_told(report: CallReport) -> bool:
    return report.outcome == OK and report.usage.source is UsageSource.REPORTED


def _store(lesson: _Lesson) -> None:
    """A row that another turn has at hand is left to it: one call more or less does not matter."""
    of = {"model": lesson.model, "estimator": lesson.estimator}
    row = fetch_model(ModelCalibration, _LOCK_UNLESS_LOCKED, **of)
    if row is None:
        ModelCalibration.objects.bulk_create(
            [ModelCalibration(**of, **_columns(Calibration(), lesson))], ignore_conflicts=True
        )
        return
    calibration = Calibration(row.reported_tokens, row.estimated_tokens, row.calls, row.percent)
    columns = _columns(calibration, lesson)
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=(*columns, "updated_at"))


def _columns(calibration: Calibration, lesson: _Lesson) -> dict[str, int]:
    learned = calibration.after(lesson.reported, lesson.estimated)
    return {
        "reported_tokens": learned.reported,
        "estimated_tokens": learned.estimated,
        "calls": learned.calls,
        "percent": learned.percent,
    }
