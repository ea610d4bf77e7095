from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "apps.llm"
    verbose_name = "Models"

    def ready(self) -> None:
        """A price file that cannot be used is found when a process starts, not when a call is paid for."""
        from apps.llm.budget.pricing import prices  # noqa: PLC0415  # apps are ready by now, and not before

        prices()
