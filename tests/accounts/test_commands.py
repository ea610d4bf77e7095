"""Management commands for operators."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from tests.people import PASSWORD

pytestmark = pytest.mark.django_db


def test_an_operator_is_created_by_e_mail_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", "--email", "Root@Example.org", verbosity=0)
    user = User.objects.get(email="root@example.org")
    assert user.is_staff and user.is_superuser and user.check_password(PASSWORD)
