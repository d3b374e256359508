/**
 * The multi-turn cases of the Berkeley Function Calling Leaderboard, replayed: a scripted model makes the calls of the ground truth,
 * at the tools of the case, served over MCP. What they return, and the state in the end, have to be those of a direct run.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createEndpointModel, createProcessHost, type Message, openServers, runAgent, type Toolbox, type ToolMode } from '@longhaul/agent';
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

/** Replays one case. @returns what differs from the direct run; undefined when nothing does */
export async function replayCase(wanted: BfclCase, { python, folder, mode }: { python: string; folder: string; mode: ToolMode }) {
  const file = join(folder, `${wanted.id}.json`);
  const entry = { command: python, args: [PROGRAM, 'serve', wanted.id, file] };
  const { servers } = parseServers(JSON.stringify({ mcpServers: { bfcl: entry } }), { from: 'the test', env: {} });
  const opened = await openServers(servers);
  const outcome = await endingWith(() => opened.close(), replay(wanted, opened.toolbox, mode));
  // The server writes its state when it is disconnected.
  return 'problem' in outcome ? outcome.problem : difference(wanted, outcome.history, JSON.parse(readFileSync(file, 'utf8')));
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
  mode: ToolMode,
): Promise<{ problem: string } | { history: readonly Message[] }> {
  const endpoint = await startScriptedEndpoint(turns.flatMap(({ calls }) => [...calls.map(CALL_IN[mode]), ANSWER_IN[mode]]));
  const model = createEndpointModel({ baseUrl: endpoint.url, model: 'scripted', mode });
  let history: readonly Message[] = [];
  try {
    for (const { prompt, calls } of turns) {
      const limits = { maxRounds: calls.length + 1 };
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
  const results = history.flatMap((message) => (message.role === 'tool' && typeof message.content === 'string' ? [message.content] : []));
  const wanted = turns.flatMap((turn) => turn.results);
  const other = wanted.findIndex((result, index) => results[index]?.includes(result) !== true);
  if (other !== -1) return `call ${other + 1} returns ${results[other]}, and in a direct run ${wanted[other]}`;
  return isDeepStrictEqual(replayed, state)
    ? undefined
    : `the state is ${JSON.stringify(replayed)}, and of a direct run ${JSON.stringify(state)}`;
}
