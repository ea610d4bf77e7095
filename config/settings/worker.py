"""Settings of the worker: the application's role over connections that outlive a job."""

from config.database import kept_open
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with one changed

DATABASES = {"default": kept_open(base.DATABASES["default"])}
