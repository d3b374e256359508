"""The web that Longhaul sees in the suite of Fetch: what the suite would have answered the client of the reference.

Longhaul is given it as its proxy, because the pages are at names and by https, which no server on this machine could be
found at. A tunnel ends here, with a certificate that is made for its host. `GET /addresses/NAME`, which is asked of the
proxy itself, says what a name resolves to.
"""

import json
import os
import socket
import ssl
from contextlib import asynccontextmanager

import anyio
import httpx
import trustme
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.tls import TLSStream

END_OF_HEADERS = b"\r\n\r\n"
MAX_HEADERS = 16_384

authority = trustme.CA()
certificate = os.path.abspath("authority.pem")
authority.cert_pem.write_to_path(certificate)


@asynccontextmanager
async def loopback_web(reference):
    """Serves while it is entered, and gives the variables of the environment that lead there."""

    async def serve(connection):
        async with connection:
            await answer_client(connection, reference)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, serve)
        url = "http://127.0.0.1:%d" % listener.extra(anyio.abc.SocketAttribute.local_port)
        yield {"PEERS_WEB": url, "LONGHAUL_FETCH_PROXY_URL": url, "NODE_EXTRA_CA_CERTS": certificate}
        group.cancel_scope.cancel()


async def answer_client(connection, reference):
    """One request for each connection."""
    method, target, headers = await read_request(connection)
    if method == "CONNECT":
        await connection.send(b"HTTP/1.1 200 OK" + END_OF_HEADERS)
        host, _ = target.rsplit(":", 1)
        connection = await TLSStream.wrap(connection, server_side=True, ssl_context=context_for(host), standard_compatible=False)
        method, path, headers = await read_request(connection)
        target = f"https://{target.removesuffix(':443')}{path}"
    if target.startswith("/addresses/"):
        response = await addresses_of(target.removeprefix("/addresses/"), reference)
    else:
        response = page_of(httpx.Request(method, target, headers=headers), reference)
    # A page that the suite has no server for.
    if response is None:
        return
    headers = [(name, value) for name, value in response.headers.items() if name not in ("content-length", "transfer-encoding")]
    headers += [("content-length", str(len(response.content))), ("connection", "close")]
    lines = [f"HTTP/1.1 {response.status_code} As the suite says", *(f"{name}: {value}" for name, value in headers)]
    await connection.send("\r\n".join(lines).encode() + END_OF_HEADERS + response.content)


async def read_request(connection):
    head = await BufferedByteReceiveStream(connection).receive_until(END_OF_HEADERS, MAX_HEADERS)
    first, *lines = head.decode().split("\r\n")
    method, target, _ = first.split(" ")
    return method, target, [line.split(": ", 1) for line in lines]


def context_for(host):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(host).configure_cert(context)
    return context


async def addresses_of(name, reference):
    """The suite replaces how the reference resolves names."""
    try:
        return httpx.Response(200, content=json.dumps(await reference._resolve_host(name)))
    except socket.gaierror:
        return httpx.Response(404)


def page_of(request, reference):
    """The suite replaces the transport and the resolver by two methods of one object. Without it there is no web."""
    web = getattr(reference._resolve_host, "__self__", None)
    try:
        return web and web.handle(request)
    except httpx.ConnectError:
        return None
