"""Operations, health and readiness over HTTP."""
