"""The client of mcp-use, without an agent."""

import asyncio
import os

os.environ["MCP_USE_ANONYMIZED_TELEMETRY"] = "false"

from mcp import types  # noqa: E402
from mcp_use import MCPClient  # noqa: E402
from program import Unsupported, play, run, stdio, text_of, url  # noqa: E402

asked = []
updated = asyncio.Queue()


async def elicit(_context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"name": "Grace"})


async def sample(_context, params):
    asked.append(text_of(params.messages[0]))
    return types.CreateMessageResult(role="assistant", model="suite", content=types.TextContent(type="text", text="word"))


async def main():
    config = {"mcpServers": {"longhaul": {"url": url} if stdio is None else stdio}}
    client = MCPClient(config, elicitation_callback=elicit, sampling_callback=sample)
    await play(scenarios(await client.create_session("longhaul")))
    await client.close_all_sessions()


def scenarios(session):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await session.call_tool(name, arguments or {}))

    async def names():
        return [tool.name for tool in await session.list_tools()]

    async def structured():
        return (await session.call_tool("suite-add", {"a": 1, "b": 2})).structuredContent

    async def answered(name):
        return {"text": await call(name), "asked": asked.pop()}

    async def resources():
        listed = await session.list_resources()
        read = await session.read_resource("suite://note")
        return {"uris": [str(resource.uri) for resource in listed], "text": text_of(read.contents)}

    async def prompts():
        prompt = await session.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in await session.list_prompts()], "text": text_of(prompt.messages)}

    return {
        "list": names,
        "version": lambda: call("suite-version"),
        "call": lambda: call("suite-greet", {"name": "Ada"}),
        "structured": structured,
        "progress": Unsupported("it asks for none"),
        "elicitation": lambda: answered("suite-ask"),
        "sampling": lambda: answered("suite-sample"),
        "resources": resources,
        "prompts": prompts,
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": no_tasks,
        "cancel": no_tasks,
        "outlive": lambda: call("suite-outlive"),
        "afterwards": lambda: call("suite-greet", {"name": "Ada"}),
    }


run(main)
