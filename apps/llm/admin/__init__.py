"""Models in the console: what each workspace chose, what calls took, and what days have cost."""

from apps.llm.admin import model_settings, spending, usage

__all__ = ["model_settings", "spending", "usage"]
