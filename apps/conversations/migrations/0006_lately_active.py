from django.db import migrations, models
from django.db.models.functions import Now
from django.utils import timezone

# What is there already was last changed when something was last said in it, or not much later.
_FROM_CHANGES = """
SELECT set_config('app.operator', 'on', true);
UPDATE conversations_conversation SET active_at = updated_at;
SELECT set_config('app.operator', '', true);
"""


class Migration(migrations.Migration):
    dependencies = [("conversations", "0005_excluded_index")]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="active_at",
            field=models.DateTimeField(
                db_default=Now(), default=timezone.now, editable=False, help_text="When something was last said in it."
            ),
        ),
        migrations.RunSQL(_FROM_CHANGES, migrations.RunSQL.noop),
        migrations.RemoveIndex(model_name="conversation", name="conversation_newest"),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["workspace", "owner", "-active_at", "-id"], name="conversation_lately_active"),
        ),
    ]
