# A system that is a folder of its card: what it needs at run time is Node and that folder.
ARG RUNTIME
FROM ${RUNTIME}
COPY . /app
WORKDIR /app
