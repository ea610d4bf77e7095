from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "apps.agents"
    # Its tables, migrations and permissions keep the name that they began with.
    label = "hooks"
