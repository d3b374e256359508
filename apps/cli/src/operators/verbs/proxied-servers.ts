/** Implements `servers` for those of a deployment: the servers behind its proxies. */
import type { Server, ServerWithTools } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf } from '../command-line/flags.js';
import type { VerbContext } from '../command-line/verb.js';
import { age } from '../output/texts.js';

/** What is measured of a server, of a tool, or in a process. */
type Measured = Pick<Server, 'calls' | 'errors' | 'running' | 'p50Ms' | 'p99Ms'>;

/** `servers` without a file. */
export async function listServers({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<{ servers: readonly Server[] }>('/servers');
  output.list(
    answer.servers,
    [
      { title: 'SERVER', text: ({ name }) => name },
      { title: 'STATE', text: ({ state, since }) => `${state} for ${age(since)}` },
      { title: 'VERSION', width: 30, text: ({ about }) => about?.version },
      { title: 'PROCESSES', text: ({ processes }) => String(processes.length) },
      { title: 'RESTARTS', text: ({ restarts }) => String(restarts) },
      { title: 'CALLS', text: ({ calls }) => String(calls) },
      { title: 'ERRORS', text: ({ errors }) => String(errors) },
      { title: 'P50', text: ({ p50Ms }) => ms(p50Ms) },
      { title: 'P99', text: ({ p99Ms }) => ms(p99Ms) },
      { title: 'NOTE', width: 80, text: noteText },
    ],
    answer,
  );
  return 0;
}

/** `servers show`. */
export async function showServer({ api, given, output }: VerbContext): Promise<number> {
  const server = await api.get<ServerWithTools>(pathOf(given.words[0] ?? ''));
  const { about, off, lastError, lastErrorAt, tools, toolsLeftOut, processes } = server;
  output.details(server, [
    [server.transport === 'stdio' ? 'command' : 'URL', server.shown],
    ['state', `${server.state} since ${server.since}`],
    ['off', off && `by ${off.by}, ${off.at}: ${off.reason}`],
    ['calls itself', about && [about.name, about.version, `protocol version ${about.protocolVersion}`].filter(Boolean).join(', ')],
    ['last error', lastError && `${lastErrorAt ?? ''} ${lastError}`],
    ['connections, restarts', `${server.connections}, ${server.restarts}`],
    ['calls', measuredText(server)],
    ...processes.map((each) => [`${each.role} ${each.process}`, `${each.state} since ${each.since}; ${measuredText(each)}`] as const),
    ...tools.map(
      (tool) =>
        [
          `tool ${tool.name}`,
          `${tool.off === undefined ? '' : `off by ${tool.off.by}: ${tool.off.reason}; `}${measuredText(tool)}`,
        ] as const,
    ),
    ['tools left out', toolsLeftOut === 0 ? undefined : String(toolsLeftOut)],
  ]);
  return 0;
}

/** `servers restart`. */
export async function restartServer({ api, given, output }: VerbContext): Promise<number> {
  const server = await api.post<ServerWithTools>(`${pathOf(given.words[0] ?? '')}/restart`, { reason: reasonOf(given) });
  output.say(`${server.name} is connected again by all processes`, server);
  return 0;
}

/** `servers off` and `servers on`. */
export async function switchServer(context: VerbContext, verb: 'off' | 'on'): Promise<number> {
  const { api, given, output } = context;
  const { name, tool } = await targetOf(context);
  const body = { reason: reasonOf(given), ...(tool !== undefined && { tool }) };
  const server = await api.post<ServerWithTools>(`${pathOf(name)}/${verb}`, body);
  const what = tool === undefined ? server.name : `tool ${tool} of ${server.name}`;
  const stillOff = tool !== undefined && server.off !== undefined ? '; the server is off' : '';
  output.say(`${what} is ${verb}${stillOff}`, server);
  return 0;
}

/** The server, and its tool after a slash. Both may have slashes in their names: the longest name that there is counts. */
async function targetOf({ api, given }: VerbContext): Promise<{ readonly name: string; readonly tool?: string }> {
  const [target = ''] = given.words;
  const slash = target.indexOf('/');
  if (slash === -1) return { name: target };
  const { servers } = await api.get<{ servers: readonly Server[] }>('/servers');
  const fitting = servers.map(({ name }) => name).filter((known) => target === known || target.startsWith(`${known}/`));
  const name = fitting.toSorted((one, other) => other.length - one.length)[0] ?? target.slice(0, slash);
  if (name === target) return { name };
  const tool = target.slice(name.length + 1);
  if (name === '' || tool === '')
    throw new UserError(`${JSON.stringify(target)} is no server or tool: write NAME, or NAME/TOOL`, EXIT.usage);
  return { name, tool };
}

function pathOf(name: string): string {
  return `/servers/${encodeURIComponent(name)}`;
}

/** Why it is off or away, and which of its tools are off. */
function noteText({ off, toolsOff, lastError, state }: Server): string | undefined {
  if (off !== undefined) return `off by ${off.by}: ${off.reason}`;
  const parts = [...(state === 'away' ? [lastError ?? ''] : []), ...(toolsOff.length > 0 ? [`off: ${toolsOff.join(', ')}`] : [])];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function measuredText({ calls, errors, running, p50Ms, p99Ms }: Measured): string {
  const times = p50Ms === undefined ? '' : `, p50 ${ms(p50Ms) ?? ''}, p99 ${ms(p99Ms) ?? ''}`;
  return `${calls} calls, ${errors} errors, ${running} running${times}`;
}

function ms(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${Math.round(value)} ms`;
}
