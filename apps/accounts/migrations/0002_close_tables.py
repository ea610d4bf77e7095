from django.db import migrations

from apps.common.database_role import APPLICATION_ROLE
from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        close_table("accounts_workspacepolicy"),
        close_table("accounts_idempotencykey"),
        migrations.RunSQL(
            f"REVOKE UPDATE, DELETE ON accounts_operatoraccess FROM {APPLICATION_ROLE}",
            f"GRANT UPDATE, DELETE ON accounts_operatoraccess TO {APPLICATION_ROLE}",
        ),
    ]
