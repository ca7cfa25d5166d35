# A streaming proxy as an ASGI application, of Python's own library alone: the request is passed on to one
# upstream, its answer is passed back as it comes. It does what the specification asks of it: it listens for
# `http.disconnect` all the while, and closes its upstream when that comes. What is judged is the server below.
import asyncio
import os

HOST, PORT = os.environ["UPSTREAM"].rsplit(":", 1)
CHUNK = 64 * 1024


async def body_of(receive):
    parts, more = [], True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def head_of(scope, body):
    path = scope.get("raw_path") or scope["path"].encode()
    query = b"?" + scope["query_string"] if scope.get("query_string") else b""
    # Version 1.0: the answer is not chunked, and ends with its connection.
    lines = [b"%s %s%s HTTP/1.0" % (scope["method"].encode(), path.split(b"?")[0], query)]
    dropped = (b"connection", b"content-length", b"transfer-encoding")
    lines += [b"%s: %s" % (name, value) for name, value in scope["headers"] if name not in dropped]
    return b"\r\n".join([*lines, b"content-length: %d" % len(body), b"", body])


async def answer(reader, send):
    head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    headers = [line.split(b": ", 1) for line in head[1:] if line]
    kept = [(name.lower(), value) for name, value in headers if name.lower() not in (b"connection", b"keep-alive")]
    await send({"type": "http.response.start", "status": int(head[0].split()[1]), "headers": kept})
    while chunk := await reader.read(CHUNK):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def gone(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


async def proxy(scope, receive, send):
    body = await body_of(receive)
    if body is None:
        return
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        writer.write(head_of(scope, body))
        # Whichever comes first: all of the answer, or the client's leave.
        both = [asyncio.ensure_future(answer(reader, send)), asyncio.ensure_future(gone(receive))]
        done, left = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if both[0] in done:
            both[0].result()
    finally:
        writer.close()


async def app(scope, receive, send):
    if scope["type"] == "http":
        await proxy(scope, receive, send)
    elif scope["type"] == "lifespan":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": message["type"] + ".complete"})
        await send({"type": "lifespan.shutdown.complete"})
