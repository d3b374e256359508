"""A server on either generation of the SDK for Python, over stdio."""

try:
    from mcp.server.mcpserver import MCPServer as Server

    GENERATION = 2
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

    GENERATION = 1

server = Server("python")


@server.tool()
def add(a: float, b: float) -> float:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    raise ValueError("it always fails")


@server.resource(f"data://python-{GENERATION}")
def answer() -> str:
    return "42"


server.run(transport="stdio")
