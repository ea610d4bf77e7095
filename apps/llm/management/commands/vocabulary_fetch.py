"""`manage.py vocabulary_fetch`: download the vocabularies of byte-pair encodings ahead of use."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from apps.llm.tokenizers import VOCABULARIES, Vocabulary


class Command(BaseCommand):
    help = "Download the vocabularies of byte-pair encodings into TIKTOKEN_CACHE_DIR, unless they are already there."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        for name, vocabulary in VOCABULARIES.items():
            self.stderr.write(f"{name}: {_fetch(vocabulary)}")


def _fetch(vocabulary: Vocabulary) -> str:
    from tiktoken.load import read_file  # noqa: PLC0415  # only this command downloads

    file = vocabulary.file
    if file.exists() and vocabulary.fits(file.read_bytes()):
        return "already there"
    try:
        data = read_file(vocabulary.url)
    except OSError as error:
        raise CommandError(f"{vocabulary.url} cannot be fetched ({type(error).__name__}).") from None
    if not vocabulary.fits(data):
        raise CommandError(f"{vocabulary.url} does not have the expected checksum; nothing is stored.")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_bytes(data)
    part.replace(file)
    return f"{len(data):,} bytes"
