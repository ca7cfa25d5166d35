# A metered streaming proxy as one would write it with FastAPI and httpx: StreamingResponse over the upstream's
# stream, clean-up in `finally`, and nothing that looks for a client that has gone. That is the server's and the
# framework's business, and which pairs of them do it is what this system is here to show.
import asyncio
import json
import os
from contextlib import asynccontextmanager

import httpx
from billing import Ledger
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, StreamingResponse

UPSTREAM = os.environ["UPSTREAM_URL"]
RENEWAL_S = int(os.environ["RENEWAL_MS"]) / 1000
LEASE_MS = int(os.environ["LEASE_MS"])
SWEEP_S = int(os.environ["SWEEP_MS"]) / 1000
READ_S = int(os.environ["READ_MS"]) / 1000
RESERVE = int(os.environ["RESERVE"])
PRICE = int(os.environ["PRICE_PER_EVENT"])


@asynccontextmanager
async def lifespan(app):
    app.state.ledger = Ledger(os.environ["LEDGER"])
    sweeper = asyncio.create_task(sweep(app.state.ledger))
    async with httpx.AsyncClient(timeout=httpx.Timeout(5.0, read=READ_S)) as client:
        app.state.client = client
        yield
    sweeper.cancel()
    app.state.ledger.close()


app = FastAPI(lifespan=lifespan)


async def sweep(ledger):
    while True:
        await asyncio.sleep(SWEEP_S)
        ledger.sweep(LEASE_MS)


async def heartbeat(ledger, reservation):
    while True:
        await asyncio.sleep(RENEWAL_S)
        if not ledger.renew(reservation):
            return


def account_of(request):
    account = request.app.state.ledger.account_of(request.headers.get("authorization", "").removeprefix("Bearer "))
    if account is None:
        raise HTTPException(401, "unknown key")
    return account


def is_content(line):
    if not line.startswith("data: {"):
        return False
    choices = json.loads(line.removeprefix("data: ")).get("choices") or []
    return any(choice.get("delta", {}).get("content") for choice in choices)


async def relay(upstream, ledger, reservation, renewing):
    delivered = 0
    try:
        async for line in upstream.aiter_lines():
            if is_content(line):
                delivered += 1
            yield line + "\n"
    finally:
        renewing.cancel()
        ledger.settle(reservation, delivered * PRICE)
        await upstream.aclose()


@app.post("/v1/chat/completions")
async def chat(request: Request):
    account = account_of(request)
    body = await request.json()
    ledger = request.app.state.ledger
    reservation = ledger.reserve(account, RESERVE, body.get("user"))
    if reservation is None:
        raise HTTPException(402, "the balance does not suffice")
    renewing = asyncio.create_task(heartbeat(ledger, reservation))
    try:
        client = request.app.state.client
        upstream = await client.send(client.build_request("POST", f"{UPSTREAM}/v1/chat/completions", json=body), stream=True)
    except BaseException as error:
        renewing.cancel()
        ledger.settle(reservation, 0)
        if isinstance(error, httpx.HTTPError):
            raise HTTPException(502, "the upstream failed") from error
        raise
    return StreamingResponse(
        relay(upstream, ledger, reservation, renewing),
        status_code=upstream.status_code,
        media_type=upstream.headers.get("content-type"),
    )


@app.get("/v1/models")
async def models(request: Request):
    answer = await request.app.state.client.get(f"{UPSTREAM}/v1/models")
    return JSONResponse(answer.json(), status_code=answer.status_code)


@app.post("/refund")
async def refund(request: Request):
    paid = request.app.state.ledger.refund(account_of(request))
    if paid is None:
        raise HTTPException(400, "there are ongoing requests for this key")
    return {"refunded": paid}
