# The base of the actors' image where no registry is asked: a root folder that images-scratch.ts
# has put together from the Node binary that is running and the libraries that it names.
FROM scratch
COPY root/ /
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin LANG=C.UTF-8
CMD ["node"]
