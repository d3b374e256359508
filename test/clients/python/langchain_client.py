"""LangChain's adapters: tools, prompts and resources of a session of theirs."""

from common_scenarios import call_scenarios, fill_in, kill_scenarios
from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.prompts import load_mcp_prompt
from langchain_mcp_adapters.resources import load_mcp_resources
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import types
from program import Unsupported, play, run, stdio, url

reports = []


async def elicit(_mcp_context, params, _context):
    return types.ElicitResult(action="accept", content=fill_in(params.message))


async def report(progress, total, _message, _context):
    reports.append([progress, total])


async def main():
    connection = {"transport": "streamable_http", "url": url} if stdio is None else {"transport": "stdio", **stdio}
    callbacks = Callbacks(on_progress=report, on_elicitation=elicit)
    client = MultiServerMCPClient({"longhaul": connection}, callbacks=callbacks)
    async with client.session("longhaul") as session:
        tools = await load_mcp_tools(session, callbacks=callbacks, server_name="longhaul")
        await play(*scenarios(session, {tool.name: tool for tool in tools}))


def scenarios(session, tools):
    no_tasks = Unsupported("it has no tasks")

    async def invoke(name, arguments):
        return await tools[name].ainvoke({"type": "tool_call", "id": "suite", "name": name, "args": arguments})

    async def call(name, arguments=None):
        return (await invoke(name, arguments or {})).content[0]["text"]

    async def names():
        return list(tools)

    async def structured():
        return (await invoke("suite-add", {"a": 1, "b": 2})).artifact["structured_content"]

    async def progress():
        return {"text": await call("suite-count"), "reports": reports}

    async def resources():
        texts = {str(blob.metadata["uri"]): blob for blob in await load_mcp_resources(session)}
        return {"uris": list(texts), "text": texts["suite://note"].as_string()}

    async def prompts():
        listed = await session.list_prompts()  # The adapters leave that to the session.
        messages = await load_mcp_prompt(session, "suite-review", arguments={"language": "Rust"})
        return {"names": [prompt.name for prompt in listed.prompts], "text": messages[0].content}

    return call, {
        **call_scenarios(call),
        "list": names,
        "structured": structured,
        "progress": progress,
        "sampling": Unsupported("it answers none"),
        "resources": resources,
        "prompts": prompts,
        "completion": Unsupported("it has no completions"),
        "subscription": Unsupported("it subscribes to no resources"),
        "task": no_tasks,
        "cancel": no_tasks,
        **kill_scenarios(call),
    }


run(main)
