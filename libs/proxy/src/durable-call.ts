/**
 * Calls a tool of a server as a task. What happens when something dies is `RemoteCall`'s: a call is announced before it is made and recorded
 * after; one that may be made twice is made again, and any other one ends as `MAY_HAVE_HAPPENED`. A worker needs no catalogue for it: the
 * tool's name says which server has it, and the server is asked for its tool once in a task.
 */
import { type DurableContext, ProtocolError } from '@longhaul/mcp-features';
import { Semaphore } from '@longhaul/runtime/semaphore';
import {
  type CallWatch,
  CredentialsExpired,
  ServerAuthError,
  type ServerConfig,
  type ServerPool,
  SwitchedOffError,
} from '@longhaul/servers';
import { askableCapabilities, PassConnections, RemoteCall, RemoteCallFailed, ServerStates, StatusLine } from '@longhaul/servers/durable';
import { type JsonObject, TaskError, TerminalError } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { exportedTool, serversOfTool } from './exported-name.js';
import { ownResult } from './own-result.js';
import { servedTool } from './served-tool.js';
import type { CallerGrants } from './caller-grants.js';
import { createTaskProgress } from './task-progress.js';

/** Questions of the server that are before the client at the same time. */
const RELAYED_AT_ONCE = 24;
/** As large as a task's result may be, with room for its frame. */
const MAX_RESULT_BYTES = 7 * 1024 * 1024;
/** How often a server is tried that is away: for about two minutes. */
const AWAY = { attempts: 9, initialMs: 1_000, factor: 2, maxMs: 30_000 };
/** How often a call that may be made twice is made again, unless the file says otherwise. */
const DEFAULT_RETRIES = 2;

export interface DurableCallParts {
  readonly configs: readonly ServerConfig[];
  /** Whether there is one server and nothing else, so that it keeps its names. */
  readonly isAlone: boolean;
  readonly pool: ServerPool;
  /** The tokens of callers that servers see. */
  readonly grants: CallerGrants;
  /** Hears of calls, and refuses what operators have turned off. */
  readonly watch: CallWatch;
}

/** A tool as its server lists it, and the version that is spoken with it. Plain JSON: it is recorded. */
interface FoundTool {
  readonly server: string;
  readonly generation: string;
  readonly tool: Pick<ListedTool, 'name' | 'annotations'>;
}

/** A tool that was looked up by its name: found, at no server, or why it may not be called. */
type Found =
  FoundTool | { readonly missing: true } | { readonly off: NonNullable<RemoteCallFailed['error']> } | { readonly expired: string };

/**
 * @throws ProtocolError for an error of the server, or when an operator has turned the tool off; TaskError `MAY_HAVE_HAPPENED`,
 * `CREDENTIALS_EXPIRED`; TerminalError when there is no answer for another reason
 */
export async function durableCall(
  name: string,
  args: JsonObject,
  context: DurableContext,
  { configs, isAlone, pool, grants, watch }: DurableCallParts,
): Promise<CallToolResult> {
  const candidates = serversOfTool(name, configs, isAlone);
  const connections = new PassConnections({
    servers: new Map(candidates.map((config) => [config.name, config])),
    asks: isAnyShared(candidates) ? {} : askableCapabilities(context),
    signal: context.signal,
    isHeard: !isAnyShared(candidates),
    watch,
    pool: { connections: pool, keyOf: (config) => grants.ofTask(config, context) },
  });
  const status = new StatusLine(context);
  // Its record also announces the first call.
  let isHere = false;
  const look = async (): Promise<Found> => {
    isHere = true;
    return find(name, candidates, connections, isAlone);
  };
  const found = (await context.step<unknown>('tool', look, AWAY)) as Found;
  if ('off' in found) throw new ProtocolError(found.off.code, found.off.message, found.off.data);
  if ('expired' in found) throw credentialsExpired(found.expired);
  const config = 'missing' in found ? undefined : candidates.find((each) => each.name === found.server);
  if ('missing' in found || config === undefined)
    throw new TerminalError(
      `There is no tool ${name} at ${candidates.map((each) => `"${each.name}"`).join(' or ') || 'any server'} any more.`,
    );
  const { listed, settings } = servedTool(config, found.tool as ListedTool);
  const { timeoutMs, retries = DEFAULT_RETRIES } = settings;
  const deadlineMs = timeoutMs === undefined ? undefined : context.now() + timeoutMs;
  const onProgress = createTaskProgress(context);
  const shared = { context, status, connections, states: new ServerStates(), relays: new Semaphore(RELAYED_AT_ONCE), config };
  for (let number = 1; ; number += 1) {
    try {
      const call = new RemoteCall({
        ...shared,
        generation: found.generation,
        number,
        ...(number === 1 && { isAnnouncedHere: isHere }),
        request: { tool: { name, listed }, arguments: args },
        options: { maxResultBytes: MAX_RESULT_BYTES, onProgress, ...(deadlineMs !== undefined && { deadlineMs }) },
      });
      return ownResult(await call.run());
    } catch (error) {
      if (!(error instanceof RemoteCallFailed)) throw error;
      if (!mayTryAgain(error, number, retries)) throw failureOf(error);
      await context.sleep(`before call ${number + 1}`, Math.min(AWAY.initialMs * AWAY.factor ** (number - 1), AWAY.maxMs));
    }
  }
}

/** A connection that all share answers no questions: it would not be known which client to ask. */
function isAnyShared(configs: readonly ServerConfig[]): boolean {
  return configs.some(({ sessions }) => sessions === 'shared');
}

function mayTryAgain({ effect, isRepeatable }: RemoteCallFailed, number: number, retries: number): boolean {
  if (effect === 'none') return number < AWAY.attempts;
  return effect === 'unknown' && isRepeatable && number <= retries;
}

function credentialsExpired(message: string): TaskError {
  return new TaskError('CREDENTIALS_EXPIRED', `CREDENTIALS_EXPIRED: ${message}`);
}

function failureOf({ message, effect, error, isExpired }: RemoteCallFailed): Error {
  if (isExpired) return credentialsExpired(message);
  if (error !== undefined) return new ProtocolError(error.code, error.message, error.data);
  return effect === 'unknown' ? new TaskError('MAY_HAVE_HAPPENED', `MAY_HAVE_HAPPENED: ${message}`) : new TerminalError(message);
}

/** @throws the error of the last server that could not be asked, if no other one has the tool */
async function find(name: string, candidates: readonly ServerConfig[], connections: PassConnections, isAlone: boolean): Promise<Found> {
  let failure: unknown;
  const { watch } = connections;
  for (const config of candidates)
    try {
      const { server } = await connections.to(config.name);
      const tool = server.tools.find((each) => exportedTool(config, each.name, isAlone) === name);
      if (tool === undefined) continue;
      watch?.requireOn(config.name, tool.name);
      const { annotations } = tool;
      const known = { name: tool.name, ...(annotations !== undefined && { annotations }) };
      return { server: config.name, generation: server.client.generation, tool: known };
    } catch (error) {
      failure = error;
    }
  if (failure instanceof SwitchedOffError) return { off: { code: failure.code, message: failure.message, data: failure.data } };
  if (failure instanceof CredentialsExpired) return { expired: failure.message };
  // It would be refused again.
  if (failure instanceof ServerAuthError) throw new TerminalError(failure.message, { cause: failure });
  if (failure !== undefined) throw failure;
  return { missing: true };
}
