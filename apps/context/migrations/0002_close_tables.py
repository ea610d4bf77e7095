from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("context", "0001_initial")]

    operations = [close_table("context_packepoch")]
