/**
 * Classifies a POST by the rules of revision 2026-07-28, once for each message. A few own lines recognize messages that the SDK's
 * classifier accepts; the SDK classifies all others, and refuses them in its words.
 */
import { FIELD_LIMITS, isJsonObject, type JsonObject, remembered } from '@longhaul/tasks';
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal, RpcCode } from '../../rpc/errors.js';
import type { MethodTraits } from '../../rpc/methods.js';
import { GENERATION } from './extension.js';
import { decodedValue, headerValue } from './header-values.js';
import { refusalOfEnvelope } from './message-limits.js';

/** A request with a complete envelope. */
export interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly _meta: Readonly<Record<string, unknown>> };
}

/** The kinds of a POST in this revision. */
export type Inbound =
  | { readonly kind: 'request'; readonly request: Request }
  /** Only a cancellation has a meaning, where the transport cannot say it by closing a stream. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** @returns nothing for a message of the other protocol versions */
export function inboundOf(headers: IncomingHttpHeaders, body: unknown): Inbound | undefined {
  if (isPlainRequest(headers, body)) return { kind: 'request', request: body };
  // Sessions belong to the other generation; a session id on a request of this revision has no meaning.
  if (headers['mcp-session-id'] !== undefined && headers['mcp-protocol-version'] !== GENERATION && !namesRevision(body)) return undefined;
  const refusal = refusalOfEnvelope(body);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
  if (outcome.kind === 'legacy') return undefined;
  if (outcome.kind === 'reject') {
    // `initialize` belongs to the other generation, for any protocol version that it names: that generation offers its own version.
    if (isJsonObject(body) && body['method'] === 'initialize') return undefined;
    const { httpStatus, code, message, data } = outcome;
    return { kind: 'refused', refusal: new Refusal(httpStatus, code, message, {}, data) };
  }
  const { revision } = outcome.classification;
  if (revision !== GENERATION) return { kind: 'refused', refusal: unsupported(revision) };
  if (outcome.messageKind === 'request') return { kind: 'request', request: outcome.message as Request };
  const { method, params } = outcome.message as { readonly method: string; readonly params?: JsonObject };
  return { kind: 'notification', method, params: params ?? {} };
}

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const LEVELS: ReadonlySet<unknown> = new Set(LoggingLevelSchema.options);

/** Whether it is a request that the SDK's classifier would accept. */
function isPlainRequest(headers: IncomingHttpHeaders, body: unknown): body is Request {
  if (headers['mcp-protocol-version'] !== GENERATION || !isJsonObject(body)) return false;
  const { jsonrpc, id, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    method !== 'initialize' &&
    typeof method === 'string' &&
    headers['mcp-method'] === method &&
    Object.keys(body).every((member) => MEMBERS.has(member)) &&
    isJsonObject(params) &&
    isPlainEnvelope(params['_meta'])
  );
}

function isPlainEnvelope(meta: unknown): boolean {
  if (!isJsonObject(meta) || RELATED_TASK_META_KEY in meta || meta[PROTOCOL_VERSION_META_KEY] !== GENERATION) return false;
  const { progressToken, [LOG_LEVEL_META_KEY]: level } = meta;
  return (
    (progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken)) &&
    (level === undefined || LEVELS.has(level)) &&
    isKnownClient(meta[CLIENT_CAPABILITIES_META_KEY], meta[CLIENT_INFO_META_KEY])
  );
}

const REMEMBERED_CLIENTS = 500;
/** A client with a longer description is checked each time. */
const MAX_REMEMBERED = FIELD_LIMITS.clientBytes / 16;

/** Each client sends the same description with every request: the SDK's schemas check it once. */
function isKnownClient(capabilities: unknown, info: unknown): boolean {
  if (!isJsonObject(capabilities) || info === null) return false;
  const client = JSON.stringify([capabilities, info]);
  return client.length <= MAX_REMEMBERED && isValidClient(client);
}

const isValidClient = remembered(REMEMBERED_CLIENTS, (client) => {
  const [capabilities, info] = JSON.parse(client) as [unknown, unknown];
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: GENERATION,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...(info !== null && { [CLIENT_INFO_META_KEY]: info }),
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } };
  return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'modern';
});

function unsupported(requested = 'unknown'): Refusal {
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [GENERATION], requested });
  return new Refusal(400, code, message, {}, data);
}

/** Whether the metadata of a message names a revision, as only messages of the newer generation do. */
function namesRevision(body: unknown): boolean {
  const { params } = (body ?? {}) as { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> | null } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

function standardHeaders(headers: IncomingHttpHeaders): Partial<Parameters<typeof classifyInboundRequest>[0]> {
  const [version, method] = [headerValue(headers, 'mcp-protocol-version'), headerValue(headers, 'mcp-method')];
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
  };
}

const MISSING = '(missing)';

/**
 * Checks the headers that repeat the version, the method and the subject of a request. A proxy may act on them, so a request is refused
 * unless they agree with its body, in the SDK's words.
 *
 * A tolerance: requests about a task may omit `Mcp-Name`. The specification requires it, and a widely used client does not send it
 * (docs/internals/clients.md). Only proxies that route by it need it.
 *
 * @param subject the member of the params that `Mcp-Name` repeats, if any
 * @throws Refusal 400
 */
export function checkStandardHeaders(headers: IncomingHttpHeaders, { method, params }: Request, subject: MethodTraits['subject']): void {
  if (headers['mcp-protocol-version'] === undefined)
    throw mismatch(
      MISSING,
      `the body envelope names protocol version ${GENERATION} but the required MCP-Protocol-Version header is absent`,
    );
  // Its value has been compared with the body.
  if (headers['mcp-method'] === undefined)
    throw mismatch(MISSING, `the body names method ${method} but the required Mcp-Method header is absent`);
  if (subject === undefined) return;
  const given = params[subject];
  const value = typeof given === 'string' ? given : undefined;
  const header = headerValue(headers, 'mcp-name');
  if (header === undefined) {
    if (value === undefined || subject === 'taskId') return;
    throw mismatch(MISSING, `the body carries params.${subject}="${value}" but the required Mcp-Name header is absent`);
  }
  const named = decodedValue(header);
  if (named === undefined) throw mismatch(header, 'the Mcp-Name header carries an invalid Base64 sentinel value');
  if (value !== undefined && named !== value)
    throw mismatch(header, `the body carries params.${subject}="${value}" but the Mcp-Name header names "${named}"`);
}

function mismatch(header: string, body: string): Refusal {
  const message = `Bad Request: the request headers and body disagree: ${body}`;
  return new Refusal(400, RpcCode.HeaderMismatch, message, {}, { mismatch: { header, body } });
}
