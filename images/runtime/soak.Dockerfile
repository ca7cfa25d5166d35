# hangup itself, to be run where there are containers and no clone: the base of the actors' image, the
# programs that make namespaces (root/), our sources and the packages that they use (hangup/).
ARG BASE
FROM ${BASE}
COPY root/ /
COPY hangup/ /hangup
WORKDIR /hangup
ENV HOME=/root
VOLUME ["/evidence"]
ENTRYPOINT ["node", "/hangup/harness/hangup.mjs"]
CMD ["soak", "--runtime", "process", "--output", "/evidence"]
