from django.urls import path

from apps.api.usage.views import UsageView

urlpatterns = [
    path("usage", UsageView.as_view(), name="usage"),
]
