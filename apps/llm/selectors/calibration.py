"""The estimator that counts for a model, with what was learned of it."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import QuerySet

from apps.common.prepared_queries import first, kept
from apps.engine.pack.estimators import Estimator
from apps.engine.policy import Policy
from apps.llm.models import ModelCalibration
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.tokenizers import estimator_of


def estimator_for(policy: Policy, model: str) -> Estimator:
    """The policy's, calibrated for the model. One read; none for the offline model, whose provider counts nothing."""
    estimator = estimator_of(policy, model)
    if model == OFFLINE_MODEL:
        return estimator
    found = first(_learned(model, estimator.name))
    return replace(estimator, percent=found.percent, calls=found.calls) if found else estimator


@kept
def _learned(model: str, estimator: str) -> QuerySet[ModelCalibration]:
    return ModelCalibration.objects.filter(model=model, estimator=estimator)
