from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "apps.agents"
    verbose_name = "Coding agents"
    # The name of its tables, migrations and permissions, from before imports were an app of their own.
    label = "hooks"
