"""`manage.py encoders_convert`: convert the encoders of the product when its environment is made."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.llm.embedding.encoder_files import EncoderSource, converted, encoder_key
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE
from apps.llm.errors import ModelError
from apps.llm.reading.installed import installed_reader
from apps.llm.relevance.installed import relevance_network


class Command(BaseCommand):
    help = "Convert the encoders for CTranslate2 into the virtual environment, and remove those of older weights."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        folder = Path(settings.PREPARED_ENCODERS)
        settings.ENCODER_ROOT = folder
        try:
            current = [_converted(source, self) for source in _sources()]
        except ModelError as error:
            raise CommandError(error.detail) from error
        for other in set(folder.iterdir()) - {*current, folder / "lock"}:
            shutil.rmtree(other)


def _sources() -> Iterable[EncoderSource]:
    networks = [*installed_reader().networks, relevance_network()]
    return [MINILM_SOURCE, *(network.source for network in networks)]


def _converted(source: EncoderSource, command: BaseCommand) -> Path:
    if not (Path(settings.PREPARED_ENCODERS) / encoder_key(source)).exists():
        command.stderr.write(f"Converting {encoder_key(source)} …")
    return converted(source)
