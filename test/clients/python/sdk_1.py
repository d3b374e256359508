"""The first generation of the Python SDK."""

import asyncio

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from program import play, run, stdio, text_of, url

asked = []
updated = asyncio.Queue()


async def elicit(_context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"name": "Grace", "city": "Oslo"})


async def sample(_context, params):
    asked.append(text_of(params.messages[0]))
    return types.CreateMessageResult(role="assistant", model="suite", content=types.TextContent(type="text", text="word"))


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
        await play(scenarios(session))


def scenarios(session):
    tasks = session.experimental

    async def call(name, arguments=None):
        return text_of(await session.call_tool(name, arguments))

    async def names():
        return [tool.name for tool in (await session.list_tools()).tools]

    async def structured():
        return (await session.call_tool("suite-add", {"a": 1, "b": 2})).structuredContent

    async def progress():
        reports = []

        async def report(progress, total, _message):
            reports.append([progress, total])

        return {"text": text_of(await session.call_tool("suite-count", progress_callback=report)), "reports": reports}

    async def answered(name):
        return {"text": await call(name), "asked": asked.pop()}

    async def resources():
        listed = await session.list_resources()
        read = await session.read_resource("suite://note")
        return {"uris": [str(resource.uri) for resource in listed.resources], "text": text_of(read.contents)}

    async def prompts():
        listed = await session.list_prompts()
        prompt = await session.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in listed.prompts], "text": text_of(prompt.messages)}

    async def completion():
        ref = types.PromptReference(type="ref/prompt", name="suite-review")
        return (await session.complete(ref, {"name": "language", "value": "P"})).completion.values

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
        "subscription": subscription,
        "task": task,
        "cancel": cancel,
        "outlive": lambda: call("suite-outlive"),
        "afterwards": lambda: call("suite-greet", {"name": "Ada"}),
    }


run(main)
