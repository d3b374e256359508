"""
The multi-turn cases of the Berkeley Function Calling Leaderboard, of which only files are used.

    bfcl.py cases               one line of JSON for each case: its turns, with their ground-truth calls, and what comes of them
                                in a direct run: the results, and the state in the end
    bfcl.py tools               the tools of all cases together, as JSON
    bfcl.py serve <case> <file> an MCP server on standard input and output with the tools of a case; at the end of its input it
                                writes its state to the file
"""

import ast
import copy
import importlib
import inspect
import json
import sys
from pathlib import Path

import bfcl_eval
from bfcl_eval.constants.executable_backend_config import CLASS_FILE_PATH_MAPPING, STATELESS_CLASSES
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils import execute_multi_turn_func_call

DATA = Path(bfcl_eval.__file__).parent / "data"
QUESTIONS = "BFCL_v4_multi_turn_base.json"
# The types of their schemas are those of Python.
JSON_TYPES = {"dict": "object", "float": "number", "tuple": "array", "list": "array"}


def lines_of(path):
    return [json.loads(line) for line in (DATA / path).read_text().splitlines()]


def instances_of(case):
    instances = {}
    for name in case["involved_classes"]:
        instance = getattr(importlib.import_module(CLASS_FILE_PATH_MAPPING[name]), name)()
        if name not in STATELESS_CLASSES:
            instance._load_scenario(copy.deepcopy(case["initial_config"].get(name, {})), long_context=False)
        instances[name] = instance
    return instances


def methods_of(instances):
    return {
        name: method
        for instance in instances.values()
        for name, method in inspect.getmembers(instance, predicate=inspect.ismethod)
        if not name.startswith("_")
    }


def state_of(instances):
    return {name: plain(instance) for name, instance in instances.items()}


def plain(value):
    """As JSON: objects by their public members, but not what leads back to where they are."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(member) for member in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return {key: plain(member) for key, member in vars(value).items() if not key.startswith("_") and key != "parent"}


def call_of(text, methods):
    call = ast.parse(text, mode="eval").body
    name = call.func.id
    args = [ast.literal_eval(argument) for argument in call.args]
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return {"name": name, "arguments": inspect.signature(methods[name]).bind_partial(*args, **named).arguments}


def cases():
    truths = {truth["id"]: truth["ground_truth"] for truth in lines_of(Path("possible_answer") / QUESTIONS)}
    for case in lines_of(QUESTIONS):
        methods = methods_of(instances_of(case))
        turns = []
        for question, calls in zip(case["question"], truths[case["id"]], strict=True):
            results, instances = execute_multi_turn_func_call(
                calls, case["initial_config"], case["involved_classes"], "direct", case["id"]
            )
            prompt = "\n".join(message["content"] for message in question)
            turns.append({"prompt": prompt, "calls": [call_of(call, methods) for call in calls], "results": results})
        print(json.dumps({"id": case["id"], "turns": turns, "state": state_of(instances)}))


# The ground truth of one case closes "ticket_001".
NOT_AS_THEIR_SCHEMA = {"close_ticket": "ticket_id"}


def schema_of(schema):
    if isinstance(schema, list):
        return [schema_of(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    converted = {key: schema_of(member) for key, member in schema.items()}
    if isinstance(converted.get("type"), str):
        converted["type"] = JSON_TYPES.get(converted["type"], converted["type"])
        if converted["type"] == "any":
            del converted["type"]
    return converted


def tools_of(classes):
    files = [DATA / "multi_turn_func_doc" / f"{CLASS_FILE_PATH_MAPPING[name].split('.')[-1]}.json" for name in classes]
    documented = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    tools = [
        {"name": tool["name"], "description": tool["description"], "inputSchema": schema_of(tool["parameters"])} for tool in documented
    ]
    for tool in tools:
        tool["inputSchema"]["properties"].get(NOT_AS_THEIR_SCHEMA.get(tool["name"]), {}).pop("type", None)
    return tools


def result_of(value):
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        try:
            return json.dumps(value)
        except TypeError:
            pass
    return str(value)


def call_tool(methods, name, arguments):
    try:
        text, is_error = result_of(methods[name](**arguments)), False
    except Exception as error:  # What the functions raise is the result for the model.
        text, is_error = f"Error during execution: {error}", True
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def serve(case_id, state_file):
    case = next(case for case in lines_of(QUESTIONS) if case["id"] == case_id)
    instances = instances_of(case)
    methods = methods_of(instances)
    answers = {
        "initialize": lambda params: {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "bfcl", "version": "1"},
        },
        "ping": lambda params: {},
        "tools/list": lambda params: {"tools": tools_of(case["involved_classes"])},
        "tools/call": lambda params: call_tool(methods, params["name"], params.get("arguments", {})),
    }
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer = answers.get(message["method"])
        outcome = {"error": {"code": -32601, "message": "Method not found"}} if answer is None else {"result": answer(message.get("params", {}))}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)
    Path(state_file).write_text(json.dumps(state_of(instances)))


if sys.argv[1] == "cases":
    cases()
elif sys.argv[1] == "tools":
    print(json.dumps(tools_of(sorted({name for case in lines_of(QUESTIONS) for name in case["involved_classes"]}))))
else:
    serve(*sys.argv[2:])
