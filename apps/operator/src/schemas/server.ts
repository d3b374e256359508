/** Converts proxied servers to the operator API's format. */
import { omitUndefined } from '@longhaul/mcp-features';
import { type MergedServer, type Said, SERVER_STATES } from '@longhaul/proxy/operating';
import { z } from 'zod';
import { Time, timeOf } from './common.js';

const Off = z.object({ by: z.string(), reason: z.string(), at: Time }).optional().describe('Who has turned it off, and why.');

/** What is measured, since each process has started. */
const measured = {
  calls: z.int().describe('Calls of tools that have ended.'),
  errors: z.int().describe('Those of them that have ended with an error, or with a result that is one.'),
  running: z.int().describe('Calls that run now.'),
  p50Ms: z.number().optional().describe('How long half of the calls took at most. Absent before the first one has ended.'),
  p99Ms: z.number().optional(),
};

/** How a server is. */
const health = {
  state: z
    .enum(SERVER_STATES)
    .describe('The worst one of all processes that keep it connected. `idle`: it has no connection, and needs none.'),
  since: Time,
  restarts: z.int().describe('How often a connection was lost and opened again.'),
  lastError: z.string().optional(),
  lastErrorAt: Time.optional(),
  about: z
    .object({ name: z.string().optional(), version: z.string().optional(), protocolVersion: z.string() })
    .optional()
    .describe('What it says of itself.'),
  connections: z.int(),
};

const ServerOfProcess = z
  .object({
    process: z.string(),
    role: z.string(),
    isKept: z.boolean().describe('Whether the process keeps it connected, also without calls.'),
    ...health,
    triedAgainAt: Time.optional(),
    ...measured,
  })
  .meta({ id: 'ServerOfProcess' });

const ServerTool = z
  .object({
    name: z.string().describe('As the server calls it.'),
    as: z.string().optional().describe('As clients call it; absent where it is not served.'),
    task: z.enum(['forbidden', 'optional', 'required']).optional(),
    off: Off,
    ...measured,
  })
  .meta({ id: 'ServerTool' });

/** A proxied server in a list. */
export const ServerSummary = z
  .object({
    name: z.string(),
    transport: z.enum(['stdio', 'http', 'sse']),
    shown: z.string().describe('Its command or URL, as it is written in the file.'),
    ...health,
    off: Off,
    ...measured,
    tools: z.int().describe('How many tools it has.'),
    toolsOff: z.array(z.string()).describe('Those of them that are off, by the names that it gives them.'),
    processes: z.array(ServerOfProcess).describe('The server as each process knows it.'),
  })
  .meta({ id: 'Server' });

/** A proxied server in a list. */
export type Server = z.infer<typeof ServerSummary>;

/** A proxied server with its tools. */
export const ServerDetails = ServerSummary.extend({
  tools: z.array(ServerTool),
  toolsLeftOut: z.int().describe('Tools for which there was no room in the report of a process.'),
}).meta({ id: 'ServerDetails' });

/** A proxied server with its tools. */
export type ServerWithTools = z.infer<typeof ServerDetails>;

/** A tool of a proxied server. */
export type ToolOfServer = ServerWithTools['tools'][number];

export function serverSummary(server: MergedServer): Server {
  const { tools, toolsLeftOut, ...rest } = server;
  return {
    ...shared(rest),
    tools: tools.length + toolsLeftOut,
    toolsOff: tools.filter(({ off }) => off !== undefined).map(({ name }) => name),
  };
}

export function serverDetails(server: MergedServer): ServerWithTools {
  const { tools } = server;
  return {
    ...serverSummary(server),
    tools: tools.map(toolOf),
    toolsLeftOut: server.toolsLeftOut,
  };
}

function toolOf({ off, ...tool }: MergedServer['tools'][number]): ToolOfServer {
  return { ...tool, ...offOf(off) };
}

function shared({ processes, off, ...server }: Omit<MergedServer, 'tools' | 'toolsLeftOut'>) {
  return {
    ...withTimes(server),
    ...offOf(off),
    processes: processes.map(({ triedAgainAt, ...each }) =>
      omitUndefined({ ...withTimes(each), triedAgainAt: triedAgainAt === undefined ? undefined : timeOf(triedAgainAt) }),
    ),
  };
}

function withTimes<T extends { readonly since: number; readonly lastErrorAt?: number | undefined }>({ since, lastErrorAt, ...rest }: T) {
  return { ...rest, since: timeOf(since), ...(lastErrorAt !== undefined && { lastErrorAt: timeOf(lastErrorAt) }) };
}

function offOf(off: Said | undefined): Pick<Server, 'off'> {
  return off === undefined ? {} : { off: { ...off, at: timeOf(off.at) } };
}
