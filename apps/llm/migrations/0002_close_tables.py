from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("llm", "0001_initial")]

    operations = [close_table("llm_modelusage")]
