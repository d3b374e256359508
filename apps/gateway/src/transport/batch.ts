/** JSON-RPC batches, which revision 2025-03-26 has and no other one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, RpcCode } from '../errors.js';
import { answererOf } from './answerer.js';
import type { Endpoint } from './endpoint.js';
import { loadSession, requireSessionId, traceOf } from './header-checks.js';
import { readMessage } from './messages.js';
import { PostResponse } from './post-response.js';
import { receive, runInSession } from './session-messages.js';

const BATCH_VERSION = '2025-03-26';
const MAX_BATCH_SIZE = 100;

export async function postBatch(
  endpoint: Endpoint,
  items: readonly unknown[],
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const session = await loadSession(endpoint.sessions, requireSessionId(headers));
  if (session.protocolVersion !== BATCH_VERSION)
    throw invalid(`protocol version ${session.protocolVersion} has no batches; send each message by itself`);
  if (items.length === 0 || items.length > MAX_BATCH_SIZE) throw invalid(`a batch has 1 to ${MAX_BATCH_SIZE} messages`);
  const messages = items.map(readMessage);
  if (messages.some((message) => message.kind === 'request' && message.method === 'initialize'))
    throw invalid('initialize cannot be part of a batch');
  for (const message of messages) await receive(endpoint, session, message);
  const expected = messages.filter(({ kind }) => kind === 'request' || kind === 'invalid').length;
  if (expected === 0) return reply.code(202).send();
  const response = new PostResponse(reply.hijack().raw, { expected, isBatch: true, sse: endpoint.sse });
  const trace = traceOf(headers);
  for (const message of messages) {
    if (message.kind === 'invalid')
      response.answer({ jsonrpc: '2.0', id: message.id, error: { code: RpcCode.InvalidRequest, message: message.reason } });
    if (message.kind !== 'request') continue;
    const answerer = answererOf(endpoint.methods.get(message.method), { message, session, trace });
    await runInSession(endpoint, session, message, answerer, response); // Starts it; the answer comes when it comes.
  }
  return undefined;
}

function invalid(reason: string): Refusal {
  return new Refusal(400, RpcCode.InvalidRequest, `Invalid Request: ${reason}`);
}
