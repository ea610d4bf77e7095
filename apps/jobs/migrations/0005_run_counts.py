from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename the model of run counts, but not its table."""

    dependencies = [
        ('jobs', '0004_surviving_jobs'),
    ]

    operations = [
        migrations.AlterModelTable(name='jobtally', table='jobs_jobtally'),
        migrations.RenameModel(old_name='JobTally', new_name='RunCount'),
        migrations.AlterField(
            model_name='duejob',
            name='rests',
            field=models.PositiveIntegerField(db_default=0, default=0, verbose_name='times failed'),
        ),
    ]
