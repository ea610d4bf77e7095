from django.urls import path, register_converter

from apps.api.models.converters import KeyedBackend
from apps.api.models.views import ModelKeyView, ModelsView, ModelTestView

register_converter(KeyedBackend, "keyed_backend")

urlpatterns = [
    path("models", ModelsView.as_view(), name="models"),
    path("models/test", ModelTestView.as_view(), name="model-test"),
    path("models/keys/<keyed_backend:backend>", ModelKeyView.as_view(), name="model-key"),
]
