"""A pytest plugin that has the suites of the reference servers ask Longhaul.

The suites run the server's `serve()` with the SDK's `stdio_server` replaced by streams in memory. Here `serve()` starts
`longhaul stdio` with the feature package of the same name and passes messages on, so that a suite runs as it is.

PEERS_SERVER is the name of the server, PEERS_COMMAND starts Longhaul (JSON: the program and its arguments), PEERS_CLOCK a
file that says what time it is for the tools, and PEERS_REPORT the file for what became of each test (JSON lines). With PEERS_PROXIED, Longhaul serves a second Longhaul, which has the package.
"""

import importlib
import json
import os
import shutil
import tempfile
from contextlib import nullcontext

import anyio
import mcp.server.mcpserver.server
from mcp.client.stdio import StdioServerParameters, stdio_client

SERVER = os.environ["PEERS_SERVER"]
COMMAND = json.loads(os.environ["PEERS_COMMAND"])
CLOCK = os.environ["PEERS_CLOCK"]

# Where Longhaul finds no Redis it keeps all in memory and is one process, which starts in a third of the time.
PROGRAMS = os.path.abspath("programs")
os.mkdir(PROGRAMS)
os.symlink(shutil.which("git"), os.path.join(PROGRAMS, "git"))
WITHOUT_REDIS = {"PATH": PROGRAMS, "REDIS_URL": ""}

reference = importlib.import_module(f"mcp_server_{SERVER}.server")
asked = False


def settings_of_time(local_timezone=None):
    return {"LONGHAUL_LOCAL_TIMEZONE": str(reference.get_local_tz(local_timezone))}


def settings_of_git(repository=None):
    # Without a repository the reference reaches all of them. Ours has a setting for where they are.
    return {"LONGHAUL_GIT_ROOTS": str(repository or tempfile.gettempdir())}


def settings_of_fetch(custom_user_agent=None, ignore_robots_txt=False, proxy_url=None, allow_private_ips=False):
    # The proxy that the suite names is none: see web.py.
    agent = {} if custom_user_agent is None else {"LONGHAUL_FETCH_USER_AGENT": custom_user_agent}
    return {
        **agent,
        "LONGHAUL_FETCH_IGNORE_ROBOTS": str(int(ignore_robots_txt)),
        "LONGHAUL_FETCH_ALLOW_PRIVATE": str(int(allow_private_ips)),
    }


SETTINGS = {"fetch": settings_of_fetch, "git": settings_of_git, "time": settings_of_time}


def set_the_clock():
    """The suites replace the class that the reference reads the time from."""
    if SERVER == "time":
        with open(CLOCK, "w") as file:
            file.write(str(reference.datetime.now().timestamp() * 1000))


async def serve(*args, **kwargs):
    global asked
    asked = True
    async with web_of(SERVER) as variables:
        env = {**os.environ, **WITHOUT_REDIS, **variables, **SETTINGS[SERVER](*args, **kwargs)}
        if os.environ.get("PEERS_PROXIED"):
            env = proxy_of(env)
        await pass_messages(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=env))


def proxy_of(env):
    """The settings of a proxy whose server has the given ones, under the names of that server."""
    file = os.path.abspath("servers.json")
    data = tempfile.mkdtemp(dir=os.getcwd())
    server = {"command": COMMAND[0], "args": COMMAND[1:], "env": {**env, "LONGHAUL_DATA_DIR": data}}
    with open(file, "w") as out:
        json.dump({"mcpServers": {SERVER: server}}, out)
    return {**os.environ, **WITHOUT_REDIS, "LONGHAUL_FEATURES": "@longhaul/proxy/feature", "LONGHAUL_SERVERS": file}


def web_of(server):
    if server != "fetch":
        return nullcontext({})
    from web import loopback_web

    return loopback_web(reference)


async def pass_messages(parameters):
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
