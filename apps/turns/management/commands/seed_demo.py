"""`manage.py seed_demo`: the demo workspace with its finished conversation; its credentials as one line of JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.turns.services.demo.seed import demo_seed


class Command(BaseCommand):
    help = "Create the demo workspace. The password and the API key are shown only once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--new-credentials", action="store_true", help="set a new password and add an API key")
        parser.add_argument(
            "--operator", action="store_true", help="allow the demo user into the console; not for production"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        demo = demo_seed(new_credentials=options["new_credentials"], operator=options["operator"])
        self.stdout.write(json.dumps(demo.to_json()))
