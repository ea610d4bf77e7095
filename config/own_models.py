"""`python -m config.own_models`: the process that runs the server's own models for all others."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.web")

from django.conf import settings  # settings must be named first

from apps.llm.own_models.server import serve  # settings must be named first
from config.thread_switching import switch_threads_often  # settings must be named first


def main() -> None:
    """Serve at CONTINUITY_OWN_MODELS_SOCKET, until a signal."""
    if not settings.OWN_MODELS_SOCKET:
        sys.exit("CONTINUITY_OWN_MODELS_SOCKET must be set.")
    switch_threads_often()
    serve(settings.OWN_MODELS_SOCKET)


if __name__ == "__main__":
    main()
