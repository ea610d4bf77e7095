from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        close_table("jobs_operation"),
    ]
