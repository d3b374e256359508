"""FastMCP's client, in both versions of the protocol; with tasks where fastmcp-tasks is installed."""

import asyncio
import importlib.util

import mcp_types as types
from common_scenarios import asked, call_scenarios, fill_in, generate, kill_scenarios, reported, session_scenarios
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from program import Unsupported, is_modern, play, protocol_version, run, stdio, text_of, url

has_tasks = importlib.util.find_spec("fastmcp_tasks") is not None
if has_tasks:
    from fastmcp_tasks import call_tool_task

updated = asyncio.Queue()


async def elicit(message, _response_type, _params, _context):
    return fill_in(message)


async def sample(messages, _params, _context):
    return generate(messages)


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
        await play(*scenarios(client), follows_tasks=has_tasks and is_modern)


def scenarios(client):
    no_tasks = Unsupported("fastmcp-tasks knows only the tasks of 2026-07-28" if has_tasks else "it has no tasks")
    follows_tasks = has_tasks and is_modern

    async def call(name, arguments=None):
        return text_of(await client.call_tool(name, arguments))

    async def structured():
        return (await client.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    async def progress():
        return await reported(lambda report: client.call_tool("suite-count", progress_handler=report))

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

    return call, {
        **call_scenarios(call),
        **session_scenarios(client),
        "structured": structured,
        "progress": progress,
        "subscription": Unsupported("it cannot listen in 2026-07-28") if is_modern else subscription,
        "task": task if follows_tasks else no_tasks,
        "cancel": cancel if follows_tasks else no_tasks,
        **kill_scenarios(call, resumes=follows_tasks or not is_modern),
    }


run(main)
