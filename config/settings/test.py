"""Settings of the test suite: real services, fast password hashing, no manifest of static files."""

from dataclasses import replace

from apps.jobs.timeouts import JOB_TIMES as _TIMES
from apps.llm.routing.config_file import SettingsFile as _SettingsFile
from apps.llm.routing.providers import provider_specs as _provider_specs
from apps.realtime.timeouts import LIVE_TIMES as _LIVE_TIMES
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with some changed
from config.settings.base import DATABASES as _DATABASES
from config.settings.base import JOB_HANDLERS as _HANDLERS
from config.settings.base import PROVIDER_KEYS as _KEYS
from config.settings.base import PROVIDER_URLS as _URLS

# Requests give up early; a test on a busy machine waits.
_PATIENCE = "-c statement_timeout=300s -c lock_timeout=300s -c idle_in_transaction_session_timeout=0"
_DATABASE = _DATABASES["default"]
_OPTIONS = {**_DATABASE["OPTIONS"], "options": f"{_DATABASE['OPTIONS'].get('options', '')} {_PATIENCE}"}
DATABASES = {"default": {**_DATABASE, "OPTIONS": _OPTIONS}}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TEST_FAULTS = True
REFUSE_EMBEDDING_IN_TRANSACTIONS = True
# Tests that need the writer thread enable it.
ACCESS_NOTES_AFTER_S = None

# Tests never reach a real provider, whatever keys the developer's environment has. Nothing listens on port 9.
_NOWHERE = "http://127.0.0.1:9"
_LOOPBACK = {name: url for name, url in _URLS.items() if url.startswith("http://127.0.0.1:")}
PROVIDER_URLS = {"ANTHROPIC_BASE_URL": _NOWHERE, **_LOOPBACK, "OLLAMA_BASE_URL": _NOWHERE}
PROVIDER_KEYS = {
    spec.key_variable: _KEYS[spec.key_variable]
    for spec in _provider_specs()
    if spec.key_variable and spec.url_variable in _LOOPBACK
}
MODEL_FILE = _SettingsFile()
CLAUDE_COMMAND = ""

# Long leases, which no slow test outlives; the processes that tests kill have short ones.
JOB_TIMES = replace(_TIMES, lease_s=600, queue_lease_s=600)
# Short heartbeat interval of sockets.
LIVE_TIMES = replace(_LIVE_TIMES, authenticate_s=1, heartbeat_s=1, resync_within_s=0.2, close_s=1)
JOB_HANDLERS = {
    **_HANDLERS,
    "test_note": "tests.jobs.handlers.note",
    "test_note_backend": "tests.jobs.handlers.note_backend",
    "test_away": "tests.jobs.handlers.away",
    "test_fail": "tests.jobs.handlers.fail",
    "test_later": "tests.jobs.handlers.later",
    "test_ask_again": "tests.jobs.handlers.ask_again",
    "test_lose_lease": "tests.jobs.handlers.lose_lease",
    "test_sleep": "tests.jobs.handlers.sleep",
    "test_time_out": "tests.jobs.handlers.time_out",
    "test_time_out_later": "tests.jobs.handlers.time_out_later",
}
