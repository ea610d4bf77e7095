"""`manage.py seed_demo`: the demo workspace with its finished conversation; its credentials as one line of JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.turns.services.demo import demo_seed


class Command(BaseCommand):
    help = "Make the demo workspace. Password and API key are shown when they are made, and never again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--new-credentials", action="store_true", help="a new password and a further API key")
        parser.add_argument("--operator", action="store_true", help="the person may use the console: not in production")

    def handle(self, *args: Any, **options: Any) -> None:
        demo = demo_seed(new_credentials=options["new_credentials"], operator=options["operator"])
        self.stdout.write(json.dumps(demo.to_json()))
