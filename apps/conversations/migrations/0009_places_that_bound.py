from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Cast

_LIVE = models.Q(compacted_in__isnull=True, excluded=False)
_LIVE_PLACE = Cast("index", models.BigIntegerField())
_INCLUDED_PLACE = Cast("index", models.FloatField())


def _index(place, name, condition):
    return AddIndexConcurrently(
        model_name="message",
        index=models.Index(models.F("workspace"), models.F("conversation"), place, name=name, condition=condition),
    )


class Migration(migrations.Migration):
    """Under row-level security a place that is calculated bounds no index scan; one that is cast does."""

    atomic = False
    dependencies = [("conversations", "0008_importance_and_budget")]

    operations = [
        _index(_LIVE_PLACE, "message_live_place", _LIVE),
        _index(_INCLUDED_PLACE, "message_included_place", models.Q(excluded=False)),
        _index(_LIVE_PLACE, "message_live_user_place", _LIVE & models.Q(role="user")),
        RemoveIndexConcurrently(model_name="message", name="message_live"),
        RemoveIndexConcurrently(model_name="message", name="message_included"),
        RemoveIndexConcurrently(model_name="message", name="message_live_user"),
    ]
