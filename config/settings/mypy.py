"""Settings for mypy, makemigrations and the OpenAPI description: no server needed."""

import os

os.environ.setdefault("SECRET_KEY", "types need no secret, but the field wants 32 characters")
os.environ.setdefault("DATABASE_URL", "postgresql://continuity@/continuity")
os.environ.setdefault("REDIS_URL", "redis://localhost")

from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them
