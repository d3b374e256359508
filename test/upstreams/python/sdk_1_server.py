"""A server on the SDK for Python, generation 1, over stdio."""

from mcp.server.fastmcp import FastMCP as Server

server = Server("python-1")


@server.tool()
def add(a: float, b: float) -> float:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    raise ValueError("it always fails")


@server.resource("data://answer")
def answer() -> str:
    return "42"


server.run(transport="stdio")
