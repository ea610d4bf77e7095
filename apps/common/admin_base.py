"""Base classes of the console: names of rows, links, search, and which fields can be changed.

The form of a tenant's row names its workspace once; related rows must belong to the same workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth import get_user_model
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, ChoicesDropdownFilter

from apps.common.errors import ContinuityError
from apps.common.models import WorkspaceOwned

if TYPE_CHECKING:
    # unfold has no types, and Django's classes are generic only for the type checker.
    from django.contrib.admin import ModelAdmin, StackedInline, TabularInline

    _Page = ModelAdmin[Any]
    _Table = TabularInline[Any, Any]
    _Stack = StackedInline[Any, Any]
    _Form = forms.ModelForm[Any]
    _Choice = forms.ModelChoiceField[Any]
    _FormSet = forms.BaseInlineFormSet[Any, Any, Any]
else:
    from unfold.admin import ModelAdmin as _Page
    from unfold.admin import StackedInline as _Stack
    from unfold.admin import TabularInline as _Table
    from unfold.forms import PaginationInlineFormSet as _FormSet

    _Form = forms.ModelForm
    _Choice = forms.ModelChoiceField

Column = TypeVar("Column", bound=Callable[..., Any])
Tones = dict[str, str]

BY_WORKSPACE = ("workspace", AutocompleteSelectFilter)
SAME_WORKSPACE = "This belongs to another workspace."
NOT_A_MEMBER = "This person is not a member of the workspace."
ROLE_SYMBOLS = {"user": "●", "assistant": "○", "tool": "◇", "system": "□"}
"""Colors of the roles of messages."""
EXCERPT = 90


@dataclass(frozen=True, slots=True)
class Card:
    """A number on the first page, linked to the list that it counts. `tone` is empty, `warning` or `danger`."""

    group: str
    title: str
    value: str
    note: str
    url: str
    tone: str = ""


def column(title: str, *, order: str = "", tones: Tones | None = None) -> Callable[[Column], Column]:
    """Mark a method as a column, with its title, the field it sorts by, and the colors of its values."""

    def mark(function: Column) -> Column:
        names: dict[str, Any] = {"short_description": title, "admin_order_field": order or None, "label": tones}
        vars(function).update({name: value for name, value in names.items() if value is not None})
        return function

    return mark


def link_column(field: str, title: str = "") -> Callable[[Any, Any], SafeString | None]:
    """Return a column that shows the row of a foreign key and links to it."""

    @column(title or field.replace("_", " "), order=field)
    def linked(_: Any, row: Model) -> SafeString | None:
        related = getattr(row, field)
        return None if related is None else change_link(related)

    return linked


def id_link_column(field: str, model: str) -> Callable[[Any, Any], SafeString | None]:
    """Return a column of an id without a foreign key, linked to the list with that one row, if it exists."""

    @column(field.removesuffix("_id"))
    def linked(_: Any, row: Model) -> SafeString | None:
        named = getattr(row, field)
        return None if named is None else link_row([(list_url(model, id__exact=named), str(named))])

    return linked


def name_column(field: str, title: str = "") -> Callable[[Any, Any], str]:
    """The same without a link, for a list's first column, which links to the row itself."""

    @column(title or field.replace("_", " "), order=field)
    def named(_: Any, row: Model) -> str:
        return label_of(getattr(row, field))

    return named


def label_of(row: Model) -> str:
    """Return the row's label; by default its `str`, which carries no content."""
    page = admin.site.get_model_admin(type(row)) if admin.site.is_registered(type(row)) else None
    return page.label(row) if isinstance(page, ConsoleAdmin) else str(row)


def change_link(row: Model, text: str = "") -> SafeString:
    meta = row._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
    return format_html('<a class="console-link" href="{}">{}</a>', url, text or label_of(row))


def list_url(model: type[Model] | str, **filters: object) -> str:
    """Return the URL of a model's filtered list; a model of a higher app is given by its label."""
    label = model if isinstance(model, str) else model._meta.label
    query = "?" + urlencode(filters) if filters else ""
    return reverse(f"admin:{label.lower().replace('.', '_')}_changelist") + query


def link_row(links: Iterable[tuple[str, str]]) -> SafeString:
    """Render links in one line, from pairs of URL and text."""
    return format_html(
        '<div class="console-links">{}</div>', format_html_join("", '<a class="console-link" href="{}">{}</a>', links)
    )


def plain_text(text: str) -> SafeString | None:
    """Render a text with its line breaks."""
    return format_html('<div class="console-text">{}</div>', text) if text else None


def excerpt_of(text: str) -> str:
    """Return the beginning of a text, for a list."""
    return text[:EXCERPT] + ("…" if len(text) > EXCERPT else "")


