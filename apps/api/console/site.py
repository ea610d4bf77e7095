"""The console's site: every page of it works in an operator's unit, recorded with who and why before it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from itertools import groupby
from typing import Any, ClassVar

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from apps.accounts.services.operator_access import operator
from apps.accounts.services.sign_in_limits import TooManyAttempts, browser_remember
from apps.accounts.services.users import user_access_recheck, user_with_password
from apps.common.admin_base import Card, ConsoleAdmin, label_of

View = Callable[..., HttpResponseBase]


class SignInForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """Counts failed attempts with the API's sign-in, so that the console is no way around its limits."""

    error_messages: ClassVar[dict[str, str]] = {
        **AuthenticationForm.error_messages,
        "invalid_login": "That email and password don't match, or this isn't an operator's account.",
    }

    def clean(self) -> dict[str, Any]:
        email, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if email and password:
            try:
                user = user_with_password(self.request, email=email.lower(), password=password)
            except TooManyAttempts as refusal:
                raise ValidationError(refusal.detail, code=refusal.code) from refusal
            if user is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(user)
            self.user_cache = user
        cleaned: dict[str, Any] = self.cleaned_data
        return cleaned


class Suggestions(AutocompleteJsonView):
    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        return {**super().serialize_result(obj, to_field_name), "text": label_of(obj)}


class ConsoleSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    login_form = SignInForm
    index_title = "Overview"
    index_template = "console/index.html"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Signing out and the texts of scripts touch no rows, everything else is an operator's work."""
        outside = view in (self.logout, self.i18n_javascript)
        guarded: View = super().admin_view(view if outside else _as_operator(self._answered(view)), cacheable)
        return guarded

    def _answered(self, view: View) -> View:
        """Render a refusal as a page in the console; elsewhere it is a problem document."""

        @wraps(view)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                return view(request, *args, **kwargs)
            except PermissionDenied:
                context = {**self.each_context(request), "title": "Access denied"}
                return TemplateResponse(request, "console/forbidden.html", context, status=403)

        return answered

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        response: HttpResponseBase = super().login(request, extra_context)
        if request.method == "POST" and request.user.pk is not None:
            browser_remember(response, user_id=request.user.pk)
        return response

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        """As from the API: what the session opened is closed with it."""
        user_id = request.user.pk
        response: HttpResponseBase = super().logout(request, extra_context)
        if user_id is not None:
            user_access_recheck(user_id=user_id)
        return response

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        cards = sorted(self._cards(request), key=lambda card: card.group, reverse=True)
        groups = [(name, list(group_cards)) for name, group_cards in groupby(cards, key=lambda card: card.group)]
        response: TemplateResponse = super().index(request, {"card_groups": groups, **(extra_context or {})})
        return response

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        return Suggestions.as_view(admin_site=self)(request)

    def _cards(self, request: HttpRequest) -> Iterator[Card]:
        for page in self._registry.values():
            if isinstance(page, ConsoleAdmin) and page.has_view_permission(request):
                yield from page.cards()


def _as_operator(view: View) -> View:
    @wraps(view)
    def recorded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with operator(request.user.pk, f"console: {request.method} {request.path}"):
            response = view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse):
                # Rendering evaluates lazy querysets, which must happen before the transaction ends.
                response.render()
            return response

    return recorded
