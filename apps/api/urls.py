"""The one list of addresses, served under /api/ and /api/v1/."""

from django.urls import include, path

from apps.api.conventions.documentation import DocsView, SchemaView

urlpatterns = [
    path("", include("apps.api.accounts.urls")),
    path("", include("apps.api.conversations.urls")),
    path("", include("apps.api.loops.urls")),
    path("", include("apps.api.memory.urls")),
    path("", include("apps.api.models.urls")),
    path("", include("apps.api.turns.urls")),
    path("", include("apps.api.usage.urls")),
    path("", include("apps.api.work.urls")),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
]
