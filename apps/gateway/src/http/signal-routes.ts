/**
 * Takes signals at the addresses that `context.callback` makes. The token in the address is all that a sender needs, and all that it can
 * do is to send signals of one name to one task. There is no session, no cookie, and nothing to read: a GET is answered in the same way at
 * every address. 200 is sent only when the signal is recorded.
 */
import { createHash } from 'node:crypto';
import type { RateStore } from '@longhaul/sessions/gateway';
import { networkOf } from '@longhaul/runtime/network-of';
import { textOfBody } from '@longhaul/runtime/byte-order-mark';
import { addressAccount, type Json, MAX_SIGNAL_BYTES, type NewCallback, signatureProblem, SIGNALS_PATH, TaskError } from '@longhaul/tasks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import type { ScopedTasks } from '../rpc/tasks/scoped-tasks.js';
import type { HostCheck } from './host-check.js';
import type { SendHttpError } from './http-errors.js';
import { scanJsonBody } from './json-body.js';
import type { CountRequests } from './request-limits.js';

const PATH = `/${SIGNALS_PATH}:token`;

/** Signals that one address takes: at once, and in a minute. */
const SIGNALS_PER_MINUTE = 300;
const SIGNAL_RATE = { limit: SIGNALS_PER_MINUTE, perMs: 60_000 };
/** When a task that keeps as many signals as it may is tried again, seconds. */
const RETRY_WHEN_FULL_S = 30;

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** The parts of the door. */
export interface SignalRoutesDeps {
  readonly tasks: Pick<ScopedTasks, 'findCallback' | 'signal'>;
  readonly rates: Pick<RateStore, 'take'>;
  /** JSON values in one body. */
  readonly maxValues: number;
  readonly checkHost: HostCheck;
  readonly countRequests: CountRequests;
}

/** An answer that is no success. */
interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly retryAfterS?: number;
}

/** The same for a token that never existed, one of another deployment, and one whose time is over. */
const NOT_FOUND: Problem = { status: 404, code: 'NOT_FOUND', message: 'There is no such address for signals, or it has expired.' };
const ENDED: Problem = { status: 410, code: 'TASK_ENDED', message: 'The task of this address has ended. Send nothing more.' };

const NO_JSON: Problem = { status: 400, code: 'NO_JSON', message: 'The body must be JSON in UTF-8.' };

/** @param app a separate scope: settings on it apply only to this route */
export function registerSignalRoutes(app: FastifyInstance, deps: SignalRoutesDeps): void {
  const { checkHost, countRequests } = deps;
  app.removeAllContentTypeParsers();
  // The signature of a webhook is one of the bytes as they came.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_SIGNAL_BYTES }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, _reply, done) => {
    checkHost(request.raw);
    const raw = request.raw as AuthenticatedRequest;
    raw.addressAccount = addressAccount(networkOf(request.ip));
    raw.counted = countRequests(raw, 1);
    done();
  });
  app.addHook('preHandler', async ({ raw }) => (raw as AuthenticatedRequest).counted?.());
  app.post(PATH, async (request, reply) => {
    const problem = await take(deps, request);
    if (problem !== undefined) return sendProblem(reply, problem);
    return reply.headers(HEADERS).send({ status: 'recorded' });
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: PATH,
    handler: (_request, reply) =>
      sendProblem(reply.header('allow', 'POST'), { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Signals are sent with POST.' }),
  });
}

/** Answers errors from before a signal is read. */
export const sendSignalError: SendHttpError = (reply, { httpStatus, headers = {}, message }) =>
  sendProblem(reply.headers(headers), { status: httpStatus === 200 ? 500 : httpStatus, code: 'REFUSED', message });

async function take({ tasks, rates, maxValues }: SignalRoutesDeps, request: FastifyRequest): Promise<Problem | undefined> {
  const { token } = request.params as { readonly token: string };
  const callback = await tasks.findCallback(token);
  if (callback === undefined) return NOT_FOUND;
  const retryAfterMs = await rates.take({ what: 'signals', account: accountOf(token) }, 1, SIGNAL_RATE);
  if (retryAfterMs > 0) {
    const message = `At most ${SIGNALS_PER_MINUTE} signals may be sent to one address in a minute.`;
    return { status: 429, code: 'TOO_MANY_REQUESTS', message, retryAfterS: Math.ceil(retryAfterMs / 1_000) };
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const wrong = signedWrongly(callback, request, body);
  if (wrong !== undefined) return wrong;
  const read = readBody(body, maxValues);
  if (read === undefined) return NO_JSON;
  return record(tasks, callback, read.value, headerOf(request, 'webhook-id') ?? headerOf(request, 'idempotency-key'));
}

async function record(
  tasks: SignalRoutesDeps['tasks'],
  { taskId, owner, name, schema }: NewCallback,
  value: Json,
  id: string | undefined,
): Promise<Problem | undefined> {
  try {
    await tasks.signal(taskId, { name, value, id, schema, via: 'callback' }, { owner });
    return undefined;
  } catch (error) {
    const problem = error instanceof TaskError ? problemOf(error) : undefined;
    if (problem === undefined) throw error;
    return problem;
  }
}

function problemOf({ code, message, data }: TaskError): Problem | undefined {
  switch (code) {
    case 'TASK_NOT_FOUND':
      return NOT_FOUND;
    case 'TASK_ENDED':
      return ENDED;
    case 'SIGNAL_DOES_NOT_FIT':
      return { status: 422, code, message, field: (data as { readonly field?: string } | undefined)?.field ?? '' };
    case 'TOO_MANY_SIGNALS':
      return { status: 429, code, message, retryAfterS: RETRY_WHEN_FULL_S };
    case 'INVALID_KEY':
      return { status: 400, code, message };
    default:
      return undefined;
  }
}

function signedWrongly({ secrets }: NewCallback, request: FastifyRequest, body: Buffer): Problem | undefined {
  if (secrets === undefined) return undefined;
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(request, name));
  const message = signatureProblem(secrets, { id, timestamp, signature }, body, Date.now());
  return message === undefined ? undefined : { status: 401, code: 'BAD_SIGNATURE', message };
}

/** The value of a body; null of an empty one. @throws Refusal for too many values, or too deep ones */
function readBody(body: Buffer, maxValues: number): { readonly value: Json } | undefined {
  if (body.length === 0) return { value: null };
  const text = textOfBody(body);
  if (text === undefined) return undefined;
  scanJsonBody(text, maxValues);
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const given = headers[name];
  return typeof given === 'string' ? given : undefined;
}

/** The address without its token, because rates are kept in plain. */
function accountOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function sendProblem(reply: FastifyReply, { status, retryAfterS, ...problem }: Problem): FastifyReply {
  if (retryAfterS !== undefined) void reply.header('retry-after', retryAfterS);
  return reply.code(status).headers(HEADERS).send(problem);
}
