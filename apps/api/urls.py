"""URL configuration of the API, served under /api/ and /api/v1/."""

from django.urls import include, path

from apps.api.openapi.views import DocsView, schema

urlpatterns = [
    path("", include("apps.api.accounts.urls")),
    path("", include("apps.api.conversations.urls")),
    path("", include("apps.api.extraction.urls")),
    path("", include("apps.api.compaction.urls")),
    path("", include("apps.api.agents.urls")),
    path("", include("apps.api.transfer.urls")),
    path("", include("apps.api.context.urls")),
    path("", include("apps.api.memory.urls")),
    path("", include("apps.api.inbox.urls")),
    path("", include("apps.api.llm.urls")),
    path("", include("apps.api.turns.urls")),
    path("", include("apps.api.jobs.urls")),
    path("schema", schema, name="schema"),
    path("docs", DocsView.as_view(), name="docs"),
]
