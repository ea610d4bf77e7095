from django.apps import AppConfig


class CompactionConfig(AppConfig):
    name = "apps.compaction"
