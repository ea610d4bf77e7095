"""Bulk writes from the admin: services called as the operator, row by row, with a message for each refusal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.accounts.actors import Actor
from apps.accounts.services.operator_access import acting
from apps.common.admin_base import ConsoleAdmin
from apps.common.errors import ContinuityError, NotSignedIn, TooLarge
from apps.memory.models import MemNode
from apps.memory.services.tree.change_sets import LONGEST_REASON

if TYPE_CHECKING:
    _ActionForm = forms.Form  # unfold has no types
else:
    from unfold.forms import ActionForm as _ActionForm

MOST_AT_ONCE = 500
_REFUSALS_SHOWN = 5
_DEFAULT_REASON = "By an operator in the admin console."

Act = Callable[[Actor, MemNode], Any]


class ReasonForm(_ActionForm):
    """The action bar with a field for the reason."""

    reason = forms.CharField(
        required=False,
        label="",
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Reason (kept with the change)", "aria-label": "Why"}),
    )


def reason_of(text: str | None) -> str:
    """Return the operator's reason, or a default."""
    return (text or "").strip()[:LONGEST_REASON] or _DEFAULT_REASON


def acting_on(request: HttpRequest, row: MemNode) -> AbstractContextManager[Actor]:
    """Open a unit of work in the row's workspace with the visibility of the row's owner."""
    return acting(_operator_id(request), workspace_id=row.workspace.id, on_behalf_of=row.owner_id)


def acting_in(request: HttpRequest, workspace_id: UUID) -> AbstractContextManager[Actor]:
    return acting(_operator_id(request), workspace_id=workspace_id)


def chosen(queryset: QuerySet[MemNode]) -> list[MemNode]:
    """Return the selected rows, directories before their content. Raise `TooLarge` if there are too many."""
    rows = list(queryset.order_by("workspace_id", "owner_id", "uri")[: MOST_AT_ONCE + 1])
    if len(rows) > MOST_AT_ONCE:
        raise TooLarge(f"A request can change at most {MOST_AT_ONCE} memories.")
    return rows


def each(
    page: ConsoleAdmin, request: HttpRequest, queryset: QuerySet[MemNode], act: Act, *, done: str, only: Q
) -> None:
    """Run `act` on every selected row that still matches `only`; a refusal does not stop the others."""
    count, refused = 0, []
    try:
        node_ids = [row.pk for row in chosen(queryset)]
    except TooLarge as error:
        page.message_user(request, error.detail, messages.ERROR)
        return
    for node_id in node_ids:
        # An action on a directory has already changed its content, so each row is read again.
        row = MemNode.objects.select_related("workspace").filter(only, pk=node_id).first()
        if row is None:
            continue
        try:
            with acting_on(request, row) as actor:
                act(actor, row)
            count += 1
        except ContinuityError as error:
            refused.append(f"{row.uri}: {error.detail}")
    page.message_user(request, f"{count:,} {done}.", messages.SUCCESS if count else messages.WARNING)
    refusals_show(page, request, refused)


def refusals_show(page: ConsoleAdmin, request: HttpRequest, refused: Collection[str]) -> None:
    for text in islice(refused, _REFUSALS_SHOWN):
        page.message_user(request, text, messages.ERROR)
    if len(refused) > _REFUSALS_SHOWN:
        page.message_user(request, f"{len(refused) - _REFUSALS_SHOWN:,} more were refused.", messages.ERROR)


def _operator_id(request: HttpRequest) -> UUID:
    if request.user.pk is None:
        raise NotSignedIn("Only an operator can do this.")
    return request.user.pk
