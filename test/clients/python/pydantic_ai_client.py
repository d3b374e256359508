"""The MCP toolset of Pydantic AI, without an agent, in both versions of the protocol."""

import json

import fastmcp_tasks  # noqa: F401: from here clients know tasks
from common_scenarios import call_scenarios, fill_in, generate, kill_scenarios
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from program import Unsupported, is_modern, play, run, stdio, url
from pydantic_ai.mcp import MCPToolset

reports = []


async def elicit(message, _response_type, _params, _context):
    return fill_in(message)


async def sample(messages, _params, _context):
    return generate(messages)


async def report(progress, total, _message):
    reports.append([progress, total])


async def main():
    client = Client(
        url if stdio is None else StdioTransport(**stdio),
        mode="auto" if is_modern else "legacy",
        elicitation_handler=elicit,
        sampling_handler=sample,
        progress_handler=report,
    )
    async with MCPToolset(client, id="longhaul", tool_error_behavior="error") as toolset:
        await play(*scenarios(toolset), follows_tasks=is_modern)


def scenarios(toolset):
    async def call(name, arguments=None):
        return await toolset.direct_call_tool(name, arguments or {})

    async def call_text(name, arguments):
        result = await call(name, arguments)
        return result if isinstance(result, str) else json.dumps(result)

    async def names():
        return [tool.name for tool in await toolset.list_tools()]

    async def progress():
        return {"text": await call("suite-count"), "reports": reports}

    async def resources():
        listed = await toolset.list_resources()
        return {"uris": [resource.uri for resource in listed], "text": await toolset.read_resource("suite://note")}

    async def prompts():
        prompt = await toolset.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in await toolset.list_prompts()], "text": prompt.messages[0].content.content}

    return call_text, {
        **call_scenarios(call),
        "list": names,
        "structured": lambda: call("suite-add", {"a": 1, "b": 2}),
        "progress": progress,
        "resources": resources,
        "prompts": prompts,
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": Unsupported("it returns no task ids"),
        "cancel": Unsupported("it cancels no tasks"),
        **kill_scenarios(call),
    }


run(main)
