import psycopg
from django.apps import AppConfig
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper


class MemoryConfig(AppConfig):
    name = "apps.memory"

    def ready(self) -> None:
        # Statements cast to the vector type, so connections need not look up its OID.
        # The text dumper serves Django's query log; the dumper registered last is used for sending.
        for dumper in (HalfVectorDumper, HalfVectorBinaryDumper):
            psycopg.adapters.register_dumper(HalfVector, dumper)
