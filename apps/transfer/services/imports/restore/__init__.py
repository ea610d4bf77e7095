"""Items that only our own export has: restored with the links, histories and summaries that other stores lack."""
