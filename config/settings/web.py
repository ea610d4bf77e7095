"""Settings of the web process: the application's role and a connection pool."""

from config.database import with_pool
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with one changed

DATABASES = {"default": with_pool(base.DATABASES["default"])}
WRITES_REPLIES = True
REUSE_QUERY_PLANS = True
