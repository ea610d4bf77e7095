"""Parts of the studies that need no database: replay, simulation, coverage."""
