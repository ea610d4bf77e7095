"""Settings of workers and dispatchers: the application's role, persistent connections, and no pages."""

from config.database import with_persistent_connections
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with some changed

# Accounts of people are only signed in by the web server; their tables are those of migrations.
INSTALLED_APPS = [name for name in base.APPS_WITHOUT_PAGES if not name.startswith("allauth")]
MIDDLEWARE = []
DATABASES = {"default": with_persistent_connections(base.DATABASES["default"])}
