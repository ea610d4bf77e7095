"""Settings of every process; those of web server, worker and migrations change only what they must."""

from __future__ import annotations

import sys
from pathlib import Path

from apps.llm.timeouts import MODEL_TIMES as _MODEL_TIMES
from apps.realtime.timeouts import LIVE_TIMES as _LIVE_TIMES
from config.database import application_database
from config.env import environment
from config.logs import configure_logs
from config.settings.console import CONSOLE

_env = environment()

# The server reads uploaded files with the client's own readers (apps/transfer/files).
_CLIENT = str(Path(__file__).resolve().parents[2] / "client" / "src")
if _CLIENT not in sys.path:
    sys.path.append(_CLIENT)

SECRET_KEY = _env.secret_key
SECRET_KEY_FALLBACKS = _env.older_secrets()
DEBUG = _env.debug
ALLOWED_HOSTS = _env.hosts()
CSRF_TRUSTED_ORIGINS = _env.origins()
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _env.secure_cookies
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _env.secure_cookies else 0
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
# The Celery application that the dispatcher sends jobs with.
CELERY_APPLICATION = "config.celery.app"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"
APPEND_SLASH = False

INSTALLED_APPS = [
    # First, because its templates override some of unfold's.
    "apps.api",
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "apps.api.console.config.ConsoleConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.common",
    "apps.jobs",
    "apps.accounts",
    "apps.llm",
    "apps.conversations",
    "apps.memory",
    "apps.inbox",
    "apps.extraction",
    "apps.compaction",
    "apps.context",
    "apps.turns",
    "apps.agents",
    "apps.transfer",
]

# What only the web server needs would take 30 MB of every process.
_OF_PAGES = frozenset(
    {
        "apps.api",
        "unfold.apps.BasicAppConfig",
        "unfold.contrib.filters",
        "apps.api.console.config.ConsoleConfig",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "rest_framework",
        "drf_spectacular",
        "drf_spectacular_sidecar",
    }
)
APPS_WITHOUT_PAGES = [name for name in INSTALLED_APPS if name not in _OF_PAGES]

# Runs synchronously on one thread per request (config/thread_pool_asgi.py).
MIDDLEWARE = [
    "apps.api.framework.middleware.edge",
    "django.middleware.security.SecurityMiddleware",
    "apps.api.accounts.signed_in_cookie.signed_in_cookie",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": application_database(_env.database_url, _env.database_app_url, prepared=_env.database_prepared),
}

CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": _env.redis_url}}
REDIS_URL = _env.redis_url
CHANNEL_LAYERS = {"default": {"BACKEND": "apps.realtime.redis_layer.LiveLayer", "CONFIG": {"url": _env.redis_url}}}
LIVE_TIMES = _LIVE_TIMES

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"

STATIC_URL = "/static/"
STATIC_ROOT = _env.static_root()
# The build output of the web app.
PAGE_ROOT = _env.page_root()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
# Paths that accept a file as a stream, and their size limit.
LARGE_UPLOAD_PATHS = ("/imports", "/imports/files")
LARGE_UPLOAD_BYTES = 256 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 500
# (requests, seconds) per key, person and IP address; and per IP address for trying passwords, provider keys or
# invitations, and for pairing clients and polling for their keys.
RATE_LIMITS = {
    "key": (6_000, 60),
    "person": (6_000, 60),
    "end_user": (600, 60),
    "address": (600, 60),
    "sign_in": (30, 60),
    "sign_up": (20, 60),
    "model_key": (30, 60),
    "invitation": (30, 60),
    "pairing": (20, 60),
    "pairing_token": (300, 60),
}
CSRF_FAILURE_VIEW = "apps.api.framework.error_pages.csrf_failure"
CONTINUITY_HOME = _env.continuity_home
CONTINUITY_PORT = _env.continuity_port
CONTINUITY_POLICY = _env.policy()
TEST_FAULTS = _env.continuity_test_faults

# Models by environment and settings file; without any available provider the offline provider answers.
MODEL_PROVIDER = _env.continuity_model_provider
MODELS = _env.models()
MODEL_FILE = _env.model_file()
MODEL_ADDRESSES = _env.model_addresses()
# Keys and base URLs of providers, by the variable name in their `ProviderSpec`.
PROVIDER_KEYS, PROVIDER_URLS = _env.provider_keys(), _env.provider_urls()
CLAUDE_COMMAND = _env.claude_command
# Environment of the Claude CLI: the login of the account that runs the server, never one of our keys.
CLAUDE_ACCOUNT = _env.claude_account()
MODEL_TIMES = _MODEL_TIMES
MODEL_PRICES = _env.continuity_prices.strip()
# Vocabularies downloaded by `manage.py vocabulary_fetch`; nothing else downloads one.
VOCABULARY_ROOT = _env.vocabulary_root()

