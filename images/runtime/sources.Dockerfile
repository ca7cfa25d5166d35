# The actors' image: Node (the base) and our sources, nothing else. Compiling them once, here, makes
# each start of an actor four times as cheap; systems on this image do not get that setting.
ARG BASE
FROM ${BASE}
COPY . /hangup
WORKDIR /hangup
RUN ["node", "warm.mjs"]
