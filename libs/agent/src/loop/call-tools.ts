/** Makes the calls of one message in parallel, with results in the model's order. If a call cannot be made, the model receives an error. */
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { Taken } from '../conversation/media.js';
import type { ContentPart, ToolCall, ToolMessage } from '../conversation/messages.js';
import { textOfContent, toolContent, withErrorMark } from '../conversation/tool-content.js';
import type { SearchedTools } from '../tools/searched-tools.js';
import { argumentsOf } from '../tools/call-arguments.js';
import type { AgentTool, Toolbox, ToolCallOptions, ToolRequest } from '../tools/toolbox.js';
import type { AgentHost } from './agent-host.js';
import type { SetLimits } from './agent-limits.js';
import { limitedSignal } from '@longhaul/runtime/limited-signal';
import { schemaProblem } from '@longhaul/servers/schema-check';

const MAX_NAMED_TOOLS = 50;
const CUT_TEXT =
  'The run was stopped while this call was under way. It is unknown whether it was carried out, in whole or in part. Find out before you repeat it.';

/** Where and how tools are called. */
export interface Calling {
  readonly toolbox: Toolbox;
  /** The tools that the model was offered. Another tool may have received one of their names since then. */
  readonly tools: SearchedTools;
  readonly host: AgentHost;
  readonly limits: SetLimits;
  /** What the model takes in addition to text. */
  readonly taken: Taken;
  /** When the run ends, epoch milliseconds of the host's clock; Infinity for never. */
  readonly deadlineMs: number;
  /** Why a call is not made at all. */
  readonly refusals: ReadonlyMap<ToolCall, string>;
  /** The known state of each call, updated while they are made. */
  readonly known: KnownCalls;
  /** For what tools do by themselves. */
  readonly own: Pick<ToolCallOptions, 'left' | 'onBill' | 'onAnswer'>;
  /** Keeps the result of a call, by its index, as soon as it is known. */
  readonly keep: (index: number, message: ToolMessage) => Promise<void>;
}

/** The known state of calls: that they are running, or their results. Calls that have not been made yet are missing. */
export type KnownCalls = Map<ToolCall, 'under way' | ToolMessage>;

/** The result of a call, as the model receives it. */
interface CallResult {
  readonly isError: boolean;
  readonly content: string | readonly ContentPart[];
}

/** Makes all calls of a message. @throws the reason of the host's signal */
export async function callTools(calls: readonly ToolCall[], calling: Calling): Promise<readonly ToolMessage[]> {
  const { host, limits, deadlineMs } = calling;
  host.signal.throwIfAborted();
  const startedAt = host.now();
  const limited = limitedSignal(host.signal, deadlineMs - startedAt);
  try {
    const made = Promise.all(
      calls.map(async (call, index) => {
        reportCall(call, calling);
        const refusal = index < limits.maxCallsPerMessage ? calling.refusals.get(call) : tooMany(index, limits);
        const result = refusal === undefined ? await callOne(call, calling, limited.signal) : failed(refusal);
        host.report({
          type: 'tool-result',
          id: call.id,
          tool: call.function.name,
          isError: result.isError,
          ms: host.now() - startedAt,
          text: textOfContent(result.content),
        });
        const message = toolMessage(call, result.content);
        calling.known.set(call, message);
        await calling.keep(index, message);
        return message;
      }),
    );
    return await untilAborted(made, host.signal);
  } finally {
    limited.clear();
  }
}

/** The messages for calls that are not made, because the run ends: a conversation without them could not be continued. */
export function notCalled(calls: readonly ToolCall[], why: string): readonly ToolMessage[] {
  return calls.map((call) => toolMessage(call, withErrorMark(`Not called: ${why}`, true)));
}

