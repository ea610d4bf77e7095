"""`manage.py conversation_import FILE`: progress on standard error, the report as JSON on standard output."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, Role, User
from apps.accounts.selectors.users import actor_anywhere, actor_in
from apps.common.errors import ContinuityError
from apps.conversations.imports.formats import Format, Source
from apps.conversations.imports.report import ImportReport
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_TITLE
from apps.turns.services.imports.batches import ImportRequest, conversation_import

LARGEST_FILE = 1024**3
REPORT_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Import conversations from JSON Lines or LoCoMo. Importing a file again adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", default="", metavar="EMAIL", help="owner of the conversation")
        parser.add_argument("--workspace", type=UUID, metavar="ID", help="default: the user's oldest workspace")
        parser.add_argument("--format", choices=list(Format), default=Format.AUTO, type=Format)
        parser.add_argument("--title", default="", help="default: the file's name, or the speakers")
        parser.add_argument("--external-id", help="import everything into the conversation with this external id")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        _check(path)
        request = _request(path, options)
        progress = Progress(self)
        try:
            actor = _actor(options["user"], options["workspace"])
            with path.open("rb") as file:
                report = conversation_import(actor, file=file, request=request, on_progress=progress.report)
        except ContinuityError as error:
            raise CommandError(error.detail) from error
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        self.stdout.write(json.dumps({**report.to_json(), **progress.measured(report)}))


class Progress:
    """Prints the progress at most once a second."""

    def __init__(self, command: BaseCommand) -> None:
        self.command = command
        self.began = self.reported_at = time.monotonic()

    def report(self, report: ImportReport) -> None:
        if time.monotonic() - self.reported_at < REPORT_EVERY_S:
            return
        self.reported_at = time.monotonic()
        rate = self.measured(report)["messages_per_s"]
        self.command.stderr.write(
            f"{report.read} read, {report.stored} stored, {report.skipped_count} skipped; {rate:.0f} a second"
        )
        self.command.stderr.flush()

    def measured(self, report: ImportReport) -> dict[str, float]:
        seconds = time.monotonic() - self.began
        return {"seconds": round(seconds, 2), "messages_per_s": round(report.read / max(seconds, 0.001), 1)}


def _check(path: Path) -> None:
    if not path.is_file():
        raise CommandError(f"File not found: {path}.")
    if path.stat().st_size > LARGEST_FILE:
        raise CommandError(f"{path} is larger than {LARGEST_FILE} bytes; split it.")


def _request(path: Path, options: dict[str, Any]) -> ImportRequest:
    name, title = _clean(path.name), _clean(options["title"])[:LONGEST_TITLE]
    external_id = _clean(options["external_id"] or "")
    if len(external_id) > LONGEST_EXTERNAL_ID:
        raise CommandError(f"An external id has at most {LONGEST_EXTERNAL_ID} characters.")
    return ImportRequest(Source(name, options["format"], title), external_id or None)


def _clean(text: str) -> str:
    """Replace bytes that are not UTF-8, which file names may contain."""
    return text.encode("utf-8", "replace").decode()


def _actor(email: str, workspace_id: UUID | None) -> Actor:
    """Return the named person, else the workspace's owner, else the only person of the installation."""
    user = _user(email, workspace_id)
    return actor_in(user.id, workspace_id) if workspace_id else actor_anywhere(user.id)


def _user(email: str, workspace_id: UUID | None) -> User:
    if email:
        named = User.objects.filter(email=email.lower(), is_active=True).first()
        if named is None:
            raise CommandError(f"User not found: {email}.")
        return named
    if workspace_id:
        owners = Membership.objects.filter(workspace_id=workspace_id, role=Role.OWNER).select_related("user")
        if owner := owners.order_by("id").first():
            return owner.user
        raise CommandError(f"Workspace not found: {workspace_id}.")
    people = list(User.objects.filter(is_active=True).exclude(memberships__role=Role.END_USER)[:2])
    if len(people) != 1:
        raise CommandError("Name the conversation's owner: --user EMAIL.")
    return people[0]
