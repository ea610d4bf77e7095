from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('compaction', '0005_gone_and_fell_back'),
    ]

    operations = [
        migrations.AlterField(
            model_name='compactionrun',
            name='model',
            field=models.CharField(blank=True, max_length=120),
        ),
    ]
