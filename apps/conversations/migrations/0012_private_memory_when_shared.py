from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conversations', '0011_estimates_by_script'),
    ]

    operations = [
        migrations.AddField(
            model_name='conversation',
            name='private_memory_when_shared',
            field=models.BooleanField(db_default=False, default=False, help_text="Whether its owner's turns use private memories and other chats although others read it."),
        ),
    ]
