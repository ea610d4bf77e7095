from django.urls import path

from apps.api.transfer.export import ExportView
from apps.api.transfer.import_files import ImportFilesCancelView, ImportFilesView
from apps.api.transfer.imports import ImportItemsView, ImportReportView

urlpatterns = [
    path("export", ExportView.as_view(), name="export"),
    path("imports/files", ImportFilesView.as_view(), name="import-files"),
    path("imports/files/cancel", ImportFilesCancelView.as_view(), name="import-files-cancel"),
    path("imports/<uuid:import_id>", ImportReportView.as_view(), name="import-report"),
    path("imports/<slug:source>", ImportItemsView.as_view(), name="import-items"),
]
