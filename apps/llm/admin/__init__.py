"""Models in the console: what each workspace chose, what calls took, and what days have cost."""

from apps.llm.admin import choice, spending, usage

__all__ = ["choice", "spending", "usage"]
