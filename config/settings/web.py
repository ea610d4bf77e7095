"""Settings of the ASGI process: the application's role over a pool of connections."""

from config.database import application_database, with_pool
from config.env import environment
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with one changed

DATABASES = {
    "default": with_pool(application_database(environment().database_url, environment().database_app_url)),
}
WRITES_REPLIES = True
