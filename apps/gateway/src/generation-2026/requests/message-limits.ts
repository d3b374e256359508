/** Refuses a message of revision 2026-07-28 with a field that is too long, before anything else keeps it or repeats it. */
import { ProtocolError } from '@longhaul/mcp-features';
import { FIELD_LIMITS, isJsonObject } from '@longhaul/tasks';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { invalidParams, Refusal, RpcCode } from '../../rpc/errors.js';
import { check, checkClient, checkParams } from '../../rpc/param-limits.js';
import { unfitId } from '../../rpc/messages.js';

/** The refusal of a message whose client describes itself too long: to be called before the SDK's classifier reads all of it. */
export function refusalOfEnvelope(body: unknown): Refusal | undefined {
  const { params } = isJsonObject(body) ? body : {};
  try {
    checkEnvelope(isJsonObject(params) ? params['_meta'] : undefined);
    return undefined;
  } catch (error) {
    return inHttp(error);
  }
}

/** @throws Refusal 400 */
export function checkLengths(body: unknown): void {
  if (!isJsonObject(body)) return;
  const { id, params } = body;
  const problem = unfitId(id);
  if (problem !== undefined) throw new Refusal(400, RpcCode.InvalidRequest, `Invalid Request: ${problem}`);
  if (!isJsonObject(params)) return;
  try {
    checkParams(params);
    if (params['notifications'] === undefined) return;
    checkSubscriptions(params['notifications']);
    checkListened(params['notifications']);
  } catch (error) {
    throw inHttp(error);
  }
}

function inHttp(error: unknown): Refusal {
  if (error instanceof ProtocolError) return new Refusal(400, error.code, error.message);
  throw error;
}

/** Checks the client's description of itself. @throws ProtocolError -32602 */
function checkEnvelope(meta: unknown): void {
  if (!isJsonObject(meta)) return;
  const keys = { capabilities: CLIENT_CAPABILITIES_META_KEY, clientInfo: CLIENT_INFO_META_KEY };
  const nameOf = (member: keyof typeof keys): string => `params._meta["${keys[member]}"]`;
  checkClient({ capabilities: meta[keys.capabilities], clientInfo: meta[keys.clientInfo], nameOf });
}

/** Checks what a stream of `subscriptions/listen` remembers while it is open. */
function checkSubscriptions(notifications: unknown): void {
  const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return;
  const field = 'params.notifications.resourceSubscriptions';
  const { subscriptions, uriBytes } = FIELD_LIMITS;
  if (uris.length > subscriptions) throw invalidParams(`${field} has ${uris.length} URIs; at most ${subscriptions} are allowed`);
  for (const [index, uri] of uris.entries()) if (typeof uri === 'string') check(`${field}[${index}]`, uri, uriBytes);
}

/** All names in such a stream: it may list many URIs and many tasks. */
function checkListened(notifications: unknown): void {
  const { resourceSubscriptions, taskIds } = isJsonObject(notifications) ? notifications : {};
  const named = [resourceSubscriptions, taskIds].flatMap((texts: unknown) => (Array.isArray(texts) ? (texts as unknown[]) : []));
  const bytes = named.reduce((sum: number, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
  const { listenedBytes } = FIELD_LIMITS;
  if (bytes > listenedBytes)
    throw invalidParams(
      `params.notifications has ${bytes} bytes of URIs and ids of tasks; one stream may name at most ${listenedBytes}. Open several`,
    );
}
