from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [
        close_table("pinned_memory"),
        close_table("user_memory"),
        close_table("mem_nodes"),
    ]
