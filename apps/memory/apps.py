import psycopg
from django.apps import AppConfig
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper


class MemoryConfig(AppConfig):
    name = "apps.memory"

    def ready(self) -> None:
        # A statement says that it is a vector, so no connection has to ask for the number of its type.
        # As text it stands in Django's log of statements; the last is what is sent.
        for dumper in (HalfVectorDumper, HalfVectorBinaryDumper):
            psycopg.adapters.register_dumper(HalfVector, dumper)
