"""The dispatcher process, which hands due jobs to executors. Several may run; row locks coordinate them."""
