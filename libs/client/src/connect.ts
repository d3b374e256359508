import type { ActiveCall } from './active-call.js';
import { ConnectedClient } from './connected-client.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { AskingCalls } from './generation-2025/asking-calls.js';
import { answerClientRequests } from './generation-2025/client-requests.js';
import { capabilitiesFor, type InputKind, INPUT_METHODS } from './input.js';
import type { ConnectOptions, Target } from './options.js';
import type { TaskClient } from './task-client.js';
import { DEFAULT_RETRIES } from './wire/retries.js';

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const CLIENT_INFO = { name: '@longhaul/client', version: '0.1.0' };

/**
 * Connects to an MCP server of protocol version 2025-11-25 or 2026-07-28.
 *
 * @throws ConnectionLostError if the server cannot be reached. An error of the SDK if no protocol version suits both.
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<TaskClient> {
  const {
    onInput = {},
    onError = () => undefined,
    onWarning = () => undefined,
    clientInfo = CLIENT_INFO,
    generation,
    legacyVersions,
    probeTimeoutMs,
    connectTimeoutMs,
    transport,
    sessions,
  } = options;
  const capabilities = options.capabilities ?? capabilitiesFor(onInput);
  const calls = new Set<ActiveCall>();
  const askers = new AskingCalls(calls, options.isOneUser ?? false);
  const kinds = (Object.keys(INPUT_METHODS) as InputKind[]).filter((kind) => capabilities[kind] !== undefined);
  const connectionOptions: ConnectionOptions = {
    target,
    clientInfo,
    capabilities: { ...capabilities, extensions: { ...capabilities.extensions, [TASKS_EXTENSION]: {} } },
    retries: { ...DEFAULT_RETRIES, ...options.retry },
    onError,
    onWarning,
    prepare: (connection) => answerClientRequests(connection, { kinds, defaults: onInput, askers, onError }),
    ...(generation !== undefined && { generation }),
    ...(legacyVersions !== undefined && { legacyVersions }),
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    ...(probeTimeoutMs !== undefined && { probeTimeoutMs }),
    ...(transport !== undefined && { transport }),
    ...(options.keepsUnknown !== undefined && { keepsUnknown: options.keepsUnknown }),
  };
  return new ConnectedClient({
    connection: await Connection.open({ ...connectionOptions, ...(sessions !== undefined && { sessions }) }),
    calls,
    askers,
    defaults: onInput,
    join: (session) => Connection.open({ ...connectionOptions, session }),
    onError,
  });
}
