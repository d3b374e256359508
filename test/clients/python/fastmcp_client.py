"""FastMCP's client, with tasks by fastmcp-tasks, in both versions of the protocol."""

import asyncio

import mcp_types as types
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp_tasks import call_tool_task
from program import Unsupported, is_modern, play, protocol_version, run, stdio, text_of, url

asked = []
updated = asyncio.Queue()


async def elicit(message, _response_type, _params, _context):
    asked.append(message)
    return {"city": "Oslo"} if "city" in message else {"name": "Grace"}


async def sample(messages, _params, _context):
    asked.append(text_of(messages))
    return "word"


async def receive(message):
    if isinstance(message, types.ResourceUpdatedNotification):
        await updated.put(str(message.params.uri))


async def main():
    async with Client(
        url if stdio is None else StdioTransport(**stdio),
        mode=protocol_version if is_modern else "legacy",
        elicitation_handler=elicit,
        sampling_handler=sample,
        message_handler=receive,
    ) as client:
        await play(scenarios(client))


def scenarios(client):
    only_modern = Unsupported("fastmcp-tasks knows only the tasks of 2026-07-28")

    async def call(name, arguments=None):
        return text_of(await client.call_tool(name, arguments))

    async def names():
        return [tool.name for tool in await client.list_tools()]

    async def structured():
        return (await client.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    async def progress():
        reports = []

        async def report(progress, total, _message):
            reports.append([progress, total])

        return {"text": text_of(await client.call_tool("suite-count", progress_handler=report)), "reports": reports}

    async def answered(name):
        return {"text": await call(name), "asked": asked.pop()}

    async def resources():
        listed = await client.list_resources()
        return {"uris": [str(resource.uri) for resource in listed], "text": text_of(await client.read_resource("suite://note"))}

    async def prompts():
        prompt = await client.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in await client.list_prompts()], "text": text_of(prompt.messages)}

    async def completion():
        ref = types.PromptReference(type="ref/prompt", name="suite-review")
        return (await client.complete(ref, {"name": "language", "value": "P"})).values

    async def subscription():
        await client.session.subscribe_resource("suite://watched")
        await call("suite-touch")
        return await updated.get()

    async def task():
        handle = await call_tool_task(client, "suite-deliver")
        return {"taskId": handle.task_id, "text": text_of(await handle.result()), "asked": asked.pop()}

    async def cancel():
        handle = await call_tool_task(client, "suite-linger")
        await handle.cancel()
        return (await handle.status()).status

    return {
        "list": names,
        "version": lambda: call("suite-version"),
        "call": lambda: call("suite-greet", {"name": "Ada"}),
        "structured": structured,
        "progress": progress,
        "elicitation": lambda: answered("suite-ask"),
        "sampling": lambda: answered("suite-sample"),
        "resources": resources,
        "prompts": prompts,
        "completion": completion,
        "subscription": Unsupported("it cannot listen in 2026-07-28") if is_modern else subscription,
        "task": task if is_modern else only_modern,
        "cancel": cancel if is_modern else only_modern,
        "outlive": lambda: call("suite-outlive"),
        "afterwards": lambda: call("suite-greet", {"name": "Ada"}),
    }


run(main)
