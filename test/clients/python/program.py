"""What the programs of all Python clients have in common: what they are given, and how they report what they saw."""

import asyncio
import contextlib
import json
import os
import sys

LIMIT_S = 30

assignment = json.loads(sys.argv[1])
protocol_version = assignment["protocolVersion"]
is_modern = protocol_version == "2026-07-28"
url = assignment.get("url")
stdio = assignment.get("stdio")


class Unsupported(str):
    """A declaration that the client has nothing for a scenario, and what it lacks."""


async def play(scenarios):
    """Plays the scenarios one after the other and prints a line of JSON for each."""
    for scenario, played in scenarios.items():
        outcome = {"unsupported": played} if isinstance(played, Unsupported) else await tried(played)
        print(json.dumps({"scenario": scenario, **outcome}, default=repr), flush=True)


async def tried(played):
    try:
        return {"seen": await asyncio.wait_for(played(), LIMIT_S)}
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
