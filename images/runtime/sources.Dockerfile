# The actors' image: Node (the base) and our sources, nothing else.
ARG BASE
FROM ${BASE}
COPY . /hangup
WORKDIR /hangup
