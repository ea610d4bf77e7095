from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "apps.llm"
    verbose_name = "Models"

    def ready(self) -> None:
        """Load the price file, so that an invalid one fails at startup instead of at the first call."""
        from apps.llm.budget.pricing import prices  # noqa: PLC0415  # the app registry must be ready

        prices()
