"""Settings of the worker: the application's role and persistent connections."""

from config.database import with_persistent_connections
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with one changed

DATABASES = {"default": with_persistent_connections(base.DATABASES["default"])}
