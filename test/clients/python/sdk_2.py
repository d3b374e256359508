"""The second generation of the Python SDK, which speaks both versions of the protocol."""

import asyncio

import mcp_types as types
from common_scenarios import call_scenarios, fill_in, generate, kill_scenarios, session_scenarios
from mcp import Client, StdioServerParameters
from program import Unsupported, is_modern, play, protocol_version, run, stdio, text_of, url

updated = asyncio.Queue()


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=fill_in(params.message))


async def sample(_context, params):
    content = types.TextContent(type="text", text=generate(params.messages))
    return types.CreateMessageResult(role="assistant", model="suite", content=content)


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
        await play(*scenarios(client))


def scenarios(client):
    no_tasks = Unsupported("it has no tasks")

    async def call(name, arguments=None):
        return text_of(await client.call_tool(name, arguments))

    async def structured():
        return (await client.call_tool("suite-add", {"a": 1, "b": 2})).structured_content

    async def subscription():
        if not is_modern:
            await client.subscribe_resource("suite://watched")
            await call("suite-touch")
            return await updated.get()
        async with client.listen(resource_subscriptions=["suite://watched"]) as events:
            await call("suite-touch")
            return str((await anext(aiter(events))).uri)

    return call, {
        **call_scenarios(call),
        **session_scenarios(client),
        "structured": structured,
        "subscription": subscription,
        "task": no_tasks,
        "cancel": no_tasks,
        **kill_scenarios(call, resumes=not is_modern),
    }


run(main)
