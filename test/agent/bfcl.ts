/**
 * The multi-turn cases of the Berkeley Function Calling Leaderboard, replayed: a scripted model makes the calls of the ground truth,
 * at the tools of the case, served over MCP. What they return, and the state in the end, have to be those of a direct run.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  type ChatModel,
  createEndpointModel,
  createProcessHost,
  type Message,
  nameTools,
  openServers,
  runAgent,
  type Toolbox,
  type ToolMode,
} from '@longhaul/agent';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { parseServers } from '@longhaul/servers';
import { type ScriptedReply, startScriptedEndpoint } from '@longhaul/agent/testing';

/** A call of the ground truth. */
interface Call {
  readonly name: string;
  readonly arguments: Record<string, never>;
}

/** One case, with what came of it in a direct run. */
export interface BfclCase {
  readonly id: string;
  readonly turns: readonly { readonly prompt: string; readonly calls: readonly Call[]; readonly results: readonly string[] }[];
  readonly state: unknown;
}

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'python/bfcl.py');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** All cases. @param python with the packages of `python/bfcl.txt` */
export function bfclCases(python: string): readonly BfclCase[] {
  const lines = execFileSync(python, [PROGRAM, 'cases'], { encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES });
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BfclCase);
}

/** How calls are written, in each mode. */
const CALL_IN: Readonly<Record<ToolMode, (call: Call) => ScriptedReply>> = {
  native: (call) => ({ toolCalls: [call] }),
  textual: (call) => ({ content: `<tool_call>\n${JSON.stringify(call)}\n</tool_call>` }),
  schema: ({ name, arguments: args }) => ({ content: JSON.stringify({ tool: name, arguments: args }) }),
};
const ANSWER_IN: Readonly<Record<ToolMode, ScriptedReply>> = {
  native: { content: 'Done.' },
  textual: { content: 'Done.' },
  schema: { content: '{"answer":"Done."}' },
};

/** How a case is replayed. */
export interface ReplayOptions {
  readonly python: string;
  readonly folder: string;
  readonly mode: ToolMode;
  /** Whether the tools are more than are sent, and the model has to search for those that it calls. */
  readonly searches: boolean;
}

/** Replays one case. @returns what differs from the direct run; undefined when nothing does */
export async function replayCase(wanted: BfclCase, { python, folder, mode, searches }: ReplayOptions) {
  const file = join(folder, `${wanted.id}.json`);
  const entry = { command: python, args: [PROGRAM, 'serve', wanted.id, file] };
  const { servers } = parseServers(JSON.stringify({ mcpServers: { bfcl: entry } }), { from: 'the test', env: {} });
  const opened = await openServers(servers);
  const outcome = await endingWith(() => opened.close(), replay(wanted, opened.toolbox, { mode, searches }));
  // The server writes its state when it is disconnected.
  return 'problem' in outcome ? outcome.problem : difference(wanted, outcome.history, JSON.parse(readFileSync(file, 'utf8')));
}

/** A search for each tool, by the words of its name. */
function searchesFor(calls: readonly Call[]): readonly Call[] {
  const names = [...new Set(calls.map(({ name }) => name))];
  return names.map((name) => ({ name: 'search_tools', arguments: { query: name.replaceAll('_', ' ') as never } }));
}

/** How many of the tools that turns call are sent with the question, without a search. */
export interface SearchMeasure {
  readonly tools: number;
  readonly called: number;
  readonly sent: number;
}

/** Measures which tools are sent, where the model has those of all cases together. */
export async function measureSearch(cases: readonly BfclCase[], python: string): Promise<SearchMeasure> {
  const listed = JSON.parse(execFileSync(python, [PROGRAM, 'tools'], { encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES })) as Tool[];
  const toolbox: Toolbox = {
    tools: nameTools([{ server: 'bfcl', tools: listed }]),
    call: () => Promise.reject(new Error('No tool is called.')),
  };
  const measure = { tools: toolbox.tools.length, called: 0, sent: 0 };
  for (const { prompt, calls } of cases.flatMap(({ turns }) => turns)) {
    let sent: readonly string[] = [];
    const model: ChatModel = {
      name: 'none',
      takesImages: false,
      complete: async ({ tools }) => {
        sent = tools.map(({ name }) => name);
        return { content: 'Done.', toolCalls: [], mode: 'native' };
      },
    };
    await runAgent({ model, toolbox, host: createProcessHost(), history: [], prompt });
    const called = [...new Set(calls.map(({ name }) => name))];
    measure.called += called.length;
    measure.sent += called.filter((name) => sent.includes(name)).length;
  }
  return measure;
}

async function endingWith<T>(end: () => Promise<void>, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } finally {
    await end();
  }
}

async function replay(
  { turns }: BfclCase,
  toolbox: Toolbox,
  { mode, searches }: Pick<ReplayOptions, 'mode' | 'searches'>,
): Promise<{ problem: string } | { history: readonly Message[] }> {
  const callsOf = (calls: readonly Call[]): readonly Call[] => (searches ? [...searchesFor(calls), ...calls] : calls);
  const endpoint = await startScriptedEndpoint(
    turns.flatMap(({ calls }) => [...callsOf(calls).map((call) => CALL_IN[mode](call)), ANSWER_IN[mode]]),
  );
  const model = createEndpointModel({ baseUrl: endpoint.url, model: 'scripted', mode });
  let history: readonly Message[] = [];
  try {
    for (const { prompt, calls } of turns) {
      const limits = { maxRounds: callsOf(calls).length + 1, ...(searches && { maxListedTools: 15 }) };
      const { outcome, text, transcript } = await runAgent({ model, toolbox, host: createProcessHost(), history, prompt, limits });
      if (outcome !== 'answered' || text !== 'Done.') return { problem: `"${prompt}" ends with ${outcome}: ${text}` };
      history = transcript;
    }
    return { history };
  } finally {
    await endpoint.close();
  }
}

function difference({ turns, state }: BfclCase, history: readonly Message[], replayed: unknown): string | undefined {
  const results = history.flatMap((message) =>
    message.role === 'tool' && typeof message.content === 'string' && !message.content.startsWith('{"tools":') ? [message.content] : [],
  );
  const wanted = turns.flatMap((turn) => turn.results);
  const other = wanted.findIndex((result, index) => results[index]?.includes(result) !== true);
  if (other !== -1) return `call ${other + 1} returns ${results[other]}, and in a direct run ${wanted[other]}`;
  return isDeepStrictEqual(replayed, state)
    ? undefined
    : `the state is ${JSON.stringify(replayed)}, and of a direct run ${JSON.stringify(state)}`;
}
