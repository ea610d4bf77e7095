from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from apps.common.array_in_lookup import lookups_register  # noqa: PLC0415  # lookups need loaded models

        lookups_register()
