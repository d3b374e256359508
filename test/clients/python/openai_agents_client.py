"""The MCP servers of the OpenAI Agents SDK, without an agent. It takes the newest version of the protocol that the server has."""

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from common_scenarios import call_scenarios, kill_scenarios, session_scenarios
from program import Unsupported, long, play, run, stdio, text_of, url


async def main():
    # By default it waits for 5 s, which is too short for a machine that does much else.
    options = {} if long else {"client_session_timeout_seconds": 30}
    server = MCPServerStreamableHttp({"url": url}, **options) if stdio is None else MCPServerStdio(stdio, **options)
    async with server:
        await play(*scenarios(server))


def scenarios(server):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await server.call_tool(name, arguments))

    async def structured():
        return (await server.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    return call, {
        **call_scenarios(call),
        **session_scenarios(server),
        "structured": structured,
        "progress": Unsupported("it asks for none"),
        "elicitation": Unsupported("it answers none"),
        "sampling": Unsupported("it answers none"),
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": no_tasks,
        "cancel": no_tasks,
        **kill_scenarios(call, resumes=False),
    }


run(main)
