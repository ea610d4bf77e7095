from django.db import migrations

import apps.conversations.models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0003_running_turn")]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="state_version",
            field=apps.conversations.models.Advancing(
                default=0, db_default=0, editable=False, help_text="Of what those see who look at it."
            ),
        ),
    ]
