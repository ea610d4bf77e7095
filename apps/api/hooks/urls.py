from django.urls import path

from apps.api.hooks.events import HookBatchView, HookEventView
from apps.api.hooks.export import ExportView
from apps.api.hooks.import_files import ImportFilesCancelView, ImportFilesView
from apps.api.hooks.imports import ImportItemsView, ImportReportView
from apps.api.hooks.observations import ObservationsView

urlpatterns = [
    path("export", ExportView.as_view(), name="export"),
    path("hooks/<str:client>", HookEventView.as_view(), name="hook-event"),
    path("hooks/<str:client>/batch", HookBatchView.as_view(), name="hook-batch"),
    path("imports/files", ImportFilesView.as_view(), name="import-files"),
    path("imports/files/cancel", ImportFilesCancelView.as_view(), name="import-files-cancel"),
    path("imports/<uuid:import_id>", ImportReportView.as_view(), name="import-report"),
    path("imports/<slug:source>", ImportItemsView.as_view(), name="import-items"),
    path("sessions/<path:session>/observations", ObservationsView.as_view(), name="observations"),
]
