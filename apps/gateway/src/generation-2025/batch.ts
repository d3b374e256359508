/** Handles JSON-RPC batches, which only revision 2025-03-26 has. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedForms } from '../rpc/accepted-forms.js';
import { Refusal, refusalOf, RpcCode, SESSION_SHUT_DOWN, SHUTTING_DOWN } from '../rpc/errors.js';
import type { Endpoint } from './endpoint.js';
import { errorAnswer, readMessage } from '../rpc/messages.js';
import { PostResponse } from './streams/post-response.js';
import { receive, receivedIn, runInSession } from './session-messages.js';
import { sessionOf } from './header-checks.js';

const BATCH_VERSION = '2025-03-26';
const MAX_BATCH_SIZE = 100;

export async function postBatch(
  endpoint: Endpoint,
  items: readonly unknown[],
  { headers, raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const session = await sessionOf(endpoint, raw).loading;
  if (session.protocolVersion !== BATCH_VERSION)
    throw invalidBatch(`protocol version ${session.protocolVersion} has no batches; send each message by itself`);
  if (items.length === 0 || items.length > MAX_BATCH_SIZE) throw invalidBatch(`a batch has 1 to ${MAX_BATCH_SIZE} messages`);
  const messages = items.map(readMessage);
  if (messages.some((message) => message.kind === 'request' && message.method === 'initialize'))
    throw invalidBatch('initialize cannot be part of a batch');
  const hasRequests = messages.some(({ kind }) => kind === 'request');
  if (hasRequests && endpoint.closing.aborted) throw refusalOf(SHUTTING_DOWN);
  if (hasRequests && session.isShutDown === true) throw refusalOf(SESSION_SHUT_DOWN);
  for (const message of messages) await receive(endpoint, session, message);
  const requestIds = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
  const others = messages.filter(({ kind }) => kind === 'invalid').length;
  if (requestIds.length + others === 0) return reply.code(202).send();
  const source = endpoint.streams.sourceFor(session);
  const response = new PostResponse(reply.hijack().raw, {
    requestIds,
    others,
    isBatch: true,
    forms: acceptedForms(headers.accept),
    source,
  });
  const receivedAt = Date.now();
  for (const message of messages) {
    if (message.kind === 'invalid')
      response.answer(errorAnswer(message.id, new Refusal(400, RpcCode.InvalidRequest, message.reason)), {}, false);
    if (message.kind !== 'request') continue;
    const operation = endpoint.reports.begin(receivedIn(session, { message, headers, receivedAt }));
    runInSession(endpoint, { message, session, operation }, response);
  }
  return undefined;
}

function invalidBatch(reason: string): Refusal {
  return new Refusal(400, RpcCode.InvalidRequest, `Invalid Request: ${reason}`);
}
