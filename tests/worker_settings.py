"""Settings of a test's worker and dispatcher: those of the tests, with the connections of the real ones."""

from config.database import with_persistent_connections
from config.settings import test
from config.settings.test import *  # noqa: F403  # a variant of the test settings is all of them with some changed
from tests.process_times import JOB_TIMES

DATABASES = {"default": with_persistent_connections(test.DATABASES["default"])}

__all__ = ["JOB_TIMES"]
