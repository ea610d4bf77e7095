"""Settings of the test suite: everything real, only passwords hash quickly and static files need no manifest."""

from dataclasses import replace

from pydantic import SecretStr as _SecretStr

from apps.jobs.times import JOB_TIMES as _TIMES
from apps.llm.installation import SettingsFile as _SettingsFile
from apps.realtime.times import LIVE_TIMES as _LIVE_TIMES
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with some changed
from config.settings.base import ANTHROPIC_BASE_URL as _BASE_URL
from config.settings.base import JOB_HANDLERS as _HANDLERS

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TEST_FAULTS = True

# Whatever key the developer's shell holds, a test never reaches a real provider.
if not _BASE_URL.startswith("http://127.0.0.1:"):
    ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL = _SecretStr(""), "http://127.0.0.1:9"
OPENAI_API_KEY = OPENROUTER_API_KEY = GEMINI_API_KEY = _SecretStr("")
MODEL_FILE = _SettingsFile()
CLAUDE_COMMAND = ""
# Nobody listens there.
OLLAMA_BASE_URL = "http://127.0.0.1:9"

# A killed worker's job is taken up again after a lease: tests that kill should not wait for long ones.
JOB_TIMES = replace(_TIMES, lease_s=3, heartbeat_s=1, queue_lease_s=5)
# Sockets beat quickly, so that no test waits half a minute for a beat.
LIVE_TIMES = replace(_LIVE_TIMES, authenticate_s=1, beat_s=1, resync_within_s=0.2, close_s=1)
JOB_HANDLERS = {
    **_HANDLERS,
    "test_note": "tests.jobs.handlers.note",
    "test_note_backend": "tests.jobs.handlers.note_backend",
    "test_fail": "tests.jobs.handlers.fail",
    "test_later": "tests.jobs.handlers.later",
    "test_ask_again": "tests.jobs.handlers.ask_again",
    "test_lose_lease": "tests.jobs.handlers.lose_lease",
    "test_sleep": "tests.jobs.handlers.sleep",
}
