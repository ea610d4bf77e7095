from django.db import migrations

from apps.common.rls import renew_policies


class Migration(migrations.Migration):
    """Tables that are closed later have these policies from the beginning."""

    dependencies = [("accounts", "0003_context_settings")]

    operations = [renew_policies()]
