import type { SessionStore } from '@longhaul/sessions/gateway';
import { randomUUID } from 'node:crypto';
import { ownerOfAnonymousSession } from '@longhaul/sessions';
import type { JsonObject } from '@longhaul/tasks';
import {
  type Implementation,
  InitializeRequestSchema,
  type InitializeResult,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import type { Identity } from '../../rpc/caller.js';
import { checkClient, checkParams } from '../../rpc/param-limits.js';
import { parseParams } from '../../rpc/params.js';

/** The owner of a session. If nothing is known of its caller, the session owns its tasks, so that no other one sees them. */
export function ownerOfSession(sessionId: string, { auth, namelessOwner }: Pick<Identity, 'auth' | 'namelessOwner'>): string {
  return auth?.owner ?? namelessOwner ?? ownerOfAnonymousSession(sessionId);
}

/** The server's description of itself, without the protocol version. @param client the client's declarations */
export type Introduce = (client: JsonObject) => Pick<InitializeResult, 'serverInfo' | 'capabilities' | 'instructions'>;

/** The store of sessions, and the limit of their number. */
export interface Opening {
  readonly sessions: SessionStore;
  /** Counts a session with this many bytes. Rejects when it exceeds the limit. */
  readonly admit: (sessionId: string, bytes: number) => Promise<void>;
  /** Called when a counted session could not be stored. */
  readonly release: (sessionId: string) => Promise<void>;
}

/**
 * Opens a session for a client.
 *
 * @param opening the store of the session; absent if there are no sessions
 * @throws ProtocolError -32602; the rejection of `admit`
 */
export async function initialize(
  params: Readonly<Record<string, unknown>> | undefined,
  introduce: Introduce,
  opening: Opening | undefined,
  identity: Pick<Identity, 'auth' | 'namelessOwner'>,
): Promise<{ readonly sessionId?: string; readonly result: InitializeResult }> {
  // This comes before the schema reads each of the client's icons.
  checkClient({ capabilities: params?.['capabilities'], clientInfo: params?.['clientInfo'], nameOf: (member) => `params.${member}` });
  const request = parseParams(InitializeRequestSchema.shape.params, params);
  const client = {
    // Unparsed: the schema drops capabilities that it does not know.
    capabilities: params?.['capabilities'] as JsonObject,
    ...nameAndVersion(request.clientInfo),
  };
  checkParams(params);
  const protocolVersion = negotiate(request.protocolVersion);
  const result = { protocolVersion, ...introduce(client.capabilities) };
  if (opening === undefined) return { result };
  const sessionId = randomUUID();
  await opening.admit(sessionId, Buffer.byteLength(JSON.stringify(client)));
  try {
    await opening.sessions.create({ id: sessionId, owner: ownerOfSession(sessionId, identity), protocolVersion, client });
  } catch (error) {
    await opening.release(sessionId);
    throw error;
  }
  return { sessionId, result };
}

function nameAndVersion({ name, version }: Implementation): Pick<Implementation, 'name' | 'version'> {
  return { name, version };
}

function negotiate(requested: string): string {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(requested) ? requested : LATEST_PROTOCOL_VERSION;
}
