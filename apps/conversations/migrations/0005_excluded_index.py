from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_close_tables"), ("conversations", "0004_state_version")]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                fields=["workspace", "conversation", "-index"],
                condition=models.Q(excluded=True),
                name="message_excluded",
            ),
        ),
    ]
