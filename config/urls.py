"""Root URL configuration."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from apps.api.framework import error_pages
from apps.api.jobs.health import AliveView, ReadyView
from apps.api.spa.views import PAGE_ADDRESSES, page

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("apps.api.urls")),
    path("api/v1/", include("apps.api.urls")),
    path("healthz", AliveView.as_view(), name="healthz"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    re_path(PAGE_ADDRESSES, page, name="page"),
]

handler400 = error_pages.bad_request
handler403 = error_pages.permission_denied
handler404 = error_pages.not_found
handler500 = error_pages.server_error
