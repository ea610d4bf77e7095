from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("llm", "0002_close_tables")]

    operations = [
        migrations.AddField(
            model_name="modelusage",
            name="message_id",
            field=models.UUIDField(blank=True, help_text="The reply that it wrote.", null=True),
        ),
        migrations.AddIndex(
            model_name="modelusage",
            index=models.Index(
                condition=models.Q(message_id__isnull=False),
                fields=["workspace", "message_id"],
                name="model_usage_of_message",
            ),
        ),
    ]
