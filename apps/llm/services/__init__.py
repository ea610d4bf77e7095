"""Asking models and keeping the ledger of it."""

from apps.llm.services.calibration import calibration_learn
from apps.llm.services.calling import CallAccount
from apps.llm.services.compaction import ModelSummary, summarise_with_model
from apps.llm.services.usage import usage_record

__all__ = ["CallAccount", "ModelSummary", "calibration_learn", "summarise_with_model", "usage_record"]
