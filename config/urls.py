"""Every URL starts here."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from apps.api.conventions import fallbacks
from apps.api.page.views import PAGE_ADDRESSES, page
from apps.api.work.health import AliveView, ReadyView

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("apps.api.urls")),
    path("api/v1/", include("apps.api.urls")),
    path("healthz", AliveView.as_view(), name="healthz"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    re_path(PAGE_ADDRESSES, page, name="page"),
]

handler400 = fallbacks.bad_request
handler403 = fallbacks.permission_denied
handler404 = fallbacks.not_found
handler500 = fallbacks.server_error
