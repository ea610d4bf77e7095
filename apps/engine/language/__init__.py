"""Reading English text: sentences, similarity, cues, dates, excerpts."""
