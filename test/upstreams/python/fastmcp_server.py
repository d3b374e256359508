"""A server on FastMCP, with tools that are tasks and tools that are none. Prints its URL."""

import asyncio
import socket

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp_tasks import TasksExtension
from pydantic import BaseModel

mcp = FastMCP("fastmcp")
mcp.add_extension(TasksExtension(url="memory://"))


class Person(BaseModel):
    name: str
    tags: list[str] = []


@mcp.tool
def add(a: float, b: float) -> float:
    """Adds two numbers."""
    return a + b


@mcp.tool
def person(name: str) -> Person:
    return Person(name=name, tags=["one"])


@mcp.tool
def fail() -> str:
    raise ToolError("it always fails")


@mcp.tool(annotations={"readOnlyHint": True})
async def slow_read(seconds: float) -> str:
    """Only reads, and takes long."""
    await asyncio.sleep(seconds)
    return f"read after {seconds:g} s"


@mcp.tool(task=True)
async def slow_task(seconds: float) -> str:
    """Takes long, and may be a task."""
    await asyncio.sleep(seconds)
    return f"done after {seconds:g} s"


@mcp.prompt
def greeting(who: str) -> str:
    return f"Say hello to {who}."


@mcp.resource("data://answer")
def answer() -> str:
    return "42"


with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
print(f"http://127.0.0.1:{port}/mcp", flush=True)
mcp.run(transport="http", host="127.0.0.1", port=port, show_banner=False, log_level="error")
