import type { Principal, SessionStore } from '@longhaul/sessions/gateway';
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
import { checkClient, checkParams } from '../../rpc/param-limits.js';
import { parseParams } from '../../rpc/params.js';

/** Whose a session is. Without authentication its tasks are its own, so that no other one sees them. */
export function ownerOfSession(sessionId: string, auth: Principal | undefined): string {
  return auth === undefined ? ownerOfAnonymousSession(sessionId) : auth.owner;
}

/** What a server says of itself beside the protocol version. @param client what the client declares */
export type Introduce = (client: JsonObject) => Pick<InitializeResult, 'serverInfo' | 'capabilities' | 'instructions'>;

/** Where a session is kept, and whether there may be another one. */
export interface Opening {
  readonly sessions: SessionStore;
  /** Counts a session of so many bytes. Rejects when it is one too many. */
  readonly admit: (sessionId: string, bytes: number) => Promise<void>;
  /** Called when a session that was counted could not be stored. */
  readonly release: (sessionId: string) => Promise<void>;
}

/**
 * Opens a session for a client.
 *
 * @param opening where the session is kept; absent where there are none
 * @throws ProtocolError -32602; what `admit` refuses it with
 */
export async function initialize(
  params: Readonly<Record<string, unknown>> | undefined,
  introduce: Introduce,
  opening: Opening | undefined,
  auth: Principal | undefined,
): Promise<{ readonly sessionId?: string; readonly result: InitializeResult }> {
  // Before the schema looks at each of the client's icons.
  checkClient({ capabilities: params?.['capabilities'], clientInfo: params?.['clientInfo'], nameOf: (member) => `params.${member}` });
  const request = parseParams(InitializeRequestSchema.shape.params, params);
  const client = {
    // As it was sent: the schema drops capabilities that it does not know.
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
    await opening.sessions.create({ id: sessionId, owner: ownerOfSession(sessionId, auth), protocolVersion, client });
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
