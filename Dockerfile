# syntax=docker/dockerfile:1
# One image for every program: web (the default command), worker, dispatcher and migrations. The image has
# neither PostgreSQL nor Redis: docker-compose.yml runs them as services.

FROM python:3.11-slim-bookworm AS builder
ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python3 -m venv /opt/venv
COPY requirements.txt ./
RUN /opt/venv/bin/python -m pip install --no-input --no-deps --require-hashes -r requirements.txt \
    && /opt/venv/bin/python -m pip uninstall --yes pip setuptools


FROM node:24-bookworm-slim AS page
WORKDIR /page
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend ./
RUN npm run build


FROM python:3.11-slim-bookworm AS runtime
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Continuity" \
      org.opencontainers.image.description="The memory and context server for applications that talk to language models." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH=/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    LOG_FORMAT=json \
    CONTINUITY_HOME=/var/lib/continuity \
    CONTINUITY_STATIC_ROOT=/app/static
# A volume mounted here inherits this folder's owner.
RUN groupadd --gid 10001 continuity \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/continuity --shell /usr/sbin/nologin continuity \
    && install --directory --mode=0700 --owner=10001 --group=10001 /var/lib/continuity
WORKDIR /app
COPY --from=builder /opt/venv /opt/venv
COPY LICENSE manage.py ./
COPY config ./config
COPY apps ./apps
COPY client/src ./client/src
COPY --from=page /page/dist ./frontend/dist
# The commands read the settings, which require a key: a throwaway one.
RUN export SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(48))')" REDIS_URL=redis://nowhere.invalid \
    && python manage.py collectstatic --noinput -v 0 \
    && python manage.py encoders_convert \
    && python -m compileall -q manage.py config apps client/src
USER 10001:10001
EXPOSE 37777
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-m", "config.container_healthcheck", "/healthz"]
CMD ["python", "-m", "config.web_server", "--host", "0.0.0.0", "--port", "37777", "--grace", "20"]
