"""The MCP servers of the OpenAI Agents SDK, without an agent. It takes the newest version of the protocol that the server has."""

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from program import Unsupported, fails, play, run, stdio, text_of, url


async def main():
    options = {"client_session_timeout_seconds": 30}
    server = MCPServerStreamableHttp({"url": url}, **options) if stdio is None else MCPServerStdio(stdio, **options)
    async with server:
        await play(scenarios(server))


def scenarios(server):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await server.call_tool(name, arguments))

    async def names():
        return [tool.name for tool in await server.list_tools()]

    async def structured():
        return (await server.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    async def resources():
        listed = await server.list_resources()
        read = await server.read_resource("suite://note")
        return {"uris": [str(resource.uri) for resource in listed.resources], "text": text_of(read.contents)}

    async def prompts():
        listed = await server.list_prompts()
        prompt = await server.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in listed.prompts], "text": text_of(prompt.messages)}

    ends = Unsupported("it ends when a connection breaks before the response of a call has begun")

    async def afterwards():
        await fails(call("suite-outlive"))
        return await call("suite-greet", {"name": "Ada"})

    return {
        "list": names,
        "version": lambda: call("suite-version"),
        "call": lambda: call("suite-greet", {"name": "Ada"}),
        "structured": structured,
        "progress": Unsupported("it asks for none"),
        "elicitation": Unsupported("it answers none"),
        "sampling": Unsupported("it answers none"),
        "resources": resources,
        "prompts": prompts,
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": no_tasks,
        "cancel": no_tasks,
        "outlive": Unsupported("a call without a task cannot be resumed in 2026-07-28"),
        "afterwards": ends if stdio is None else afterwards,
    }


run(main)