/** The messages of calls that were cut off: the results that had come, and what can be said of the others. */
export function cutCalls(calls: readonly ToolCall[], known: KnownCalls): readonly ToolMessage[] {
  return calls.map((call) => {
    const state = known.get(call);
    if (state === undefined) return toolMessage(call, withErrorMark('Not called: the run was stopped before.', true));
    return state === 'under way' ? cutCallMessage(call) : state;
  });
}

/** The message of a call that was cut off, and of which nothing is known. */
export function cutCallMessage(call: ToolCall): ToolMessage {
  return toolMessage(call, withErrorMark(CUT_TEXT, true));
}

function toolMessage(call: ToolCall, content: string | readonly ContentPart[]): ToolMessage {
  return { role: 'tool', tool_call_id: call.id, content };
}

function reportCall({ id, function: { name, arguments: text } }: ToolCall, { host, tools }: Calling): void {
  const server = toolNamed(name, tools.all)?.server;
  host.report({ type: 'tool-call', id, tool: name, ...(server !== undefined && { server }), arguments: text });
}

async function callOne(call: ToolCall, calling: Calling, signal: AbortSignal): Promise<CallResult> {
  const { toolbox, tools, host, limits, taken, deadlineMs } = calling;
  const request = requestOf(call, tools.all);
  if (typeof request === 'string') return failed(request);
  try {
    const onProgress = (message: string): void => host.report({ type: 'tool-progress', id: call.id, message });
    const onAsk = (isAllowed: boolean): void => void (isAllowed ? calling.known.set(call, 'under way') : calling.known.delete(call));
    const onEdit = (changed: object): void =>
      host.report({ type: 'tool-edited', id: call.id, tool: request.tool.name, arguments: JSON.stringify(changed) });
    calling.known.set(call, 'under way');
    const options = { ...calling.own, signal, onProgress, onAsk, onEdit, ...(deadlineMs !== Infinity && { deadlineMs }) };
    const result = tools.isSearch(request)
      ? await host.step(`search ${request.id}`, async () => tools.answer(request))
      : await toolbox.call(request, options);
    const { maxResultTextBytes: maxTextBytes, maxResultMediaBytes: maxMediaBytes } = limits;
    return { isError: result.isError === true, content: toolContent(result, { taken, maxTextBytes, maxMediaBytes }) };
  } catch (error) {
    host.signal.throwIfAborted();
    return failed(cutWithNote(error instanceof Error ? error.message : String(error), limits.maxResultTextBytes));
  }
}

function failed(why: string): CallResult {
  return { isError: true, content: withErrorMark(why, true) };
}

/** The tool to call, or the mistake of the model. */
function requestOf({ id, function: { name, arguments: text } }: ToolCall, tools: Toolbox['tools']): ToolRequest | string {
  const tool = toolNamed(name, tools);
  if (tool === undefined) return unknownTool(name, tools);
  const args = argumentsOf(text);
  if (typeof args === 'string') return `Invalid arguments for tool ${name}: ${args}`;
  const problem = schemaProblem(tool.listed.inputSchema, args);
  if (problem !== undefined) return `Invalid arguments for tool ${name}: ${problem}`;
  return { id, tool, arguments: args };
}

function toolNamed(name: string, tools: Toolbox['tools']): AgentTool | undefined {
  return tools.find((tool) => tool.name === name);
}

function unknownTool(name: string, tools: Toolbox['tools']): string {
  return `Unknown tool: ${cutWithNote(name, 256)}. ${knownTools(tools)}`;
}

/** Says which tools there are, or the first of them. */
export function knownTools(tools: Toolbox['tools']): string {
  const known = tools.slice(0, MAX_NAMED_TOOLS).map((tool) => tool.name);
  const more = tools.length - known.length;
  return known.length === 0 ? 'There are no tools.' : `The tools are: ${known.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function tooMany(index: number, { maxCallsPerMessage }: SetLimits): string {
  return `Not called: this was call ${index + 1} of a message, which may have at most ${maxCallsPerMessage}. Call it again in another message.`;
}
