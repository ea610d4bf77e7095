from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conversations', '0009_retrievable'),
    ]

    operations = [
        migrations.AddField(
            model_name='conversation',
            name='extra_tokens',
            field=models.BigIntegerField(db_default=0, default=0, editable=False, help_text='The sum over the messages that are not excluded.'),
        ),
        migrations.AddField(
            model_name='message',
            name='extra_tokens',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False, help_text='What the default estimate, by script, counts beyond `token_count`.'),
        ),
    ]
