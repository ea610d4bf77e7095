"""`manage.py encoders_convert`: convert the encoders of the product when its environment is made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.llm.embedding.encoder_files import EncoderSource, converted, encoder_key
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE
from apps.llm.errors import ModelError
from apps.llm.reading.installed import installed_reader
from apps.llm.relevance.installed import relevance_network


class Command(BaseCommand):
    help = (
        "Convert the encoders for CTranslate2 into the virtual environment, and remove those of older weights. Encoders"
        " whose package is not installed are left out."
    )
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        folder = Path(settings.PREPARED_ENCODERS)
        settings.ENCODER_ROOT = folder
        current = {folder / "lock", *map(self._converted, self._sources())}
        for other in set(folder.iterdir()) - current:
            shutil.rmtree(other, ignore_errors=True)

    def _sources(self) -> Iterator[EncoderSource]:
        yield MINILM_SOURCE
        try:
            yield from (network.source for network in (installed_reader().network, relevance_network()))
        except ModelError as error:
            self.stderr.write(error.detail)

    def _converted(self, source: EncoderSource) -> Path:
        if not (Path(settings.PREPARED_ENCODERS) / encoder_key(source)).exists():
            self.stderr.write(f"Converting {encoder_key(source)} …")
        return converted(source)
