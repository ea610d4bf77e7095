"""The estimator that counts for a model, with what was learned of it."""

from __future__ import annotations

from dataclasses import replace

from apps.common.reads import fetch_row
from apps.engine.pack.estimators import Estimator
from apps.engine.policy import Policy
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.tokenizers import estimator_of

_LEARNED = """
SELECT percent, calls FROM llm_modelcalibration
WHERE workspace_id = %(workspace)s AND model = %(model)s AND estimator = %(estimator)s
"""


def estimator_for(policy: Policy, model: str) -> Estimator:
    """The policy's, calibrated for the model. One read; none for the offline model, whose provider counts nothing."""
    estimator = estimator_of(policy, model)
    if model == OFFLINE_MODEL:
        return estimator
    learned = fetch_row(_LEARNED, model=model, estimator=estimator.name)
    return replace(estimator, percent=learned[0], calls=learned[1]) if learned else estimator