def number(value: int | None) -> str | None:
    return None if value is None else f"{value:,}"


def first_id_at(moment: datetime) -> UUID:
    """Return the lowest id of rows created at that time or later, so that a time filter can use the primary key."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def action_page(
    page: ConsoleAdmin, request: HttpRequest, template: str, *, title: str, rows: Iterable[Model], **context: Any
) -> TemplateResponse:
    """Render a confirmation page of an action; its form sends the action again, with `post`."""
    held = {
        **page.admin_site.each_context(request),
        "title": title,
        "opts": page.model._meta,
        "media": page.media,
        "action": request.POST["action"],
        "checkbox": ACTION_CHECKBOX_NAME,
        "selected": [row.pk for row in rows],
        "back": request.get_full_path(),
    }
    return TemplateResponse(request, template, {**held, **context})


class LabelledChoice(_Choice):
    def label_from_instance(self, obj: Any) -> str:
        return label_of(obj)


class TenantForm(_Form):
    """Refuses references across workspaces, and people who are not members of the row's workspace.

    `refusal` is the error of the service that should have stored the form.
    """

    refusal: ClassVar[str] = ""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.refusal:
            self.add_error(None, self.refusal)
        workspace = self.workspace_of(cleaned)
        if workspace is not None:
            for name, value in list(cleaned.items()):
                if problem := _foreign(workspace, value):
                    self.add_error(name, problem)
        return self.cleaned_data

    def workspace_of(self, cleaned: dict[str, Any]) -> Any:
        return cleaned.get("workspace") or (self.instance.workspace if self.instance.workspace_id else None)


def _foreign(workspace: Any, value: Any) -> str:
    if isinstance(value, WorkspaceOwned) and value.workspace_id != workspace.pk:
        return SAME_WORKSPACE
    if isinstance(value, get_user_model()) and not workspace.memberships.filter(user=value).exists():
        return NOT_A_MEMBER
    return ""


class ConsoleAdmin(_Page):
    """`fixed_fields` are set when a row is added and never changed; `id_search` are the ids that can be searched.

    A search never reads content: an id matches keys, other words match `search_fields`.
    """

    fixed_fields: ClassVar[tuple[str, ...]] = ()
    id_search: ClassVar[tuple[str, ...]] = ("id",)
    search_fields: ClassVar[tuple[str, ...]] = ("id",)
    search_help_text = "Search by id"
    ordering: ClassVar[tuple[str, ...]] = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True
    list_fullwidth = True
    warn_unsaved_form = True

    def label(self, row: Any) -> str:
        """The row's label."""
        return str(row)

    def cards(self) -> Iterable[Card]:
        """Cards for the console's first page."""
        return ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fixed = self.fixed_fields if obj else ()
        return (*super().get_readonly_fields(request, obj), *fixed)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        wanted = _uuid(search_term)
        if wanted is not None:
            return queryset.filter(Q.create([(name, wanted) for name in self.id_search], connector=Q.OR)), False
        if search_term and self.search_fields == ("id",):
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, form_class=LabelledChoice, **kwargs)


class ServiceAdmin(ConsoleAdmin):
    """Base class for rows that services write: a refusal is shown on the form, which keeps its input."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except ContinuityError as error:
            # The writes are rolled back already.
            vars(request)["refusal"] = error.detail
            return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> Any:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ContinuityError as error:
            self.message_user(request, error.detail, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        # Every call creates a new class.
        form.refusal = vars(request).get("refusal", "")
        return form


class ReadOnlyAdmin(ConsoleAdmin):
    """Base class for rows that only the system writes."""

    warn_unsaved_form = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TableInline(_Table):
    extra = 0
    hide_title = True
    tab = True

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, form_class=LabelledChoice, **kwargs)


class NamedFormSet(_FormSet):
    """Fields are named after their table; Django would name them after the reverse relation, which tenants lack."""

    @classmethod
    def get_default_prefix(cls) -> str:
        return str(cls.model._meta.model_name) if cls.model else super().get_default_prefix()


class StackInline(_Stack):
    extra = 0
    tab = True
    formset = NamedFormSet


def is_set(field: str, question: str) -> type[admin.SimpleListFilter]:
    """Return a filter with yes and no: whether a field that may be empty has a value."""

    class IsSet(admin.SimpleListFilter):
        title = question
        parameter_name = f"{field}__isempty"

        def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
            return [("0", "Yes"), ("1", "No")]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{f"{field}__isnull": self.value() == "1"}) if self.value() else queryset

    return IsSet


def counted(count: int, thing: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "key"), counted(2_000, "key")
    ('1 key', '2,000 keys')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def choices(field: str) -> tuple[str, type[Any]]:
    """Return a filter by the labels of a field with choices."""
    return (field, ChoicesDropdownFilter)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None