EMBEDDINGS = _env.embeddings
# Local models in the format of the program that runs them, and how many texts a process embeds at the same time.
ENCODER_ROOT = _env.encoder_root()
# Those that were converted when the environment was made.
PREPARED_ENCODERS = Path(sys.prefix) / "encoders"
EMBEDDING_THREADS = 1
# The process that runs them for all others; if empty, each process runs those that it needs.
OWN_MODELS_SOCKET = _env.continuity_own_models_socket
# The first call of a model loads it, and may convert it.
OWN_MODELS_TIMEOUT_S = 120.0
# A call waits for a process that is started again.
OWN_MODELS_RESTART_S = 10.0
# Embedding a text while a transaction is open is a bug: an error in development, a line of the log in production.
REFUSE_EMBEDDING_IN_TRANSACTIONS = DEBUG

# Only a process with an event loop of its own can write replies: see the web settings.
WRITES_REPLIES = False
# Requests reuse generic plans; bulk work plans each statement for its values (apps/common/tenancy.py).
REUSE_QUERY_PLANS = False
# Delay in seconds before uses of memories found by searches are written; None for never.
ACCESS_NOTES_AFTER_S: float | None = 0.5

# A finished conversation to look at, for whoever signs up or makes a workspace.
SAMPLE_FOR_NEW_WORKSPACES = _env.continuity_sample

# Jobs in flight, and the memory in MB of the process that runs one.
WORKER_SLOTS = _env.continuity_workers
WORKER_MEMORY_MB = _env.continuity_worker_memory_mb

