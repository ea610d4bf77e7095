from django.apps import AppConfig


class InboxConfig(AppConfig):
    name = "apps.inbox"
    verbose_name = "Inbox"
