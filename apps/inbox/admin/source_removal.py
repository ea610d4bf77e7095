"""Admin page that takes everything from one source out of use, with a count before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.common.admin_base import action_page, excerpt_of
from apps.common.errors import ContinuityError, Unprocessable
from apps.common.ids import parse_id
from apps.conversations.models import Message, MessageRole
from apps.inbox.records import ScopeKind, SourceEffect, SourceScope
from apps.inbox.services.sources import SourceAction, source_quarantine, source_quarantine_preview
from apps.memory.admin.bulk_actions import acting_on, chosen
from apps.memory.models import MemNode, MemSource, SourceKind

if TYPE_CHECKING:
    from apps.common.admin_base import ConsoleAdmin

Choice = tuple[str, str]
"""A scope as the form sends it, and as the page shows it."""
DONE = {SourceAction.QUARANTINE: "wait for approval again", SourceAction.ARCHIVE: "archived"}


def source_page(page: ConsoleAdmin, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
    """Show the choice of the source and what changes, or change it once confirmed."""
    try:
        rows = chosen(queryset)
        _check(rows)
        choices = list(_choices(rows))
        scope, action = _chosen_scope(request, choices), _chosen_action(request)
        if request.POST.get("post") == "act":
            with acting_on(request, rows[0]) as actor:
                effect = source_quarantine(actor, scope=scope, action=action)
            page.message_user(request, f"{effect.affected:,} {DONE[action]}{_others(effect)}.", messages.SUCCESS)
            return None
        with acting_on(request, rows[0]) as actor:
            effect = source_quarantine_preview(actor, scope=scope, action=action)
    except ContinuityError as error:
        page.message_user(request, error.detail, messages.ERROR)
        return None
    context = {
        "choices": [(value, text, value == _value(scope)) for value, text in choices],
        "actions": [(one.value, DONE[one], one is action) for one in SourceAction],
        "effect": effect,
    }
    return action_page(page, request, "console/source.html", title="Take a source out of use", rows=rows, **context)


def _check(rows: Sequence[MemNode]) -> None:
    if len({(row.workspace_id, row.owner_id) for row in rows}) != 1:
        raise Unprocessable("Choose memories of one owner.")


def _choices(rows: Sequence[MemNode]) -> Iterator[Choice]:
    """Yield the sources of the rows: imports, and messages with their conversations and tools."""
    named = MemSource.objects.filter(node_id__in=[row.pk for row in rows]).order_by("id")
    pairs = dict.fromkeys(named.values_list("kind", "reference"))
    for kind, reference in pairs:
        if kind == SourceKind.IMPORT:
            yield _value(SourceScope(ScopeKind.IMPORT, reference)), f"Import {reference}"
    ids = [found for kind, reference in pairs if kind == SourceKind.MESSAGE and (found := parse_id(reference))]
    messages_found = list(Message.objects.filter(pk__in=ids).select_related("conversation").order_by("index"))
    for title, conversation_id in dict.fromkeys(
        (one.conversation.title, one.conversation_id) for one in messages_found
    ):
        yield _value(SourceScope(ScopeKind.CONVERSATION, str(conversation_id))), f"Conversation {title}"
    for tool in dict.fromkeys(one.name for one in messages_found if one.role == MessageRole.TOOL and one.name):
        yield _value(SourceScope(ScopeKind.TOOL, tool)), f"Tool {tool}"
    for one in messages_found:
        yield _value(SourceScope(ScopeKind.MESSAGE, str(one.pk))), f"Message: {excerpt_of(one.content)}"


def _chosen_scope(request: HttpRequest, choices: Sequence[Choice]) -> SourceScope:
    if not choices:
        raise Unprocessable("These memories come from no message or import.")
    values = [value for value, _ in choices]
    sent = request.POST.get("source", "")
    kind, _, reference = (sent if sent in values else values[0]).partition(":")
    return SourceScope(ScopeKind(kind), reference)


def _chosen_action(request: HttpRequest) -> SourceAction:
    is_archive = request.POST.get("effect") == SourceAction.ARCHIVE
    return SourceAction.ARCHIVE if is_archive else SourceAction.QUARANTINE


def _others(effect: SourceEffect) -> str:
    parts = [
        f", {effect.detached:,} with other sources stay" if effect.detached else "",
        f", {effect.restored:,} superseded by them are current again" if effect.restored else "",
    ]
    return "".join(parts)


def _value(scope: SourceScope) -> str:
    return f"{scope.kind.value}:{scope.reference}"
