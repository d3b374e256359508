"""A server on the SDK for Python, generation 2, over stdio."""

from mcp.server.mcpserver import MCPServer as Server

server = Server("python-2")


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
