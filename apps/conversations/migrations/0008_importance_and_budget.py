from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0007_list_lately_active")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="importance",
            field=models.FloatField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="conversation",
            name="token_budget",
            field=models.PositiveIntegerField(
                blank=True, help_text="Of its packs, unless one is asked for.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="conversation",
            name="version",
            field=models.PositiveIntegerField(
                default=1, help_text="Of what people edit: title, prompt, budget, archive."
            ),
        ),
    ]
