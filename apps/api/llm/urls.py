from django.urls import path, register_converter

from apps.api.llm.models import ModelKeyView, ModelsView, ModelTestView
from apps.api.llm.url_converters import KeyedBackend
from apps.api.llm.usage import UsageView

register_converter(KeyedBackend, "keyed_backend")

urlpatterns = [
    path("usage", UsageView.as_view(), name="usage"),
    path("models", ModelsView.as_view(), name="models"),
    path("models/test", ModelTestView.as_view(), name="model-test"),
    path("models/keys/<keyed_backend:backend>", ModelKeyView.as_view(), name="model-key"),
]
