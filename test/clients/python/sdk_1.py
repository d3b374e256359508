"""The first generation of the Python SDK."""

import asyncio

from common_scenarios import asked, call_scenarios, fill_in, generate, kill_scenarios, session_scenarios
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from program import play, run, stdio, text_of, url

updated = asyncio.Queue()


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=fill_in(params.message))


async def sample(_context, params):
    content = types.TextContent(type="text", text=generate(params.messages))
    return types.CreateMessageResult(role="assistant", model="suite", content=content)


async def receive(message):
    if isinstance(message, types.ServerNotification) and isinstance(message.root, types.ResourceUpdatedNotification):
        await updated.put(str(message.root.params.uri))


async def main():
    transport = streamable_http_client(url) if stdio is None else stdio_client(StdioServerParameters(**stdio))
    async with (
        transport as (read, write, *_),
        ClientSession(read, write, elicitation_callback=elicit, sampling_callback=sample, message_handler=receive) as session,
    ):
        await session.initialize()
        await play(*scenarios(session))


def scenarios(session):
    tasks = session.experimental

    async def call(name, arguments=None):
        return text_of(await session.call_tool(name, arguments))

    async def structured():
        return (await session.call_tool("suite-add", {"a": 1, "b": 2})).structuredContent

    async def subscription():
        await session.subscribe_resource("suite://watched")
        await call("suite-touch")
        return await updated.get()

    async def task():
        task_id = (await tasks.call_tool_as_task("suite-deliver", {})).task.taskId
        result = await tasks.get_task_result(task_id, types.CallToolResult)
        return {"taskId": task_id, "text": text_of(result), "asked": asked.pop()}

    async def cancel():
        task_id = (await tasks.call_tool_as_task("suite-linger", {})).task.taskId
        await tasks.cancel_task(task_id)
        return (await tasks.get_task(task_id)).status

    return call, {
        **call_scenarios(call),
        **session_scenarios(session),
        "structured": structured,
        "subscription": subscription,
        "task": task,
        "cancel": cancel,
        **kill_scenarios(call),
    }


run(main)
