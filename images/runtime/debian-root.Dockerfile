# Debian packages where no registry is asked: a root file system that mmdebstrap has put together.
FROM scratch
ADD root.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
CMD ["/bin/sh"]
