"""The second generation of the Python SDK, which speaks both versions of the protocol."""

import asyncio

import mcp_types as types
from mcp import Client, StdioServerParameters
from program import Unsupported, fails, is_modern, play, protocol_version, run, stdio, text_of, url

asked = []
updated = asyncio.Queue()


async def elicit(_context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"name": "Grace"})


async def sample(_context, params):
    asked.append(text_of(params.messages[0]))
    return types.CreateMessageResult(role="assistant", model="suite", content=types.TextContent(type="text", text="word"))


async def receive(message):
    if isinstance(message, types.ResourceUpdatedNotification):
        await updated.put(str(message.params.uri))


async def main():
    async with Client(
        url if stdio is None else StdioServerParameters(**stdio),
        mode=protocol_version if is_modern else "legacy",
        elicitation_callback=elicit,
        sampling_callback=sample,
        message_handler=receive,
    ) as client:
        await play(scenarios(client))


def scenarios(client):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await client.call_tool(name, arguments))

    async def names():
        return [tool.name for tool in (await client.list_tools()).tools]

    async def structured():
        return (await client.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    async def progress():
        reports = []

        async def report(progress, total, _message):
            reports.append([progress, total])

        return {"text": text_of(await client.call_tool("suite-count", progress_callback=report)), "reports": reports}

    async def answered(name):
        return {"text": await call(name), "asked": asked.pop()}

    async def resources():
        listed = await client.list_resources()
        read = await client.read_resource("suite://note")
        return {"uris": [str(resource.uri) for resource in listed.resources], "text": text_of(read.contents)}

    async def prompts():
        listed = await client.list_prompts()
        prompt = await client.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in listed.prompts], "text": text_of(prompt.messages)}

    async def completion():
        ref = types.PromptReference(type="ref/prompt", name="suite-review")
        return (await client.complete(ref, {"name": "language", "value": "P"})).completion.values

    async def subscription():
        if not is_modern:
            await client.subscribe_resource("suite://watched")
            await call("suite-touch")
            return await updated.get()
        async with client.listen(resource_subscriptions=["suite://watched"]) as events:
            await call("suite-touch")
            return str((await anext(aiter(events))).uri)

    async def afterwards():
        if is_modern:
            await fails(call("suite-outlive"))
        return await call("suite-greet", {"name": "Ada"})

    ends = Unsupported("it ends when a connection breaks before the response of a call has begun")

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
        "task": no_tasks,
        "cancel": no_tasks,
        "outlive": Unsupported("a call without a task cannot be resumed in 2026-07-28") if is_modern else lambda: call("suite-outlive"),
        "afterwards": ends if is_modern and stdio is None else afterwards,
    }


run(main)
