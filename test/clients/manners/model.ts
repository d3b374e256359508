/**
 * A model that follows what it reads, by rules: it calls a tool for its user, reads the text that its client shows for it, and does what the
 * text says with the tools that it was listed. It knows nothing of Longhaul but the names of the tools and the texts.
 */
import { setTimeout as wait } from 'node:timers/promises';

const MAX_CALLS = 60;
const LEAST_NAME = 5;
const TASK_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const TOLD_TO_ANSWER = /\bcall task_answer with (\{.*?\})(?:,|\.)/is;
/** In what `task_status` shows. */
const QUESTION = /"questions": ?\[\{"key": ?("(?:[^"\\]|\\.)*")/;
const TOLD_TO_SHOW = /\bcall task_view with/i;
const GOES_ON = /"status": ?"working"|\b(is|still) (working|running)\b/i;

/** What a client gives its model. */
export interface ModelsClient {
  /** The names of the tools that it is shown. */
  readonly shown: readonly string[];
  /** @returns the text of the result. @throws Error with what went wrong, such as that the client waits no longer */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  /** What the user says when the model asks. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Whether the client has followed a task by itself. */
  readonly hasFollowedTask?: boolean;
}

/**
 * How a result comes: as the answer of the call, from a task that the client follows by itself, through the tools that a hand-over names,
 * or through the list of tasks because the client had waited no longer.
 */
export type Arrival = 'answer' | 'task' | 'hand-over' | 'list';

/** What came of a conversation. */
export interface Conversation {
  /** What the model takes for the result. */
  readonly text: string;
  /** The tools that it has called, one after the other. */
  readonly called: readonly string[];
  readonly arrival: Arrival;
}

/** A call that a model makes. */
export interface ModelsCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a model was told of its call. */
interface Told {
  readonly tool: string;
  readonly text: string;
  /** By the client: the server has not answered. */
  readonly isFailure: boolean;
}

/**
 * Makes a call, and goes on until it has the result.
 *
 * @param pauseMs how long it lets pass before it calls the same tool again
 * @throws Error when it does not know what to do
 */
export async function converse(client: ModelsClient, first: ModelsCall, pauseMs: number): Promise<Conversation> {
  const called: string[] = [];
  let taskId: string | undefined;
  let call = first;
  while (called.length < MAX_CALLS) {
    if (called.at(-1) === call.tool) await wait(pauseMs);
    called.push(call.tool);
    const told = await tell(client, call);
    taskId ??= idIn(told.text, first.tool);
    const next = nextCall(client, told, first.tool, taskId);
    if (next === undefined) return { text: told.text, called, arrival: arrivalOf(client, called) };
    call = next;
  }
  throw new Error(`The model has no result after ${called.join(', ')}.`);
}

function arrivalOf({ hasFollowedTask = false }: ModelsClient, called: readonly string[]): Arrival {
  if (hasFollowedTask) return 'task';
  if (called.length === 1) return 'answer';
  return called.some((name) => name.endsWith('task_list')) ? 'list' : 'hand-over';
}

async function tell(client: ModelsClient, { tool, args }: ModelsCall): Promise<Told> {
  try {
    return { tool, text: await client.call(tool, args), isFailure: false };
  } catch (error) {
    return { tool, text: error instanceof Error ? error.message : String(error), isFailure: true };
  }
}

/** The id of a task in a text. Where there are several, it is the one in the line or entry with the name of the tool. */
function idIn(text: string, tool: string): string | undefined {
  const lines = text.split(/\n|(?=\{"taskId")/).filter((line) => TASK_ID.test(line));
  const line = lines.find((candidate) => names(candidate, tool)) ?? lines[0] ?? '';
  return TASK_ID.exec(line)?.[0];
}

/** Whether a line has the name of a tool. The client may show the tool with more before it. */
function names(line: string, tool: string): boolean {
  return [...line.matchAll(/[\w-]+/g)].some(([word]) => word.length >= LEAST_NAME && tool.endsWith(word));
}

/** @returns undefined when the text is the result */
function nextCall({ shown, answers }: ModelsClient, { tool, text, isFailure }: Told, first: string, taskId: string | undefined) {
  const named = (name: string): string | undefined => shown.find((candidate) => candidate.endsWith(name));
  const list = named('task_list');
  const status = named('task_status');
  const result = named('task_result');
  const ofTask = (name: string | undefined): ModelsCall => {
    if (name === undefined || taskId === undefined) throw new Error(`The model does not know what to do after ${tool}: ${text}`);
    return { tool: name, args: { taskId } };
  };
  if (isFailure && taskId === undefined) {
    if (list === undefined) throw new Error(`The model can only start again after ${first}: ${text}`);
    return { tool: list, args: {} };
  }
  const answer = named('task_answer');
  const question = tool === status ? QUESTION.exec(text)?.[1] : undefined;
  if (answer !== undefined && question !== undefined)
    return { tool: answer, args: { ...ofTask(answer).args, key: JSON.parse(question) as string, action: 'accept', content: answers } };
  // What waits takes too long for this client; what only looks does not.
  if (isFailure || (tool === status && GOES_ON.test(text))) return ofTask(status);
  if (tool === list || tool === status) return ofTask(result);
  const told = TOLD_TO_ANSWER.exec(text)?.[1];
  if (answer !== undefined && told !== undefined)
    return { tool: answer, args: { ...(JSON.parse(told) as ModelsCall['args']), content: answers } };
  if (tool === named('task_view')) return ofTask(result);
  if (TOLD_TO_SHOW.test(text)) return ofTask(named('task_view'));
  const isHandedOver = taskId !== undefined && text.includes(taskId) && text.includes('task_result');
  return isHandedOver ? ofTask(result) : undefined;
}
