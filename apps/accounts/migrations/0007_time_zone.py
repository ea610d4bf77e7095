from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_pairing'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='time_zone',
            field=models.CharField(
                blank=True, db_default='', default='', help_text='Name in the IANA database; UTC if empty.', max_length=64
            ),
        ),
    ]
