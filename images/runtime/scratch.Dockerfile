# The base of the actors' image where no registry is asked: a root folder that images-scratch.ts
# has put together from the Node binary that is running and the libraries that it names.
FROM scratch
COPY root/ /
# The archive of a build folder does not carry such modes.
RUN ["/usr/local/bin/node", "-e", "fs.chmodSync('/tmp', 0o1777); fs.chmodSync('/stage', 0o777)"]
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin LANG=C.UTF-8
CMD ["node"]
