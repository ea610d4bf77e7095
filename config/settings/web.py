"""Settings of the web process: the application's role and a connection pool."""

from config.database import with_pool
from config.env import environment
from config.native_libraries import embedding_threads
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with one changed

DATABASES = {"default": with_pool(base.DATABASES["default"])}
WRITES_REPLIES = True
# Requests embed their questions at the same time; a worker embeds one batch at a time.
EMBEDDING_THREADS = embedding_threads(environment().embedding_threads)
# A request can do without; one of them keeps a thread of requests meanwhile.
OWN_MODELS_TIMEOUT_S, OWN_MODELS_RESTART_S = 15.0, 3.0
REUSE_QUERY_PLANS = True