# Handler of each kind of job.
JOB_HANDLERS = {
    "agent_observations": "apps.agents.tasks.observations_job",
    "agent_session_end": "apps.agents.tasks.session_end_job",
    "canary": "apps.jobs.tasks.canary_job",
    "compaction": "apps.compaction.tasks.compaction_job",
    "conversation_import": "apps.turns.tasks.conversation_import_job",
    "extraction": "apps.extraction.tasks.extraction_job",
    "file_import": "apps.transfer.tasks.file_import_job",
    "file_import_prune": "apps.transfer.tasks.abandoned_files_job",
    "idempotency_prune": "apps.accounts.tasks.idempotency_prune_job",
    "memory_accesses": "apps.memory.tasks.memory_accesses_job",
    "memory_archive": "apps.memory.tasks.memory_archive_job",
    "memory_messages": "apps.memory.tasks.memory_messages_job",
    "memory_sweep": "apps.memory.tasks.memory_sweep_job",
    "memory_tiers": "apps.memory.tasks.memory_tiers_job",
    "memory_vectors": "apps.memory.tasks.memory_vectors_job",
    "pairing_prune": "apps.accounts.tasks.pairing_prune_job",
    "read_at_once": "apps.extraction.tasks.read_at_once_job",
    "rejected_prune": "apps.llm.tasks.rejected_prune_job",
    "sample": "apps.turns.tasks.sample_job",
    "schedule_prune": "apps.jobs.tasks.schedule_prune_job",
    "segments": "apps.compaction.tasks.segments_job",
    "session_archive": "apps.compaction.tasks.session_archive_job",
    "turn_watch": "apps.turns.tasks.turn_watch_job",
}
# Called with a `JobFailure` when the attempts of a job of this kind are used up, until it is tried again after hours.
JOB_GIVEN_UP = {
    "compaction": "apps.compaction.tasks.compaction_given_up",
    "conversation_import": "apps.turns.tasks.conversation_import_given_up",
    "extraction": "apps.extraction.tasks.extraction_given_up",
    "file_import": "apps.transfer.tasks.file_import_given_up",
}
# Finds memories that were imported from files which an agent reads itself: they are left out of what it is given.
MEMORIES_OF_FILES = "apps.transfer.selectors.imported_files.memories_of_files"
# Interval in seconds of the installation's jobs, and of the jobs of every workspace.
SCHEDULES = {"file_import_prune": 86_400, "pairing_prune": 3_600, "schedule_prune": 86_400}
WORKSPACE_SCHEDULES = {
    "idempotency_prune": 3_600,
    "memory_archive": 86_400,
    "memory_sweep": 3_600,
    "rejected_prune": 86_400,
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.api.framework.authentication.ApiKeyAuthentication",
        "apps.api.framework.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["apps.api.framework.permissions.InWorkspace"],
    "DEFAULT_THROTTLE_CLASSES": ["apps.api.framework.throttling.TokenBucketThrottle"],
    "DEFAULT_PARSER_CLASSES": ["apps.api.framework.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.api.framework.negotiation.AnyAccept",
    "DEFAULT_SCHEMA_CLASS": "apps.api.openapi.auto_schema.ConventionSchema",
    "EXCEPTION_HANDLER": "apps.api.framework.exception_mapping.problem_handler",
    "UNAUTHENTICATED_USER": None,
    # `?format=` selects the format of a context pack or an export.
    "URL_FORMAT_OVERRIDE": None,
    "DATETIME_FORMAT": "iso-8601",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Continuity",
    "DESCRIPTION": (
        "The memory and context server for applications that talk to language models. Live events over a WebSocket are"
        " described in `docs/live-events.md`; their frames are the components `ClientFrame` and `ServerFrame`."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "apps.accounts.records.ROLES",
        "MemberRoleEnum": "apps.accounts.records.ROLES_OF_MEMBERS",
        "PermissionEnum": "apps.accounts.permissions.PERMISSIONS",
        "ShareAccessEnum": "apps.conversations.records.SHARE_ACCESS",
        "MessageRoleEnum": "apps.conversations.records.MESSAGE_ROLES",
        "UserMemoryTypeEnum": "apps.memory.records.USER_MEMORY_TYPES",
        "RunStateEnum": "apps.compaction.records.RUN_STATES",
        "MessageStatusEnum": "apps.conversations.records.MESSAGE_STATUSES",
        "MessageStateEnum": "apps.conversations.records.MESSAGE_STATES",
        "ReferenceTypeEnum": "apps.engine.summary.rolling_summary.ReferenceType",
        "EpochReasonEnum": "apps.api.context.pack_serializers.EPOCH_REASONS",
        "SourceEnum": "apps.api.conversations.live_serializers.SOURCES",
        "LoopFormEnum": "apps.api.context.agent_loop_serializers.FORMS",
        "UsageSourceEnum": "apps.llm.records.COUNT_SOURCES",
        "BackendEnum": "apps.llm.routing.providers.PROVIDER_IDS",
        "BackendStateEnum": "apps.llm.routing.model_selection.State",
        "KeySourceEnum": "apps.llm.routing.model_selection.KEY_SOURCES",
        "PurposeEnum": "apps.llm.providers.base.CHOOSABLE",
        "CallPurposeEnum": "apps.llm.records.CALL_PURPOSES",
        "SpendStateEnum": "apps.llm.records.SPEND_STATES",
        "CategoryEnum": "apps.memory.records.PIN_CATEGORIES",
        "MemoryCategoryEnum": "apps.api.memory.node_serializers.CATEGORIES",
        "MemoryTierEnum": "apps.api.memory.node_serializers.TIERS",
        "MemorySourceKindEnum": "apps.api.memory.node_serializers.SOURCE_KINDS",
        "DiffLineKindEnum": "apps.engine.memory.tree.LineKind",
        "HitKindEnum": "apps.memory.records.search.HIT_KINDS",
        "RetrievedKindEnum": "apps.api.context.pack_serializers.RETRIEVED_KINDS",
        "FormatEnum": "apps.api.memory.export_serializers.FILE_FORMATS",
        "PackFormatEnum": "apps.api.context.pack_serializers.FORMATS",
        "InjectedKindEnum": "apps.api.context.session_context_serializers.KINDS",
        "ConversationAccessEnum": "apps.conversations.records.ACCESS",
        "ExtractedMemoryStateEnum": "apps.extraction.records.MEMORY_STATES",
        "AgentClientEnum": "apps.agents.records.CLIENT_KINDS",
        "ObservationKindEnum": "apps.agents.records.OBSERVATION_KINDS",
        "EventStatusEnum": "apps.agents.records.STATUSES",
    },
    "GET_LIB_DOC_EXCLUDES": "apps.api.openapi.auto_schema.bases_without_description",
    "PREPROCESSING_HOOKS": ["apps.api.openapi.auto_schema.one_version"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.api.openapi.auto_schema.with_problems",
        "apps.api.openapi.postprocessing.with_parameter_examples",
        "apps.api.openapi.postprocessing.with_open_unions",
        "apps.realtime.schema.add_frames",
    ],
}

UNFOLD = CONSOLE

LOGGING_CONFIG = None
configure_logs(level=_env.log_level, style=_env.log_format)

# Whether other subdomains serve TLS too, and the redirection to it, are up to the operator's proxy.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
