"""A server on either generation of the SDK for Python, over stdio."""

try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("python")


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
