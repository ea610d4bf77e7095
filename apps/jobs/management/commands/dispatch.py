"""`manage.py dispatch`: hand due jobs to workers until stopped."""

from __future__ import annotations

import signal

from celery import Celery
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from apps.jobs.dispatcher.executors import CeleryExecutor
from apps.jobs.dispatcher.listener import Listener
from apps.jobs.dispatcher.loop import Dispatcher

# A broker that accepts connections but does not answer must not block the loop.
_IMPATIENT = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}


class Command(BaseCommand):
    help = "Send due jobs to the Celery workers, or run them here while the broker is down. Several may run at once."
    # Checks would load every view into a process that serves none.
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        app: Celery = import_string(settings.CELERY_APPLICATION)
        app.conf.broker_transport_options = {**app.conf.broker_transport_options, **_IMPATIENT}
        dispatcher = Dispatcher(CeleryExecutor(app), Listener())
        for wanted in (signal.SIGTERM, signal.SIGINT):
            signal.signal(wanted, dispatcher.stop)
        dispatcher.run()
