"""Every URL starts here."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from apps.api.conventions import fallbacks
from apps.api.work.health import AliveView, ReadyView

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("apps.api.urls")),
    path("api/v1/", include("apps.api.urls")),
    path("healthz", AliveView.as_view(), name="healthz"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
]

handler400 = fallbacks.bad_request
handler403 = fallbacks.permission_denied
handler404 = fallbacks.not_found
handler500 = fallbacks.server_error
