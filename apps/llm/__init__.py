"""Access to language models; without a configured model, the engine's offline fallbacks are used."""
