"""Settings of a test's worker: those of the tests, with the connections of the real one."""

from config.database import with_persistent_connections
from config.settings import test
from config.settings.test import *  # noqa: F403  # a variant of the test settings is all of them with one changed

DATABASES = {"default": with_persistent_connections(test.DATABASES["default"])}
