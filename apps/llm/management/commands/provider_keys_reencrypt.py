"""`manage.py provider_keys_reencrypt`: encrypt stored provider keys with the newest secret."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services.operator_access import operator
from apps.llm.services.provider_keys import provider_keys_reencrypt


class Command(BaseCommand):
    help = "Encrypt the stored provider keys with SECRET_KEY. Afterwards SECRET_KEY_FALLBACKS can be emptied."

    def handle(self, *args: object, **options: object) -> None:
        with operator(None, "encrypting provider keys with the newest secret"):
            done, unreadable = provider_keys_reencrypt()
        self.stdout.write(f"{done} keys are encrypted with SECRET_KEY.")
        if unreadable:
            raise CommandError(f"{unreadable} keys cannot be decrypted with any configured secret; they are unchanged.")
