"""WSGI entry point for tools that expect one. Production serves ASGI alone: see ARCHITECTURE.md."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")

application = get_wsgi_application()
