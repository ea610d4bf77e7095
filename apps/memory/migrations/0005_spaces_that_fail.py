from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0004_what_the_tree_gives'),
    ]

    operations = [
        migrations.AddField(
            model_name='embeddingspace',
            name='error',
            field=models.CharField(blank=True, help_text='Of its last failure.', max_length=500),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='error_code',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='failures',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='retry_at',
            field=models.DateTimeField(blank=True, help_text='When its model is asked again.', null=True),
        ),
    ]
