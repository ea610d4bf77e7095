"""The calibrated token estimator of a model."""

from __future__ import annotations

from dataclasses import replace

from apps.common.reads import fetch_row
from apps.engine.pack.estimators import Estimator
from apps.engine.policy import Policy
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.tokenizers import estimator_of

_CALIBRATION = """
SELECT percent, calls FROM llm_modelcalibration
WHERE workspace_id = %(workspace)s AND model = %(model)s AND estimator = %(estimator)s
"""


def estimator_for(policy: Policy, model: str) -> Estimator:
    """The policy's estimator, calibrated for the model. One read; none for the offline model."""
    estimator = estimator_of(policy, model)
    if model == OFFLINE_MODEL:
        return estimator
    row = fetch_row(_CALIBRATION, model=model, estimator=estimator.name)
    return replace(estimator, percent=row[0], calls=row[1]) if row else estimator
