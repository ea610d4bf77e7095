from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from apps.common.array_in_lookup import lookups_register  # noqa: PLC0415  # models know no lookups before

        lookups_register()
