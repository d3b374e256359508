"""The client of mcp-use, without an agent."""

import os

os.environ["MCP_USE_ANONYMIZED_TELEMETRY"] = "false"

from common_scenarios import call_scenarios, fill_in, generate, kill_scenarios, session_scenarios  # noqa: E402
from mcp import types  # noqa: E402
from mcp_use import MCPClient  # noqa: E402
from program import Unsupported, play, run, stdio, text_of, url  # noqa: E402


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=fill_in(params.message))


async def sample(_context, params):
    content = types.TextContent(type="text", text=generate(params.messages))
    return types.CreateMessageResult(role="assistant", model="suite", content=content)


async def main():
    config = {"mcpServers": {"longhaul": {"url": url} if stdio is None else stdio}}
    client = MCPClient(config, elicitation_callback=elicit, sampling_callback=sample)
    await play(*scenarios(await client.create_session("longhaul")))
    await client.close_all_sessions()


def scenarios(session):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await session.call_tool(name, arguments or {}))

    async def structured():
        return (await session.call_tool("suite-add", {"a": 1, "b": 2})).structuredContent

    return call, {
        **call_scenarios(call),
        **session_scenarios(session),
        "structured": structured,
        "progress": Unsupported("it asks for none"),
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": no_tasks,
        "cancel": no_tasks,
        **kill_scenarios(call),
    }


run(main)
