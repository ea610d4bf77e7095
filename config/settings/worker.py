"""Settings of workers and dispatchers: the application's role, persistent connections, and no pages."""

from config.database import with_persistent_connections
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with some changed

# What only the web server needs would take 30 MB of every process.
_OF_PAGES = frozenset(
    {
        "apps.api",
        "unfold.apps.BasicAppConfig",
        "unfold.contrib.filters",
        "apps.api.console.config.ConsoleConfig",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "allauth",
        "allauth.account",
        "rest_framework",
        "drf_spectacular",
        "drf_spectacular_sidecar",
    }
)

INSTALLED_APPS = [name for name in base.INSTALLED_APPS if name not in _OF_PAGES]
MIDDLEWARE = []
DATABASES = {"default": with_persistent_connections(base.DATABASES["default"])}
