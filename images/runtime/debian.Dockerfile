# Debian packages from a published image of Debian (HANGUP_DEBIAN_IMAGE).
ARG BASE
FROM ${BASE}
ARG PACKAGES
USER root
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${PACKAGES} \
  && rm -rf /var/lib/apt/lists/*
ENTRYPOINT []
CMD ["/bin/sh"]
