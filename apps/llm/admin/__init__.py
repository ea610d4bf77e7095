"""Admin pages for model settings, provider keys, usage and spending."""

from apps.llm.admin import model_settings, spending, usage

__all__ = ["model_settings", "spending", "usage"]
