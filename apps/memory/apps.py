from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "apps.memory"

    def ready(self) -> None:
        import psycopg  # noqa: PLC0415  # once Django is set up
        from pgvector import HalfVector  # noqa: PLC0415
        from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper  # noqa: PLC0415

        # A statement says that it is a vector, so no connection has to ask for the number of its type.
        # As text it stands in Django's log of statements; the last is what is sent.
        for dumper in (HalfVectorDumper, HalfVectorBinaryDumper):
            psycopg.adapters.register_dumper(HalfVector, dumper)
