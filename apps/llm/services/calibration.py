"""Calibration of token estimators from the counts that providers report."""

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
"""  # noqa: S608  # only column names are interpolated


@dataclass(frozen=True, slots=True)
class _Sample:
    """The provider's count and the estimate of one pack."""

    model: str
    estimator: str
    reported: int
    estimated: int


def calibration_learn(*, pack: CountablePack, reports: Sequence[CallReport], policy: Policy) -> None:
    """Update the calibration from a pack's reported tokens, if any. Inside a unit of work, as its last write.

    It never fails or waits: a sample that cannot be stored at once is dropped.
    """
    try:
        sample = _sample(pack, reports, policy)
        if sample is not None:
            with transaction.atomic():
                _store(sample)
    except Exception as error:
        _log.warning("calibration.not_learned", error=type(error).__name__)


def _sample(pack: CountablePack, reports: Sequence[CallReport], policy: Policy) -> _Sample | None:
    report = next(filter(_has_reported_usage, reversed(reports)), None)
    if report is None:
        return None
    estimator, usage = estimator_of(policy, report.model), report.usage
    reported = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    estimated = sum(recount(pack, estimator).values())
    return _Sample(report.model, estimator.name, reported, estimated) if reported and estimated else None


def _has_reported_usage(report: CallReport) -> bool:
    return report.outcome == OK and report.usage.source is UsageSource.REPORTED


def _store(sample: _Sample) -> None:
    """Store a sample. A row that another transaction has locked is skipped: a single sample does not matter."""
    key = {"model": sample.model, "estimator": sample.estimator}
    row = fetch_model(ModelCalibration, _LOCK_UNLESS_LOCKED, **key)
    if row is None:
        ModelCalibration.objects.bulk_create(
            [ModelCalibration(**key, **_columns(Calibration(), sample))], ignore_conflicts=True
        )
        return
    calibration = Calibration(row.reported_tokens, row.estimated_tokens, row.calls, row.percent)
    columns = _columns(calibration, sample)
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=(*columns, "updated_at"))


def _columns(calibration: Calibration, sample: _Sample) -> dict[str, int]:
    learned = calibration.after(sample.reported, sample.estimated)
    return {
        "reported_tokens": learned.reported,
        "estimated_tokens": learned.estimated,
        "calls": learned.calls,
        "percent": learned.percent,
    }
