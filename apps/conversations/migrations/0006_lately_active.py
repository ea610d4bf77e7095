from django.db import migrations, models
from django.db.models.functions import Now
from django.utils import timezone


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
    ]
