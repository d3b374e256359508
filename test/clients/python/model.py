"""A model that follows what it reads, by the rules of `manners/model.ts`."""

import asyncio
import json
import re

# What the user says when the model asks.
ANSWERS = {"city": "Oslo"}

MAX_CALLS = 60
LEAST_NAME = 5
TASK_ID = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}")
TOLD_TO_ANSWER = re.compile(r"\bcall task_answer with (\{.*?\})(?:,|\.)", re.IGNORECASE | re.DOTALL)
# In what `task_status` shows.
QUESTION = re.compile(r'"questions": ?\[\{"key": ?("(?:[^"\\]|\\.)*")')
GOES_ON = re.compile(r'"status": ?"working"|\b(is|still) (working|running)\b', re.IGNORECASE)


async def converse(shown, call, first, args, pause_s, follows_tasks):
    """Makes a call, and goes on until it has the result."""
    called = []
    task_id = None
    tool, given = first, args
    while len(called) < MAX_CALLS:
        if called and called[-1] == tool:
            await asyncio.sleep(pause_s)
        called.append(tool)
        try:
            text, is_failure = await call(tool, given), False
        except Exception as error:
            text, is_failure = f"{type(error).__name__}: {error}", True
        task_id = task_id or id_in(text, first)
        following = next_tool(shown, tool, text, is_failure, first, task_id)
        if following is None:
            return {"text": text, "called": called, "arrival": arrival_of(called, follows_tasks)}
        tool, given = following, {"taskId": task_id} if task_id else {}
        if tool.endswith("task_answer"):
            told = TOLD_TO_ANSWER.search(text)
            question = {**given, "key": json.loads(QUESTION.search(text).group(1))} if told is None else json.loads(told.group(1))
            given = {**question, "action": "accept", "content": ANSWERS}
    raise RuntimeError(f"The model has no result after {', '.join(called)}.")


def arrival_of(called, follows_tasks):
    if len(called) == 1:
        return "task" if follows_tasks else "answer"
    return "list" if any(name.endswith("task_list") for name in called) else "hand-over"


def id_in(text, tool):
    lines = [line for line in re.split(r'\n|(?=\{"taskId")', text) if TASK_ID.search(line)]
    line = next((line for line in lines if names(line, tool)), lines[0] if lines else "")
    found = TASK_ID.search(line)
    return found and found.group(0)


def names(line, tool):
    return any(len(word) >= LEAST_NAME and tool.endswith(word) for word in re.findall(r"[\w-]+", line))


def next_tool(shown, tool, text, is_failure, first, task_id):
    def named(name):
        return next((candidate for candidate in shown if candidate.endswith(name)), None)

    listing, status, result = named("task_list"), named("task_status"), named("task_result")
    if is_failure and task_id is None:
        if listing is None:
            raise RuntimeError(f"The model can only start again after {first}: {text}")
        return listing
    answer = named("task_answer")
    if answer is not None and tool == status and QUESTION.search(text):
        return answer
    if is_failure or (tool == status and GOES_ON.search(text)):
        return of_task(status, task_id, tool, text)
    if tool in (listing, status):
        return of_task(result, task_id, tool, text)
    if answer is not None and TOLD_TO_ANSWER.search(text):
        return answer
    is_handed_over = task_id is not None and task_id in text and "task_result" in text
    return of_task(result, task_id, tool, text) if is_handed_over else None


def of_task(name, task_id, tool, text):
    if name is None or task_id is None:
        raise RuntimeError(f"The model does not know what to do after {tool}: {text}")
    return name
