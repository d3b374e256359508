"""Scenarios that several Python clients do in the same way, and the user and the model that answer in them."""

from mcp.types import PromptReference
from program import Unsupported, fails, stdio, text_of

asked = []


def fill_in(message):
    """What the user fills in. The question is kept."""
    asked.append(message)
    return {"city": "Oslo"} if "city" in message else {"name": "Grace"}


def generate(messages):
    """What the model generates. The prompt is kept."""
    asked.append(text_of(messages))
    return "word"


def call_scenarios(call):
    """Those that need no more of a client than the text of a call."""

    async def answered(name):
        return {"text": await call(name), "asked": asked.pop()}

    return {
        "version": lambda: call("suite-version"),
        "call": lambda: call("suite-greet", {"name": "Ada"}),
        "elicitation": lambda: answered("suite-ask"),
        "sampling": lambda: answered("suite-sample"),
    }


async def reported(count):
    """What comes of a call that is given a function for its progress."""
    reports = []

    async def report(progress, total, _message):
        reports.append([progress, total])

    return {"text": text_of(await count(report)), "reports": reports}


def session_scenarios(session):
    """Those of the Python SDK's session, and of clients with its methods. Some of these return the only member of a result itself."""

    def member(result, name):
        return getattr(result, name, result)

    async def names():
        return [tool.name for tool in member(await session.list_tools(), "tools")]

    async def progress():
        return await reported(lambda report: session.call_tool("suite-count", progress_callback=report))

    async def resources():
        listed = member(await session.list_resources(), "resources")
        contents = member(await session.read_resource("suite://note"), "contents")
        return {"uris": [str(resource.uri) for resource in listed], "text": text_of(contents)}

    async def prompts():
        listed = member(await session.list_prompts(), "prompts")
        prompt = await session.get_prompt("suite-review", {"language": "Rust"})
        return {"names": [prompt.name for prompt in listed], "text": text_of(prompt.messages)}

    async def completion():
        ref = PromptReference(type="ref/prompt", name="suite-review")
        return member(await session.complete(ref, {"name": "language", "value": "P"}), "completion").values

    return {"list": names, "progress": progress, "resources": resources, "prompts": prompts, "completion": completion}


def kill_scenarios(call, resumes=True):
    """The last two, which kill the gateways. A client that does not resume a call loses it, and over HTTP ends."""

    def greet():
        return call("suite-greet", {"name": "Ada"})

    async def greet_after_loss():
        await fails(call("suite-outlive"))
        return await greet()

    if resumes:
        return {"outlive": lambda: call("suite-outlive"), "afterwards": greet}
    ends = Unsupported("it ends when a connection breaks before the response of a call has begun")
    return {
        "outlive": Unsupported("a call without a task cannot be resumed in 2026-07-28"),
        "afterwards": ends if stdio is None else greet_after_loss,
    }
