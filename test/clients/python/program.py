"""What the programs of all Python clients have in common: what they are given, and how they report what they saw."""

import asyncio
import contextlib
import json
import os
import sys

from model import converse

LIMIT_S = 30

# Longer than any client of the suite waits.
LONG_LIMIT_S = 400

# How long a model lets pass before it asks again.
PAUSE_S = 5

# The tools of the long scenarios, as `features.ts` calls them.
LONG_TOOLS = {"long": "suite-long", "question": "suite-long-ask"}

assignment = json.loads(sys.argv[1])
protocol_version = assignment["protocolVersion"]
is_modern = protocol_version == "2026-07-28"
url = assignment.get("url")
stdio = assignment.get("stdio")
long = assignment.get("long")


class Unsupported(str):
    """A declaration that the client has nothing for a scenario, and what it lacks."""


async def play(call, scenarios, follows_tasks=False):
    """Plays the scenarios one after the other, or the long ones at the same time, and prints a line of JSON for each.

    `call` returns the text of a tool. With `follows_tasks`, the client follows the task of a call by itself.
    """
    if long is not None:
        await play_long(await scenarios["list"](), call, follows_tasks)
        return
    for scenario, played in scenarios.items():
        outcome = {"unsupported": played} if isinstance(played, Unsupported) else await tried(played, LIMIT_S)
        report(scenario, outcome)


async def play_long(shown, call, follows_tasks):
    async def played(scenario, tool):
        async def conversation():
            return await converse(shown, call, tool, {**long, "who": f"{scenario} {long['who']}"}, PAUSE_S, follows_tasks)

        report(scenario, await tried(conversation, LONG_LIMIT_S))

    await asyncio.gather(*(played(scenario, tool) for scenario, tool in LONG_TOOLS.items()))


def report(scenario, outcome):
    print(json.dumps({"scenario": scenario, **outcome}, default=repr), flush=True)


async def tried(played, limit_s):
    try:
        return {"seen": await asyncio.wait_for(played(), limit_s)}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"}


async def fails(call):
    """Waits for a call that has to fail."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(call, LIMIT_S)
        raise SystemExit("A call that cannot be resumed has a result.")


def run(main):
    """Runs the program. What happens while the client closes is not judged."""
    try:
        asyncio.run(main())
    except BaseException as error:
        print(f"While closing: {error!r}", flush=True)
    os._exit(0)


def text_of(value):
    """The first text of a result, message or content."""
    if isinstance(value, (list, tuple)):
        return text_of(value[0])
    text = getattr(value, "text", None)
    return text if text is not None else text_of(value.content)
