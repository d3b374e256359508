"""A pytest plugin that has the suites of the reference servers ask Longhaul.

The suites run the server's `serve()` with the SDK's `stdio_server` replaced by streams in memory. Here `serve()` starts
`longhaul stdio` with the feature package of the same name and passes messages on, so that a suite runs as it is.

PEERS_SERVER is the name of the server, PEERS_COMMAND starts Longhaul (JSON: the program and its arguments), PEERS_CLOCK a
file that says what time it is for the tools, and PEERS_REPORT the file for what became of each test (JSON lines).
"""

import importlib
import json
import os

import anyio
import mcp.server.mcpserver.server
from mcp.client.stdio import StdioServerParameters, stdio_client

SERVER = os.environ["PEERS_SERVER"]
COMMAND = json.loads(os.environ["PEERS_COMMAND"])
CLOCK = os.environ["PEERS_CLOCK"]

reference = importlib.import_module(f"mcp_server_{SERVER}.server")
asked = False


def settings_of_time(local_timezone=None):
    return {"LONGHAUL_LOCAL_TIMEZONE": str(reference.get_local_tz(local_timezone))}


SETTINGS = {"time": settings_of_time}


def set_the_clock():
    """The suites replace the class that the reference reads the time from."""
    if SERVER == "time":
        with open(CLOCK, "w") as file:
            file.write(str(reference.datetime.now().timestamp() * 1000))


async def serve(*args, **kwargs):
    global asked
    asked = True
    env = {**os.environ, **SETTINGS[SERVER](*args, **kwargs)}
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=env)
    async with stdio_client(parameters) as (from_longhaul, to_longhaul):
        async with mcp.server.mcpserver.server.stdio_server() as (from_suite, to_suite):

            async def forward():
                async for message in from_suite:
                    set_the_clock()
                    await to_longhaul.send(message)
                await to_longhaul.aclose()

            async with anyio.create_task_group() as group:
                group.start_soon(forward)
                async for message in from_longhaul:
                    say_that_it_is_no_error(message)
                    await to_suite.send(message)
                raise RuntimeError("Longhaul has ended before its client.")


def say_that_it_is_no_error(message):
    """The SDK for Python always says whether the result of a tool is an error; absent, it is none."""
    result = getattr(getattr(message, "message", None), "result", None)
    if isinstance(result, dict) and "content" in result:
        result.setdefault("isError", False)


reference.serve = serve


def pytest_runtest_setup(item):
    global asked
    asked = False


def pytest_runtest_logreport(report):
    if report.when != "call" and report.passed:
        return
    line = {"test": report.nodeid, "passed": report.passed, "asked": asked, "error": str(report.longrepr)[-2000:] if report.failed else ""}
    with open(os.environ["PEERS_REPORT"], "a") as file:
        file.write(json.dumps(line) + "\n")
